//! A middleware that takes secrets out of arguments and answers: by patterns in any text, and by place.
//!
//! Texts are the strings of JSON values, text blocks, and the sentences of errors. Keys of objects, media and binary resources
//! pass unseen. It is a filter for what leaks by accident: code that wants to smuggle spells a secret differently.

mod place;

use callgate_guest::{
    Body, Call, CallError, CallResult, Content, Middleware, Next, RefusalReason, ToolCallResult,
    ToolPattern, rewrite_json, serde_json,
};
use regex_lite::{NoExpand, Regex};
use serde::{Deserialize, Deserializer, de::Error};

use crate::place::Place;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(default, deserialize_with = "regexes")]
    patterns: Vec<Regex>,
    #[serde(default)]
    paths: Vec<Place>,
    #[serde(default = "redacted")]
    with: String,
    #[serde(default)]
    r#in: Where,
    /// Everything where there is none.
    tools: Option<Vec<ToolPattern>>,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Where {
    Arguments,
    Results,
    #[default]
    Both,
}

fn redacted() -> String {
    "[redacted]".to_owned()
}

fn regexes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Regex>, D::Error> {
    let patterns = Vec::<String>::deserialize(deserializer)?;
    patterns.iter().map(|pattern| Regex::new(pattern).map_err(D::Error::custom)).collect()
}

struct Redact(Settings);

impl Middleware for Redact {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        Ok(Self(settings))
    }

    async fn call(&self, mut call: Call, next: &Next) -> CallResult {
        let is_about = |tools: &Vec<ToolPattern>| tools.iter().any(|tools| tools.matches(&call));
        if !self.0.tools.as_ref().is_none_or(is_about) {
            return next.call_tool(call).await;
        }
        if self.0.r#in != Where::Results {
            // What can't be read can't be cleaned, so it doesn't pass.
            call.arguments = self.clean_json(&call.arguments, &self.0.paths).map_err(|reason| {
                let detail = format!("redact: the arguments are not JSON: {reason}");
                CallError::refused(RefusalReason::InvalidArguments, detail)
            })?;
        }
        let answer = next.call_tool(call).await;
        if self.0.r#in == Where::Arguments {
            return answer;
        }
        answer.map(|result| self.clean_result(result)).map_err(|error| self.clean_error(error))
    }
}

impl Redact {
    fn clean_result(&self, mut result: ToolCallResult) -> ToolCallResult {
        result.output = self.clean_or_replace(&result.output, &self.0.paths);
        result.meta = result.meta.map(|meta| self.clean_or_replace(&meta, &[]));
        for block in &mut result.content {
            match block {
                Content::Text(text) => *text = self.clean_text(text),
                Content::Other(json) => *json = self.clean_or_replace(json, &[]),
                Content::ResourceLink(link) => {
                    let texts = [Some(&mut link.uri), Some(&mut link.name)].into_iter();
                    let optional = [link.title.as_mut(), link.description.as_mut()];
                    texts.chain(optional).flatten().for_each(|text| *text = self.clean_text(text));
                }
                Content::Resource(embedded) => {
                    embedded.uri = self.clean_text(&embedded.uri);
                    if let Body::Text(text) = &mut embedded.body {
                        *text = self.clean_text(text);
                    }
                }
                Content::Image(_) | Content::Audio(_) => {}
            }
        }
        result
    }

    fn clean_error(&self, error: CallError) -> CallError {
        match error {
            CallError::Refused(mut refusal) => {
                refusal.detail = self.clean_text(&refusal.detail);
                CallError::Refused(refusal)
            }
            CallError::NotSent(mut failure) => {
                failure.detail = self.clean_text(&failure.detail);
                CallError::NotSent(failure)
            }
            CallError::OutcomeUnknown(mut failure) => {
                failure.detail = self.clean_text(&failure.detail);
                CallError::OutcomeUnknown(failure)
            }
            CallError::Rejected(mut error) => {
                error.message = self.clean_text(&error.message);
                error.data = error.data.map(|data| self.clean_or_replace(&data, &[]));
                CallError::Rejected(error)
            }
            other => other,
        }
    }

    /// As [`clean_json`](Self::clean_json); what isn't JSON is replaced as a whole.
    fn clean_or_replace(&self, text: &str, places: &[Place]) -> String {
        self.clean_json(text, places).unwrap_or_else(|_| quoted(&self.0.with))
    }

    fn clean_json(&self, text: &str, places: &[Place]) -> Result<String, serde_json::Error> {
        rewrite_json(text, &mut |at, value| {
            if places.iter().any(|place| place.is(at)) {
                return Some(quoted(&self.0.with));
            }
            if !value.starts_with('"') {
                return None;
            }
            let text: String = serde_json::from_str(value).ok()?;
            let clean = self.clean_text(&text);
            (clean != text).then(|| quoted(&clean))
        })
    }

    fn clean_text(&self, text: &str) -> String {
        self.0.patterns.iter().fold(text.to_owned(), |text, pattern| {
            pattern.replace_all(&text, NoExpand(&self.0.with)).into_owned()
        })
    }
}

/// The JSON string that says `text`.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

callgate_guest::middleware!(impl Redact, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt};

    use super::*;

    /// The arguments that were passed on, and the answer.
    fn cleaned(settings: &str, arguments: &str, answer: &str) -> (Vec<String>, CallResult) {
        let layer = Redact::new(serde_json::from_str(settings).unwrap()).unwrap();
        let script = Script::default();
        script.then(answer);
        let call = Call { connection: "a".into(), tool: "b".into(), arguments: arguments.into() };
        let answer = layer.call(call, &script.next()).now_or_never().unwrap();
        (script.calls().into_iter().map(|call| call.arguments).collect(), answer)
    }

    const DONE: &str = r#"{"output": {"key": "sk-12", "n": 1.50, "list": ["x sk-3 y"]}}"#;

    #[test]
    fn a_pattern_is_replaced_in_every_text_and_numbers_keep_their_spelling() {
        let (passed, answer) = cleaned(
            r#"{"patterns": ["sk-\\d+"], "with": "$0"}"#,
            r#"{"a": "\u0073k-1", "n": 1e400}"#,
            DONE,
        );

        assert_eq!(passed, [r#"{"a":"$0","n":1e400}"#]);
        assert_eq!(answer.unwrap().output, r#"{"key":"$0","n":1.50,"list":["x $0 y"]}"#);
    }

    #[test]
    fn a_place_is_replaced_whatever_stands_there() {
        let settings = r#"{"paths": ["/list/*", "/n"], "in": "results"}"#;

        let (passed, answer) = cleaned(settings, r#"{ "n": 1 }"#, DONE);

        assert_eq!(passed, [r#"{ "n": 1 }"#]);
        let output = r#"{"key":"sk-12","n":"[redacted]","list":["[redacted]"]}"#;
        assert_eq!(answer.unwrap().output, output);
    }

    #[test]
    fn errors_are_cleaned_as_well() {
        let settings = r#"{"patterns": ["sk-\\d+"]}"#;
        for answer in [
            r#"{"refused": {"reason": "denied", "detail": "sk-1"}}"#,
            r#"{"not-sent": {"cause": "timeout", "detail": "sk-1"}}"#,
            r#"{"rejected": {"code": 1, "message": "x", "data": ["sk-1"]}}"#,
            r#"{"outcome-unknown": {"cause": "timeout", "detail": "sk-1"}}"#,
        ] {
            let error = cleaned(settings, "{}", answer).1.unwrap_err();

            let told = serde_json::to_string(&error).unwrap();
            assert!(told.contains("[redacted]") && !told.contains("sk-1"), "{told}");
        }
    }

    #[test]
    fn what_can_not_be_read_does_not_pass() {
        let (passed, answer) = cleaned(r#"{"patterns": ["x"]}"#, "{", DONE);

        assert_eq!((passed.len(), answer.unwrap_err().kind()), (0, "refused"));
    }

    #[test]
    fn other_tools_pass_as_they_are() {
        let settings = r#"{"patterns": ["."], "tools": ["c/*"]}"#;

        assert_eq!(cleaned(settings, r#"{"a": "b"}"#, DONE).0, [r#"{"a": "b"}"#]);
    }
}
