//! A middleware that makes calls again: always what was not sent, and what may have happened only where its settings say
//! that a second time does no harm. At once, because a sandbox has no clock; the pauses are the host's.

use callgate_guest::{Call, CallError, CallResult, Middleware, Next, ToolPattern};
use serde::Deserialize;

/// How often a call is made at most, where nothing is said.
const ATTEMPTS: u32 = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(default = "attempts")]
    attempts: u32,
    #[serde(default)]
    idempotent: Vec<ToolPattern>,
}

fn attempts() -> u32 {
    ATTEMPTS
}

struct Retry(Settings);

impl Middleware for Retry {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        Ok(Self(settings))
    }

    async fn call(&self, call: Call, next: &Next) -> CallResult {
        let is_idempotent = self.0.idempotent.iter().any(|tools| tools.matches(&call));
        for _ in 1..self.0.attempts {
            match next.call_tool(call.clone()).await {
                Err(error) if error.is_retryable() => {}
                Err(CallError::OutcomeUnknown(_)) if is_idempotent => {}
                answer => return answer,
            }
        }
        next.call_tool(call).await
    }
}

callgate_guest::middleware!(impl Retry, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt, serde_json};

    use super::*;

    const NOT_SENT: &str = r#"{"not-sent": {"cause": "session-stopped"}}"#;
    const TOO_LARGE: &str = r#"{"not-sent": {"cause": "too-large"}}"#;
    const UNKNOWN: &str = r#"{"outcome-unknown": {"cause": "session-stopped"}}"#;
    const DONE: &str = r#"{"output": 1}"#;

    /// The kind of the answer, and how often the call was made.
    fn tried(settings: &str, answers: &[&str]) -> (&'static str, usize) {
        let layer = Retry::new(serde_json::from_str(settings).unwrap()).unwrap();
        let script = Script::default();
        answers.iter().for_each(|answer| script.then(answer));
        let call = Call { connection: "a".into(), tool: "read".into(), arguments: "{}".into() };
        let answer = layer.call(call, &script.next()).now_or_never().unwrap();
        (answer.map_or_else(|error| error.kind(), |_| "ok"), script.calls().len())
    }

    #[test]
    fn what_was_not_sent_is_made_again_up_to_the_cap() {
        assert_eq!(tried("{}", &[NOT_SENT, NOT_SENT, DONE]), ("ok", 3));
        assert_eq!(tried("{}", &[NOT_SENT, NOT_SENT, NOT_SENT]), ("not-sent", 3));
        assert_eq!(tried(r#"{"attempts": 2}"#, &[NOT_SENT, NOT_SENT]), ("not-sent", 2));
        assert_eq!(tried("{}", &[TOO_LARGE]), ("not-sent", 1));
    }

    #[test]
    fn what_may_have_happened_is_made_again_only_where_that_is_harmless() {
        assert_eq!(tried("{}", &[UNKNOWN]), ("outcome-unknown", 1));
        assert_eq!(tried(r#"{"idempotent": ["a/write"]}"#, &[UNKNOWN]), ("outcome-unknown", 1));
        assert_eq!(tried(r#"{"idempotent": ["a/read"]}"#, &[UNKNOWN, DONE]), ("ok", 2));
    }

    #[test]
    fn an_answer_is_an_answer() {
        for answer in [
            r#"{"tool-error": 1}"#,
            r#"{"rejected": {"code": 1, "message": ""}}"#,
            r#"{"refused": {"reason": "denied"}}"#,
        ] {
            assert_eq!(tried(r#"{"idempotent": ["a/*"]}"#, &[answer]).1, 1, "{answer}");
        }
    }
}
