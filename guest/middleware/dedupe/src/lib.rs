//! A middleware that makes one call of equal concurrent ones, and gives its answer to all of them.
//!
//! Only for tools that its settings name: two equal calls of a tool that sends mail are two mails. An error is shared as an
//! answer is. When the caller whose call was passed on gives up, one of those who wait passes on theirs.

use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use callgate_guest::{Call, CallResult, Middleware, Next, Signal, ToolPattern};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    tools: Vec<ToolPattern>,
}

/// Connection, tool and canonical arguments.
type Key = (String, String, String);

struct Dedupe {
    tools: Vec<ToolPattern>,
    under_way: RefCell<BTreeMap<Key, Rc<Flight>>>,
}

/// A call that was passed on.
#[derive(Default)]
struct Flight {
    /// Empty when it ends without one: its caller gave up.
    answer: OnceCell<CallResult>,
    has_ended: Signal,
}

/// Ends a flight, also when its caller gives up.
struct Landing<'d> {
    under_way: &'d RefCell<BTreeMap<Key, Rc<Flight>>>,
    key: Key,
    flight: Rc<Flight>,
}

impl Middleware for Dedupe {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        Ok(Self { tools: settings.tools, under_way: RefCell::default() })
    }

    async fn call(&self, call: Call, next: &Next) -> CallResult {
        if !self.tools.iter().any(|tools| tools.matches(&call)) {
            return next.call_tool(call).await;
        }
        // Without a canonical form there is nothing to compare; the host says what is wrong.
        let Ok(arguments) = call.canonical_arguments() else { return next.call_tool(call).await };
        let key = (call.connection.clone(), call.tool.clone(), arguments);
        loop {
            let under_way = self.under_way.borrow().get(&key).cloned();
            let Some(flight) = under_way else { return self.pass_on(key, call, next).await };
            flight.has_ended.wait().await;
            if let Some(answer) = flight.answer.get() {
                return answer.clone();
            }
        }
    }
}

impl Dedupe {
    async fn pass_on(&self, key: Key, call: Call, next: &Next) -> CallResult {
        let flight = Rc::new(Flight::default());
        self.under_way.borrow_mut().insert(key.clone(), flight.clone());
        let landing = Landing { under_way: &self.under_way, key, flight };
        let answer = next.call_tool(call).await;
        // Kept for others only if there are any: an answer may be large.
        if Rc::strong_count(&landing.flight) > 2 {
            landing.flight.answer.get_or_init(|| answer.clone());
        }
        drop(landing);
        answer
    }
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        // Before the others wake, so that who finds no answer doesn't find this flight again.
        self.under_way.borrow_mut().remove(&self.key);
        self.flight.has_ended.fire();
    }
}

callgate_guest::middleware!(impl Dedupe, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use callgate_guest::{Script, futures::FutureExt, serde_json};

    use super::*;

    fn layer() -> Dedupe {
        Dedupe::new(serde_json::from_str(r#"{"tools": ["a/read"]}"#).unwrap()).unwrap()
    }

    fn call(tool: &str, arguments: &str) -> Call {
        Call { connection: "a".into(), tool: tool.into(), arguments: arguments.into() }
    }

    fn is_waiting(future: &mut Pin<Box<impl Future>>) -> bool {
        future.as_mut().now_or_never().is_none()
    }

    #[test]
    fn equal_calls_that_are_under_way_share_one_answer() {
        let (layer, script) = (layer(), Script::default());
        let next = script.next();
        let answer = script.then_later();
        let mut first = Box::pin(layer.call(call("read", r#"{"a": 1, "b": 2}"#), &next));
        let mut second = Box::pin(layer.call(call("read", r#"{"b":2,"a":1}"#), &next));
        assert!(is_waiting(&mut first) && is_waiting(&mut second));

        answer(r#"{"outcome-unknown": {"cause": "timeout"}}"#);

        for end in [first.now_or_never(), second.now_or_never()] {
            assert_eq!(end.unwrap().unwrap_err().kind(), "outcome-unknown");
        }
        assert_eq!(script.calls().len(), 1);
    }

    #[test]
    fn the_next_equal_call_is_made_anew() {
        let (layer, script) = (layer(), Script::default());
        for output in ["1", "2"] {
            script.then(&format!(r#"{{"output": {output}}}"#));

            let answer = layer.call(call("read", "{}"), &script.next()).now_or_never().unwrap();

            assert_eq!(answer.unwrap().output, output);
        }
        assert!(layer.under_way.borrow().is_empty());
    }

    #[test]
    fn what_differs_or_is_not_named_is_not_shared() {
        let (layer, script) = (layer(), Script::default());
        let next = script.next();
        let calls = [
            call("read", "{}"),
            call("read", r#"{"a":1}"#),
            call("send", "{}"),
            call("send", "{}"),
        ];
        let mut waiting: Vec<_> = calls
            .into_iter()
            .map(|call| {
                let _never_answered = script.then_later();
                std::mem::forget(_never_answered);
                Box::pin(layer.call(call, &next))
            })
            .collect();

        assert!(waiting.iter_mut().all(is_waiting));

        assert_eq!(script.calls().len(), 4);
    }

    #[test]
    fn when_the_first_caller_gives_up_another_takes_over() {
        let (layer, script) = (layer(), Script::default());
        let next = script.next();
        let _never_asked_for = script.then_later();
        script.then(r#"{"output": 7}"#);
        let mut first = Box::pin(layer.call(call("read", "{}"), &next));
        let mut second = Box::pin(layer.call(call("read", "{}"), &next));
        let mut third = Box::pin(layer.call(call("read", "{}"), &next));
        assert!(is_waiting(&mut first) && is_waiting(&mut second) && is_waiting(&mut third));

        drop(first);

        assert_eq!(second.now_or_never().unwrap().unwrap().output, "7");
        // It slept through the end of the first flight, and looked only now.
        script.then(r#"{"output": 8}"#);
        assert_eq!(third.now_or_never().unwrap().unwrap().output, "8");
    }
}
