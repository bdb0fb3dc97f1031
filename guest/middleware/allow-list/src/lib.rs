//! A middleware that refuses every call that is not on its list: exact names, names with `*`, and constraints on arguments.
//!
//! It judges what the workflow wrote. Arguments with a key that is there twice are refused, because the server might read
//! the other one.

mod constraint;

use std::collections::BTreeMap;

use callgate_guest::{
    Call, CallError, CallResult, Middleware, Next, RefusalReason, ToolPattern,
    serde_json::{self, Value},
};
use serde::Deserialize;

use crate::constraint::Constraint;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    allow: Vec<Entry>,
    #[serde(default)]
    deny: Vec<ToolPattern>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Tools(ToolPattern),
    Rule(Rule),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    tools: ToolPattern,
    /// By JSON pointer.
    #[serde(default)]
    arguments: BTreeMap<String, Constraint>,
}

struct AllowList(Settings);

impl Middleware for AllowList {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        Ok(Self(settings))
    }

    async fn call(&self, call: Call, next: &Next) -> CallResult {
        self.check(&call)?;
        next.call_tool(call).await
    }
}

impl AllowList {
    fn check(&self, call: &Call) -> Result<(), CallError> {
        if self.0.deny.iter().any(|denied| denied.matches(call)) {
            return Err(refusal(call, "is denied"));
        }
        let mut arguments = None;
        let mut nearest = "is not on the list".to_owned();
        for entry in &self.0.allow {
            let rule = match entry {
                Entry::Tools(tools) if tools.matches(call) => return Ok(()),
                Entry::Rule(rule) if rule.tools.matches(call) => rule,
                _ => continue,
            };
            // Read once, and only when somebody wants to know.
            let arguments = match &mut arguments {
                Some(read) => read,
                unread => unread.insert(read(call)?),
            };
            match rule.fault(arguments) {
                None => return Ok(()),
                Some(fault) => {
                    nearest = format!("is allowed, but not with these arguments: {fault}")
                }
            }
        }
        Err(refusal(call, &nearest))
    }
}

impl Rule {
    fn fault(&self, arguments: &Value) -> Option<String> {
        self.arguments.iter().find_map(|(place, constraint)| {
            let fault = constraint.fault(arguments.pointer(place))?;
            Some(format!("{place} {fault}"))
        })
    }
}

fn read(call: &Call) -> Result<Value, CallError> {
    let text = call.canonical_arguments()?;
    serde_json::from_str(&text).map_err(|reason| {
        CallError::refused(RefusalReason::InvalidArguments, format!("allow-list: {reason}"))
    })
}

fn refusal(call: &Call, why: &str) -> CallError {
    let detail = format!("allow-list: `{}` of `{}` {why}", call.tool, call.connection);
    CallError::refused(RefusalReason::Denied, detail)
}

callgate_guest::middleware!(impl AllowList, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt};

    use super::*;

    /// What the list says to a call: the refusal, or nothing where it passes.
    fn verdict(settings: &str, tool: &str, arguments: &str) -> Option<String> {
        let layer = AllowList::new(serde_json::from_str(settings).unwrap()).unwrap();
        let (connection, tool) = tool.split_once('/').unwrap();
        let call = Call {
            connection: connection.to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
        };
        let script = Script::default();
        script.then(r#"{"output": null}"#);
        let answer = layer.call(call.clone(), &script.next()).now_or_never().unwrap();
        let passed = if answer.is_ok() { vec![call] } else { Vec::new() };
        assert_eq!(script.calls(), passed);
        answer.err().map(|error| error.to_string())
    }

    const SETTINGS: &str = r#"{
        "allow": ["files/read_*", "*/ping",
            {"tools": "files/write_file", "arguments": {"/path": {"inside": "/tmp/out"}}},
            {"tools": "files/write_file", "arguments": {"/path": {"equals": "/log"}, "/text": {"max_length": 3}}}],
        "deny": ["files/read_secret"]
    }"#;

    #[test]
    fn what_is_on_the_list_passes_and_nothing_else() {
        for tool in ["files/read_text", "files/read_", "mail/ping"] {
            assert_eq!(verdict(SETTINGS, tool, "{}"), None, "{tool}");
        }
        for tool in ["files/Read_text", "mail/read_text", "files/write", "files/ping2", "x/y"] {
            assert!(verdict(SETTINGS, tool, "{}").unwrap().contains("not on the list"), "{tool}");
        }
        assert!(verdict(r#"{"allow": []}"#, "a/b", "{}").is_some());
    }

    #[test]
    fn what_is_denied_is_refused_whatever_allows_it() {
        assert!(verdict(SETTINGS, "files/read_secret", "{}").unwrap().contains("is denied"));
    }

    #[test]
    fn one_rule_whose_constraints_hold_is_enough() {
        let write = |arguments| verdict(SETTINGS, "files/write_file", arguments);

        assert_eq!(write(r#"{"path": "/tmp/out/a", "text": "long"}"#), None);
        assert_eq!(write(r#"{"path": "/log", "text": "abc"}"#), None);
        let fault = write(r#"{"path": "/log", "text": "abcd"}"#).unwrap();
        assert!(fault.contains("/text is longer than 3"), "{fault}");
        assert!(write(r#"{"text": "abc"}"#).unwrap().contains("/path is not there"));
        assert!(write("[]").is_some());
    }

    #[test]
    fn a_key_that_is_there_twice_does_not_get_past_a_constraint() {
        let twice = r#"{"path": "/etc/passwd", "path": "/tmp/out/a"}"#;

        assert!(verdict(SETTINGS, "files/write_file", twice).unwrap().contains("twice"));
        assert!(verdict(SETTINGS, "files/write_file", "{").unwrap().contains("refused"));
    }
}
