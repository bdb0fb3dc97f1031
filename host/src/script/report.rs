//! What a script says beside its result.

use serde::{Deserialize, Serialize};

use crate::call::Json;

/// What a script said beside its result, and what its run started from. Its texts are untrusted.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ScriptReport {
    /// The name of the script in messages.
    pub file: String,
    /// What `Math.random` started from.
    pub seed: u32,
    /// What the clock said at the start, in milliseconds since 1970.
    pub now_ms: i64,
    /// What it wrote with `console`, in order; `None` where the sandbox stopped the run, because the lines are inside it.
    pub logs: Option<Vec<LogLine>>,
    /// Present when it wrote more than [`max_log_bytes`](crate::ScriptLimits::max_log_bytes).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logs_cut: Option<LogsCut>,
    /// What it failed of, when it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<ScriptFault>,
}

/// One call of a function of `console`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogLine {
    /// Which function: `log`, `info`, `warn`, `error` or `debug`.
    pub level: String,
    /// What it was given, as text; it may have several lines.
    pub text: String,
}

/// That lines were not kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogsCut {
    /// How many.
    pub lines: u64,
    /// The limit.
    pub max_log_bytes: usize,
}

/// The error that ended a script, and where.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ScriptFault {
    /// The class of the error, as `TypeError`; what was thrown may be no error.
    pub name: String,
    /// What the error says.
    pub message: String,
    /// The name of the script.
    pub file: String,
    /// The line of the script, from 1, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The character of that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// That line and those before it, with a mark below the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// The functions that were under way, the innermost first, a line each. Frames of the runner are left out.
    pub stack: String,
    /// The case of the failed call, when the error is a `ToolError`: its fields as the script sees them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_error: Option<Json>,
    /// The error's `cause`, in this form but for file and frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Json>,
    /// The errors in an `AggregateError`, in the same form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Json>,
}

impl ScriptReport {
    /// Of a script whose lines are unknown.
    pub(super) fn new(file: String, seed: u32, now_ms: i64) -> Self {
        Self { file, seed, now_ms, logs: None, logs_cut: None, fault: None }
    }
}
