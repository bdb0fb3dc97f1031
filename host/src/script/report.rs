//! What a script says beside its result and its logs.

use serde::Serialize;

use crate::call::Json;

/// What a script said beside its result and its logs. Its texts are untrusted.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ScriptReport {
    /// The name of the script in messages.
    pub file: String,
    /// What it failed of, when it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<ScriptFault>,
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
