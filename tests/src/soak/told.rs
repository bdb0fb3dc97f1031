//! What a caller was told about its call, and how often the call may have been carried out then.

use std::{fmt, ops::RangeInclusive};

use callgate::{CallError, Ending, Outcome, ToolCallResult};
use serde_json::Value;

use super::tools::{DONE, UNDONE};

/// The end of one call, as its caller heard it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Told {
    Ok,
    ToolError(Word),
    Rejected(Word),
    NotSent,
    Refused,
    Unknown,
    /// The caller went away before it heard anything.
    GivenUp,
    /// It was planned, and its run ended before.
    NeverMade,
}

/// What the server's own error says of the tool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Word {
    Done,
    Undone,
    /// The one who heard it was the workflow, and it ended before it could pass it on.
    Unheard,
    /// No server of the soak says this.
    Foreign,
}

impl Told {
    /// What a direct caller was told.
    pub(super) fn of(answer: &Result<ToolCallResult, CallError>) -> Self {
        match answer {
            Ok(result) if result.outcome == Outcome::Ok => Self::Ok,
            Ok(result) => Self::ToolError(Word::of_output(result.output.as_str())),
            Err(CallError::Rejected(error)) => Self::Rejected(Word::of_code(error.code)),
            Err(CallError::NotSent(_)) => Self::NotSent,
            Err(CallError::Refused(_)) => Self::Refused,
            Err(CallError::OutcomeUnknown(_)) => Self::Unknown,
        }
    }

    /// What the report of a run says; it doesn't have the server's words.
    pub(super) fn of_entry(ending: Ending) -> Option<Self> {
        Some(match ending {
            Ending::Ok => Self::Ok,
            Ending::Error => Self::ToolError(Word::Unheard),
            Ending::Rejected => Self::Rejected(Word::Unheard),
            Ending::NotSent => Self::NotSent,
            Ending::Refused => Self::Refused,
            Ending::OutcomeUnknown => Self::Unknown,
            Ending::Cancelled => Self::GivenUp,
            _ => return None,
        })
    }

    /// What the workflow says that it was told: `{"Ok": output}` or `{"Err": {"case": ...}}`.
    pub(super) fn of_guest(heard: &Value) -> Option<Self> {
        if heard.get("Ok").is_some() {
            return Some(Self::Ok);
        }
        let (case, detail) = heard.get("Err")?.as_object()?.iter().next()?;
        Some(match case.as_str() {
            "tool" => {
                let output = match &detail["output"] {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                Self::ToolError(Word::of_output(&output))
            }
            "rejected" => Self::Rejected(Word::of_code(detail["code"].as_i64()?)),
            "not-sent" => Self::NotSent,
            "refused" => Self::Refused,
            "outcome-unknown" => Self::Unknown,
            _ => return None,
        })
    }

    /// Whether both are the same case, whatever the server's words were.
    pub(super) fn is_like(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::ToolError(_), Self::ToolError(_)) | (Self::Rejected(_), Self::Rejected(_))
        ) || self == other
    }

    /// Whether a server said so.
    pub(super) fn is_of_a_server(self) -> bool {
        matches!(self, Self::Ok | Self::ToolError(_) | Self::Rejected(_))
    }

    /// How often the call may have been carried out, if it may be carried out `most` times.
    ///
    /// Of two attempts the answer is that of the second. A rejection after an attempt whose outcome is unknown isn't told as
    /// one, so it is always the word about the only attempt that was sent.
    pub(super) fn executions(self, most: u32) -> RangeInclusive<u32> {
        match self {
            Self::Ok | Self::ToolError(Word::Done) => 1..=most,
            Self::ToolError(Word::Undone) => 0..=most - 1,
            Self::Rejected(Word::Done) => 1..=1,
            Self::Rejected(Word::Undone) => 0..=0,
            Self::Rejected(Word::Unheard) => 0..=1,
            Self::NotSent | Self::Refused | Self::NeverMade => 0..=0,
            Self::Unknown | Self::GivenUp | Self::ToolError(_) | Self::Rejected(_) => 0..=most,
        }
    }
}

impl Word {
    fn of_code(code: i64) -> Self {
        match code {
            DONE => Self::Done,
            UNDONE => Self::Undone,
            _ => Self::Foreign,
        }
    }

    fn of_output(output: &str) -> Self {
        let output: Value = serde_json::from_str(output).unwrap_or_default();
        match output["done"].as_bool() {
            Some(true) => Self::Done,
            Some(false) => Self::Undone,
            None => Self::Foreign,
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ok => "ok",
            Self::ToolError(_) => "the tool's own error",
            Self::Rejected(_) => "rejected",
            Self::NotSent => "not sent",
            Self::Refused => "refused",
            Self::Unknown => "outcome unknown",
            Self::GivenUp => "given up by the caller",
            Self::NeverMade => "planned and never made",
        })
    }
}
