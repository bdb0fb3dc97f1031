//! A middleware that answers a call that it has seen before, within one run, for tools that its settings call read-only.
//!
//! A call of any other tool of a connection may change what its tools answer, so it empties what is kept of that connection.
//! Only answers are kept, no errors. Equal calls that are under way together are each made; the middleware `dedupe` in front
//! of this one joins them.

mod store;

use std::cell::RefCell;

use callgate_guest::{Call, CallResult, Middleware, Next, Outcome, ToolPattern};
use serde::Deserialize;

use crate::store::{Key, Store};

/// Answers that are kept, where nothing is said.
const MAX_ENTRIES: usize = 1000;
/// Bytes that are kept, where nothing is said: a small part of a run's memory.
const MAX_BYTES: usize = 16 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    read_only: Vec<ToolPattern>,
    #[serde(default = "max_entries")]
    max_entries: usize,
    #[serde(default = "max_bytes")]
    max_bytes: usize,
}

fn max_entries() -> usize {
    MAX_ENTRIES
}

fn max_bytes() -> usize {
    MAX_BYTES
}

struct Cache {
    read_only: Vec<ToolPattern>,
    store: RefCell<Store>,
}

/// A change under way. It ends when this is dropped, also when the caller gave up.
struct Change<'c> {
    store: &'c RefCell<Store>,
    connection: String,
}

impl Middleware for Cache {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        let Settings { read_only, max_entries, max_bytes } = settings;
        Ok(Self { read_only, store: RefCell::new(Store::new(max_entries, max_bytes)) })
    }

    async fn call(&self, call: Call, next: &Next) -> CallResult {
        if !self.read_only.iter().any(|tools| tools.matches(&call)) {
            let _until_it_is_answered = Change::begin(&self.store, &call.connection);
            return next.call_tool(call).await;
        }
        // Without a canonical form there is nothing to look for; the host says what is wrong.
        let Ok(arguments) = call.canonical_arguments() else { return next.call_tool(call).await };
        let key = Key { connection: call.connection.clone(), tool: call.tool.clone(), arguments };
        if let Some(answer) = self.store.borrow().get(&key) {
            return Ok(answer);
        }
        let asked_at = self.store.borrow().changes(&key.connection);
        let answer = next.call_tool(call).await;
        if let Ok(result) = &answer
            && result.outcome == Outcome::Ok
            // An answer from before or during a change may be an old one.
            && self.store.borrow().changes(&key.connection) == asked_at
        {
            self.store.borrow_mut().keep(key, result);
        }
        answer
    }
}

impl<'c> Change<'c> {
    fn begin(store: &'c RefCell<Store>, connection: &str) -> Self {
        store.borrow_mut().change(connection);
        Self { store, connection: connection.to_owned() }
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        self.store.borrow_mut().change(&self.connection);
    }
}

callgate_guest::middleware!(impl Cache, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt, serde_json};

    use super::*;

    struct Desk {
        layer: Cache,
        script: Script,
    }

    impl Desk {
        fn new(settings: &str) -> Self {
            let layer = Cache::new(serde_json::from_str(settings).unwrap()).unwrap();
            Self { layer, script: Script::default() }
        }

        fn reading() -> Self {
            Self::new(r#"{"read_only": ["a/read*"]}"#)
        }

        /// The output of one call, which may be answered with `answer`.
        fn call(&self, tool: &str, arguments: &str, answer: &str) -> Result<String, &'static str> {
            let script = Script::default();
            script.then(answer);
            let result = self.layer.call(call(tool, arguments), &script.next()).now_or_never();
            result.unwrap().map(|result| result.output).map_err(|error| error.kind())
        }
    }

    fn call(tool: &str, arguments: &str) -> Call {
        let (connection, tool) = tool.split_once('/').unwrap();
        Call { connection: connection.into(), tool: tool.into(), arguments: arguments.into() }
    }

    #[test]
    fn the_second_equal_call_is_answered_from_the_first() {
        let desk = Desk::reading();

        let first = desk.call("a/read", r#"{"x": 1, "y": 2}"#, r#"{"output": 1}"#);
        let second = desk.call("a/read", r#"{"y":2,"x":1}"#, r#"{"output": 2}"#);
        let other = desk.call("a/read", r#"{"y":2,"x":1.0}"#, r#"{"output": 3}"#);
        let other_tool = desk.call("a/read_more", r#"{"y":2,"x":1}"#, r#"{"output": 4}"#);

        assert_eq!([first, second], [Ok("1".to_owned()), Ok("1".to_owned())]);
        assert_eq!([other, other_tool], [Ok("3".to_owned()), Ok("4".to_owned())]);
    }

    #[test]
    fn errors_are_not_kept() {
        let desk = Desk::reading();
        for (answer, heard) in [
            (r#"{"not-sent": {"cause": "timeout"}}"#, Err("not-sent")),
            (r#"{"tool-error": 7}"#, Ok("7".to_owned())),
            (r#"{"output": 8}"#, Ok("8".to_owned())),
            (r#"{"output": 9}"#, Ok("8".to_owned())),
        ] {
            assert_eq!(desk.call("a/read", "{}", answer), heard);
        }
    }

    #[test]
    fn another_tool_of_the_connection_empties_what_is_kept_of_it() {
        let desk = Desk::new(r#"{"read_only": ["*/read"]}"#);
        let read = |connection: &str, answer: &str| desk.call(connection, "{}", answer).unwrap();
        read("a/read", r#"{"output": 1}"#);
        read("b/read", r#"{"output": 1}"#);

        desk.call("a/write", "{}", r#"{"outcome-unknown": {"cause": "timeout"}}"#).unwrap_err();

        assert_eq!(read("a/read", r#"{"output": 2}"#), "2");
        assert_eq!(read("b/read", r#"{"output": 2}"#), "1");
    }

    #[test]
    fn an_answer_that_crossed_a_change_is_not_kept() {
        let desk = Desk::reading();
        let answer_read = desk.script.then_later();
        let next = desk.script.next();
        let mut reading = Box::pin(desk.layer.call(call("a/read", "{}"), &next));
        assert!(reading.as_mut().now_or_never().is_none());
        desk.call("a/write", "{}", r#"{"output": null}"#).unwrap();

        answer_read(r#"{"output": "old"}"#);

        assert_eq!(reading.now_or_never().unwrap().unwrap().output, "\"old\"");
        assert_eq!(desk.call("a/read", "{}", r#"{"output": "new"}"#).unwrap(), "\"new\"");
    }

    #[test]
    fn a_change_that_is_given_up_counts_as_one() {
        let desk = Desk::reading();
        let _never_answered = desk.script.then_later();
        let next = desk.script.next();
        let mut writing = Box::pin(desk.layer.call(call("a/write", "{}"), &next));
        assert!(writing.as_mut().now_or_never().is_none());
        desk.call("a/read", "{}", r#"{"output": 1}"#).unwrap();

        drop(writing);

        assert_eq!(desk.call("a/read", "{}", r#"{"output": 2}"#).unwrap(), "2");
    }
}
