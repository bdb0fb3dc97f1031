//! Calling a tool, and what a caller may hear instead of an answer.

use serde::{Serialize, Serializer, de::DeserializeOwned};

use crate::{
    CallFailure, Cause, Outcome, Refusal, RefusalReason, RpcError, ToolCallResult,
    bindings::middleware::callgate::mcp::tools,
};

/// How much of a tool's own error text goes into a message, in bytes; the whole of it is in [`CallError::Tool`].
const QUOTED_BYTES: usize = 300;

/// Calls a tool and reads its output as a `T`.
///
/// `arguments` must serialise to a JSON object. `T` can be [`Json`](crate::Json) to pass an output on unread.
///
/// ```no_run
/// # async fn example() -> Result<(), callgate_guest::CallError> {
/// #[derive(serde::Deserialize)]
/// struct Sum {
///     sum: f64,
/// }
///
/// let arguments = serde_json::json!({ "a": 1, "b": 2 });
/// let answer = callgate_guest::call::<Sum>("calculator", "add", &arguments).await?;
/// assert_eq!(answer.sum, 3.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Every case of [`CallError`]. A tool that reports its own failure is [`CallError::Tool`], and an output that isn't a `T`
/// is [`CallError::Unreadable`]; in both cases the tool ran.
///
/// # Cancel safety
///
/// Dropping the future tells the host that nobody waits any more. A call that was sent may still take effect.
pub async fn call<T: DeserializeOwned>(
    connection: &str,
    tool: &str,
    arguments: &(impl Serialize + ?Sized),
) -> Result<T, CallError> {
    call_tool(connection, tool, arguments).await?.into_output()
}

/// Calls a tool and gives back all that it answered: output, further content and metadata.
///
/// A tool that ran and reports its own failure is `Ok` here, with [`Outcome::Error`] in the result.
///
/// ```no_run
/// # async fn example() -> Result<(), callgate_guest::CallError> {
/// use callgate_guest::{Content, call_tool};
///
/// let arguments = serde_json::json!({ "url": "https://example.org" });
/// let answer = call_tool("browser", "screenshot", &arguments).await?;
/// let pictures = answer.content.iter().filter(|block| matches!(block, Content::Image(_))).count();
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`CallError::Refused`], [`CallError::NotSent`], [`CallError::Rejected`] or [`CallError::OutcomeUnknown`].
///
/// # Cancel safety
///
/// As with [`call`].
pub async fn call_tool(
    connection: &str,
    tool: &str,
    arguments: &(impl Serialize + ?Sized),
) -> Result<ToolCallResult, CallError> {
    let arguments = serde_json::to_string(arguments).map_err(|reason| {
        CallError::refused(RefusalReason::InvalidArguments, format!("not JSON: {reason}"))
    })?;
    Ok(tools::call_tool(connection.to_owned(), tool.to_owned(), arguments).await?)
}

/// Why a call has no output: one case for each thing that its caller can do about it.
///
/// ```
/// use callgate_guest::{CallError, RefusalReason};
///
/// fn advice(error: &CallError) -> &'static str {
///     match error {
///         CallError::Refused(_) => "mend the call; the same one is refused again",
///         CallError::NotSent(_) => "try again; nothing has happened",
///         CallError::Rejected(_) => "report what the server says",
///         CallError::OutcomeUnknown(_) => "look before trying again; it may have happened",
///         CallError::Tool(_) => "read the tool's own words",
///         CallError::Unreadable { .. } => "it has happened; mend the type",
///     }
/// }
///
/// let error = CallError::refused(RefusalReason::Denied, "not on a Sunday");
/// assert_eq!(error.to_string(), "refused: not on a Sunday");
/// assert!(advice(&error).starts_with("mend"));
/// ```
#[derive(Debug, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum CallError {
    /// The host or a middleware said no. Nothing was sent, and the same call is refused again.
    #[error("refused: {}", .0.detail)]
    Refused(Refusal),
    /// Nothing reached the server, so trying again is safe.
    #[error("not sent: {}", .0.detail)]
    NotSent(CallFailure),
    /// The server answered with a JSON-RPC error in place of a result.
    #[error("rejected by the server: {} ({})", .0.message, .0.code)]
    Rejected(RpcError),
    /// The call was sent and no usable answer came: the tool may have run, wholly, in part or not at all.
    #[error("outcome unknown: {}", .0.detail)]
    OutcomeUnknown(CallFailure),
    /// The tool ran and reports its own failure. Only [`call`] makes this case.
    #[error("the tool failed: {}", quoted(&.0.output))]
    Tool(ToolCallResult),
    /// The tool ran and its output isn't what the caller expects. Only [`call`] makes this case.
    #[error("the output has another shape than expected")]
    Unreadable {
        /// The output, one JSON text.
        output: String,
        /// What didn't fit.
        #[source]
        #[serde(serialize_with = "serialize_display")]
        reason: serde_json::Error,
    },
}

impl CallError {
    /// A refusal, as a middleware makes one.
    pub fn refused(reason: RefusalReason, detail: impl Into<String>) -> Self {
        Self::Refused(Refusal { reason, detail: detail.into() })
    }

    /// Whether the same call may be tried again: nothing of this one reached the server, and not because of its size.
    ///
    /// For a tool that only reads, an [`OutcomeUnknown`](Self::OutcomeUnknown) can be tried again as well; that is the
    /// caller's knowledge, so it isn't counted here.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::NotSent(failure) if failure.cause != Cause::TooLarge)
    }

    /// The name of the case: `refused`, `not-sent`, `rejected`, `outcome-unknown`, `tool-error` or `unreadable-output`.
    ///
    /// It is also the `kind` of the [`Failure`](crate::Failure) that a workflow ends with when it passes the error on, so it
    /// doesn't change.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Refused(_) => "refused",
            Self::NotSent(_) => "not-sent",
            Self::Rejected(_) => "rejected",
            Self::OutcomeUnknown(_) => "outcome-unknown",
            Self::Tool(_) => "tool-error",
            Self::Unreadable { .. } => "unreadable-output",
        }
    }
}

impl Clone for CallError {
    fn clone(&self) -> Self {
        match self {
            Self::Refused(refusal) => Self::Refused(refusal.clone()),
            Self::NotSent(failure) => Self::NotSent(failure.clone()),
            Self::Rejected(error) => Self::Rejected(error.clone()),
            Self::OutcomeUnknown(failure) => Self::OutcomeUnknown(failure.clone()),
            Self::Tool(result) => Self::Tool(result.clone()),
            // The reason can't be copied; its words can.
            Self::Unreadable { output, reason } => {
                let reason = serde::de::Error::custom(reason);
                Self::Unreadable { output: output.clone(), reason }
            }
        }
    }
}

impl From<tools::CallError> for CallError {
    fn from(error: tools::CallError) -> Self {
        match error {
            tools::CallError::Refused(refusal) => Self::Refused(refusal),
            tools::CallError::NotSent(failure) => Self::NotSent(failure),
            tools::CallError::Rejected(error) => Self::Rejected(error),
            tools::CallError::OutcomeUnknown(failure) => Self::OutcomeUnknown(failure),
        }
    }
}

impl ToolCallResult {
    /// An answer that a middleware gives in place of the tool: `output` and nothing else.
    ///
    /// # Errors
    ///
    /// When `output` has no JSON form, for instance a map whose keys aren't strings.
    pub fn from_output(output: &(impl Serialize + ?Sized)) -> Result<Self, serde_json::Error> {
        let output = serde_json::to_string(output)?;
        Ok(Self { outcome: Outcome::Ok, output, content: Vec::new(), meta: None })
    }

    /// Reads the output as a `T`.
    ///
    /// ```
    /// use callgate_guest::ToolCallResult;
    ///
    /// let answer = ToolCallResult::from_output(&[1, 2, 3])?;
    /// assert_eq!(answer.into_output::<Vec<u8>>()?, [1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CallError::Tool`] when the tool reports its own failure, [`CallError::Unreadable`] when the output isn't a `T`.
    pub fn into_output<T: DeserializeOwned>(self) -> Result<T, CallError> {
        if self.outcome == Outcome::Error {
            return Err(CallError::Tool(self));
        }
        serde_json::from_str(&self.output)
            .map_err(|reason| CallError::Unreadable { output: self.output, reason })
    }
}

/// The beginning of a text that may be long.
fn quoted(text: &str) -> &str {
    &text[..text.floor_char_boundary(QUOTED_BYTES)]
}

fn serialize_display<S: Serializer>(
    value: &impl std::fmt::Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(cause: Cause) -> CallFailure {
        CallFailure { cause, detail: "the pipe broke".to_owned() }
    }

    #[test]
    fn only_a_call_that_was_not_sent_is_retryable() {
        assert!(CallError::NotSent(failure(Cause::SessionStopped)).is_retryable());

        assert!(!CallError::NotSent(failure(Cause::TooLarge)).is_retryable());
        assert!(!CallError::OutcomeUnknown(failure(Cause::SessionStopped)).is_retryable());
        assert!(!CallError::refused(RefusalReason::Denied, "no").is_retryable());
    }

    #[test]
    fn a_tool_that_reports_a_failure_is_an_error_of_its_own() {
        let mut answer = ToolCallResult::from_output("no such file").unwrap();
        answer.outcome = Outcome::Error;

        let error = answer.clone().into_output::<String>().unwrap_err();

        assert_eq!(error.kind(), "tool-error");
        assert_eq!(error.to_string(), "the tool failed: \"no such file\"");
        assert!(matches!(error, CallError::Tool(result) if result == answer));
    }

    #[test]
    fn an_output_of_another_shape_keeps_its_text() {
        let answer = ToolCallResult::from_output(&["a"]).unwrap();

        let error = answer.into_output::<Vec<u8>>().unwrap_err();

        assert!(matches!(error, CallError::Unreadable { output, .. } if output == r#"["a"]"#));
    }

    #[test]
    fn every_error_has_its_own_json_form() {
        let refused = CallError::refused(RefusalReason::LimitReached, "100 calls");
        let unknown = CallError::OutcomeUnknown(failure(Cause::Timeout));
        let rejected = CallError::Rejected(RpcError {
            code: -32602,
            message: "no such tool".to_owned(),
            data: Some(r#"{"big":12345678901234567890123}"#.to_owned()),
        });

        let json = |error: &CallError| serde_json::to_string(error).unwrap();

        assert_eq!(
            json(&refused),
            r#"{"refused":{"reason":"limit-reached","detail":"100 calls"}}"#
        );
        assert_eq!(
            json(&unknown),
            r#"{"outcome-unknown":{"cause":"timeout","detail":"the pipe broke"}}"#
        );
        assert_eq!(
            json(&rejected),
            r#"{"rejected":{"code":-32602,"message":"no such tool","data":{"big":12345678901234567890123}}}"#
        );
    }
}
