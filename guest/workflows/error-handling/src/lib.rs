//! Makes one call and says what happened and what a careful caller does next: each case of `CallError` once.

use callgate_guest::{CallError, Cause, Failure, Json, RefusalReason, call};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Input {
    connection: String,
    tool: String,
    arguments: Json,
}

#[derive(Serialize)]
struct Report {
    /// `answered`, or the kind of the error.
    happened: &'static str,
    /// Whether the tool may have done something.
    tool_ran: ToolRan,
    /// What a caller does next.
    advice: &'static str,
    /// The output, or the error in words.
    detail: Json,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ToolRan {
    Yes,
    No,
    Maybe,
}

async fn run(input: Input) -> Result<Report, Failure> {
    let error = match call::<Json>(&input.connection, &input.tool, &input.arguments).await {
        Ok(output) => {
            return Ok(Report {
                happened: "answered",
                tool_ran: ToolRan::Yes,
                advice: "use the output",
                detail: output,
            });
        }
        Err(error) => error,
    };

    let (tool_ran, advice) = match &error {
        CallError::Refused(refusal) => match refusal.reason {
            RefusalReason::UnknownConnection => (ToolRan::No, "mend the name of the connection"),
            RefusalReason::InvalidArguments => (ToolRan::No, "mend the arguments"),
            RefusalReason::Denied => (ToolRan::No, "do without this call, or ask for a grant"),
            RefusalReason::LimitReached => (ToolRan::No, "finish with what there is"),
        },
        CallError::NotSent(failure) if failure.cause == Cause::TooLarge => {
            (ToolRan::No, "send less at once")
        }
        CallError::NotSent(_) => (ToolRan::No, "try again"),
        CallError::Rejected(_) => (ToolRan::No, "report what the server says"),
        CallError::OutcomeUnknown(_) => (ToolRan::Maybe, "look whether it happened, then decide"),
        CallError::Tool(_) => (ToolRan::Yes, "read the tool's own words"),
        CallError::Unreadable { .. } => (ToolRan::Yes, "mend the type that the output is read as"),
    };
    let happened = error.kind();
    let detail = callgate_guest::serde_json::value::to_raw_value(&error.to_string())
        .map_err(|reason| Failure::new("internal", reason.to_string()))?;
    Ok(Report { happened, tool_ran, advice, detail })
}

callgate_guest::workflow!(run);
