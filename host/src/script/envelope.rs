//! The JSON that goes into the runner of scripts and comes out: `guest/script/js/run.js` is the other side.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    names::ToolNames,
    report::{ScriptFault, ScriptReport},
};
use crate::{
    call::Json,
    limits::LimitReached,
    run::{LogEntry, LogStream, RunLogs, RunOutcome, Stopped, WorkflowFailure},
};

/// What the runner takes.
#[derive(Serialize)]
pub(super) struct Input<'s> {
    pub(super) source: &'s str,
    pub(super) file: &'s str,
    pub(super) args: &'s Json,
    pub(super) seed: u64,
    pub(super) now_ms: u64,
    pub(super) max_log_bytes: usize,
    pub(super) max_stack_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) names: Option<&'s ToolNames>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) only_compile: bool,
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

/// What it wrote with `console`.
#[derive(Deserialize)]
pub(super) struct Said {
    logs: Vec<Line>,
    logs_cut: Option<Cut>,
}

#[derive(Deserialize)]
struct Line {
    level: LogStream,
    text: String,
}

#[derive(Deserialize)]
struct Cut {
    lines: u64,
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
    pub(super) fn logs(self, max_log_bytes: usize) -> RunLogs {
        let entries =
            self.logs.into_iter().map(|Line { level, text }| LogEntry { to: level, text });
        let cut = self.logs_cut.map(|cut| LimitReached::log_lines(max_log_bytes, cut.lines));
        RunLogs { entries: entries.collect(), cut, are_lost: false }
    }
}

/// The script's own value, and what it wrote.
pub(super) fn value(output: &Json) -> (RunOutcome, Option<Said>) {
    match serde_json::from_str::<Output>(output.as_str()) {
        Ok(Output { value, said }) => (RunOutcome::Done(value.into()), Some(said)),
        Err(error) => {
            let why = format!("it is not what the runner of scripts returns: {error}");
            (RunOutcome::Stopped(Stopped::InvalidResult(why)), None)
        }
    }
}

/// The script's own failure, and what it wrote. `frame` shows a line and a column of it.
pub(super) fn failure(
    failure: WorkflowFailure,
    report: &mut ScriptReport,
    frame: impl FnOnce(u32, u32) -> Option<String>,
) -> (RunOutcome, Option<Said>) {
    let details = failure.details.as_deref().map(serde_json::from_str::<Details>);
    // A layer in front of the runner has its own details, and so has a runner without memory.
    let Some(Ok(Details { error, said })) = details else {
        return (RunOutcome::Failed(failure), None);
    };
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
    (RunOutcome::Failed(WorkflowFailure { details, ..failure }), Some(said))
}
