//! The failure that a workflow ends with: making one, and turning errors into one.

use serde::Serialize;

use crate::{CallError, Failure};

impl Failure {
    /// A failure of the kind `kind`, a short name that programs can compare, with a sentence for people.
    ///
    /// ```
    /// use callgate_guest::Failure;
    ///
    /// let failure = Failure::new("sold-out", "no chair is left").with_details(&[("left", 0)]);
    /// assert_eq!(failure.details.as_deref(), Some(r#"[["left",0]]"#));
    /// ```
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), details: None }
    }

    /// Adds `details`. Details without a JSON form (a map whose keys aren't strings) are replaced by a string that says so:
    /// the failure itself must not get lost over them.
    pub fn with_details(mut self, details: &(impl Serialize + ?Sized)) -> Self {
        let details = serde_json::to_string(details).unwrap_or_else(|reason| {
            format!("\"no JSON form: {}\"", reason.to_string().escape_default())
        });
        self.details = Some(details);
        self
    }
}

/// The kind is [`CallError::kind`], and the details are what the host, the server or the tool said.
impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        let failure = Self::new(error.kind(), error.to_string());
        match &error {
            CallError::Refused(refusal) => failure.with_details(refusal),
            CallError::NotSent(cause) | CallError::OutcomeUnknown(cause) => {
                failure.with_details(cause)
            }
            CallError::Rejected(error) => failure.with_details(error),
            CallError::Tool(result) => failure.with_details(result),
            CallError::Unreadable { .. } => failure.with_details(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, RefusalReason, ToolCallResult};

    #[test]
    fn a_call_error_becomes_a_failure_of_the_same_kind() {
        let failure = Failure::from(CallError::refused(RefusalReason::Denied, "read only"));

        assert_eq!(failure.kind, "refused");
        assert_eq!(failure.message, "refused: read only");
        assert_eq!(failure.details.as_deref(), Some(r#"{"reason":"denied","detail":"read only"}"#));
    }

    #[test]
    fn the_failure_of_a_tool_carries_its_whole_answer() {
        let answer = ToolCallResult {
            outcome: Outcome::Error,
            output: r#"{"n":1e400}"#.to_owned(),
            content: Vec::new(),
            meta: None,
        };

        let failure = Failure::from(CallError::Tool(answer));

        assert_eq!(
            failure.details.as_deref(),
            Some(r#"{"outcome":"error","output":{"n":1e400},"content":[],"meta":null}"#)
        );
    }
}
