//! Answers that stand in settings and tables: an output, a tool's own failure, or one of the four errors.

use serde::Deserialize;

use crate::{
    CallError, CallFailure, Cause, Json, Outcome, Refusal, RefusalReason, RpcError, ToolCallResult,
};

/// What a call hears in place of the tool's answer, as it is written in JSON: an object with one key.
///
/// ```
/// use callgate_guest::Answer;
///
/// let answer: Answer = serde_json::from_str(r#"{"output": {"content": "TODO"}}"#)?;
/// assert_eq!(answer.give().unwrap().output, r#"{"content": "TODO"}"#);
///
/// let lost: Answer = serde_json::from_str(r#"{"outcome-unknown": {"cause": "timeout"}}"#)?;
/// assert_eq!(lost.give().unwrap_err().kind(), "outcome-unknown");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The tool did what it was asked; this is its output.
    Output(Json),
    /// The tool ran and reports its own failure; this is its output.
    ToolError(Json),
    /// The host or a middleware says no.
    Refused(RefusalForm),
    /// Nothing reached the server.
    NotSent(FailureForm),
    /// The server answers with a JSON-RPC error.
    Rejected(RpcErrorForm),
    /// It was sent, and no usable answer came.
    OutcomeUnknown(FailureForm),
}

/// A [`Refusal`] in JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusalForm {
    #[serde(with = "ReasonForm")]
    reason: RefusalReason,
    #[serde(default)]
    detail: String,
}

/// A [`CallFailure`] in JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureForm {
    #[serde(with = "CauseForm")]
    cause: Cause,
    #[serde(default)]
    detail: String,
}

/// An [`RpcError`] in JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RpcErrorForm {
    code: i64,
    message: String,
    #[serde(default)]
    data: Option<Json>,
}

#[derive(Deserialize)]
#[serde(remote = "RefusalReason", rename_all = "kebab-case")]
enum ReasonForm {
    UnknownConnection,
    InvalidArguments,
    Denied,
    LimitReached,
}

#[derive(Deserialize)]
#[serde(remote = "Cause", rename_all = "kebab-case")]
enum CauseForm {
    Timeout,
    Cancelled,
    SessionStopped,
    ConnectFailed,
    TooLarge,
    ProtocolViolation,
    InputRequired,
    Internal,
}

impl Answer {
    /// The answer as a call hears it.
    ///
    /// # Errors
    ///
    /// The error that it is, where it is one.
    pub fn give(&self) -> Result<ToolCallResult, CallError> {
        match self.clone() {
            Self::Output(output) => Ok(result(Outcome::Ok, output)),
            Self::ToolError(output) => Ok(result(Outcome::Error, output)),
            Self::Refused(RefusalForm { reason, detail }) => {
                Err(CallError::Refused(Refusal { reason, detail }))
            }
            Self::NotSent(failure) => Err(CallError::NotSent(failure.into())),
            Self::Rejected(RpcErrorForm { code, message, data }) => {
                let data = data.map(|data| Box::<str>::from(data).into());
                Err(CallError::Rejected(RpcError { code, message, data }))
            }
            Self::OutcomeUnknown(failure) => Err(CallError::OutcomeUnknown(failure.into())),
        }
    }
}

fn result(outcome: Outcome, output: Json) -> ToolCallResult {
    let output = Box::<str>::from(output).into();
    ToolCallResult { outcome, output, content: Vec::new(), meta: None }
}

impl From<FailureForm> for CallFailure {
    fn from(FailureForm { cause, detail }: FailureForm) -> Self {
        Self { cause, detail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Result<ToolCallResult, CallError> {
        serde_json::from_str::<Answer>(text).unwrap().give()
    }

    #[test]
    fn each_case_can_be_written() {
        let failed = given(r#"{"tool-error": "no such file"}"#).unwrap();
        assert_eq!((failed.outcome, failed.output.as_str()), (Outcome::Error, "\"no such file\""));
        assert_eq!(given(r#"{"output": 1.50}"#).unwrap().output, "1.50");
        for (text, kind) in [
            (r#"{"refused": {"reason": "limit-reached", "detail": "x"}}"#, "refused"),
            (r#"{"not-sent": {"cause": "connect-failed"}}"#, "not-sent"),
            (r#"{"rejected": {"code": -32602, "message": "x", "data": [1]}}"#, "rejected"),
            (r#"{"outcome-unknown": {"cause": "session-stopped"}}"#, "outcome-unknown"),
        ] {
            assert_eq!(given(text).unwrap_err().kind(), kind);
        }
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for text in [
            "{}",
            r#"{"output": 1, "refused": {"reason": "denied"}}"#,
            r#"{"lost": {}}"#,
            r#"{"not-sent": {"cause": "weather"}}"#,
            r#"{"not-sent": {"cause": "timeout", "detial": ""}}"#,
        ] {
            assert!(serde_json::from_str::<Answer>(text).is_err(), "{text}");
        }
    }
}
