//! The JSON that goes into the runner of scripts and comes out: `guest/script/js/run.js` is the other side.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::report::{LogLine, LogsCut, ScriptFault, ScriptReport};
use crate::{
    call::Json,
    run::{RunOutcome, Stopped, WorkflowFailure},
};

/// What the runner takes.
#[derive(Serialize)]
pub(super) struct Input<'s> {
    pub(super) source: &'s str,
    pub(super) file: &'s str,
    pub(super) args: &'s Json,
    pub(super) seed: u32,
    pub(super) now_ms: i64,
    pub(super) max_log_bytes: usize,
    pub(super) max_stack_bytes: usize,
}

/// What it returns.
#[derive(Deserialize)]
struct Output {
    value: Box<RawValue>,
    #[serde(flatten)]
    said: Said,
}

/// The details of its failures.
#[derive(Deserialize)]
struct Details {
    error: Option<Thrown>,
    #[serde(flatten)]
    said: Said,
}

#[derive(Deserialize)]
struct Said {
    logs: Vec<LogLine>,
    logs_cut: Option<LogsCut>,
}

#[derive(Deserialize)]
struct Thrown {
    name: String,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    #[serde(default)]
    stack: String,
    tool_error: Option<Box<RawValue>>,
    cause: Option<Box<RawValue>>,
    errors: Option<Box<RawValue>>,
}

impl Said {
    fn go_into(self, report: &mut ScriptReport) {
        report.logs = Some(self.logs);
        report.logs_cut = self.logs_cut;
    }
}

/// The script's own value.
pub(super) fn value(output: &Json, report: &mut ScriptReport) -> RunOutcome {
    match serde_json::from_str::<Output>(output.as_str()) {
        Ok(Output { value, said }) => {
            said.go_into(report);
            RunOutcome::Done(value.into())
        }
        Err(error) => RunOutcome::Stopped(Stopped::InvalidResult(format!(
            "it is not what the runner of scripts returns: {error}"
        ))),
    }
}

/// The script's own failure. `frame` shows a line and a column of it.
pub(super) fn failure(
    failure: WorkflowFailure,
    report: &mut ScriptReport,
    frame: impl FnOnce(u32, u32) -> Option<String>,
) -> RunOutcome {
    let details = failure.details.as_deref().map(serde_json::from_str::<Details>);
    // A layer in front of the runner has its own details, and so has a runner without memory.
    let Some(Ok(Details { error, said })) = details else { return RunOutcome::Failed(failure) };
    said.go_into(report);
    let fault = error.map(|error| {
        let position = error.line.zip(error.column);
        ScriptFault {
            frame: position.and_then(|(line, column)| frame(line, column)),
            name: error.name,
            message: error.message,
            file: report.file.clone(),
            line: error.line,
            column: error.column,
            stack: error.stack,
            tool_error: error.tool_error.map(Json::from),
            cause: error.cause.map(Json::from),
            errors: error.errors.map(Json::from),
        }
    });
    let details = fault.as_ref().map(|fault| Json::from_value(fault).into_text());
    report.fault = fault;
    RunOutcome::Failed(WorkflowFailure { details, ..failure })
}
