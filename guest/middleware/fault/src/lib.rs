//! A middleware that injects errors and wrong answers, to see what a workflow makes of them.
//!
//! A sandbox has no chance either, so faults are due by number: the same run has the same faults.

use std::cell::Cell;

use callgate_guest::{Answer, Call, CallResult, Middleware, Next, ToolPattern};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    faults: Vec<Fault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    /// Everything where there is none.
    tools: Option<Vec<ToolPattern>>,
    at: Option<Vec<u64>>,
    first: Option<u64>,
    every: Option<u64>,
    /// The call is made, and its answer thrown away.
    #[serde(default)]
    after: bool,
    answer: Answer,
    /// Calls so far that it is about.
    #[serde(skip)]
    count: Cell<u64>,
}

struct Faults(Vec<Fault>);

impl Middleware for Faults {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        if settings.faults.iter().any(|fault| fault.every == Some(0)) {
            return Err("`every` counts from 1".to_owned());
        }
        Ok(Self(settings.faults))
    }

    async fn call(&self, call: Call, next: &Next) -> CallResult {
        let mut due = None;
        // Each counts, also behind one that is due: its numbers are those of the calls, not of what others left over.
        for fault in &self.0 {
            if fault.is_due(&call) {
                due = due.or(Some(fault));
            }
        }
        let Some(fault) = due else { return next.call_tool(call).await };
        if fault.after {
            let _thrown_away = next.call_tool(call).await;
        }
        fault.answer.give()
    }
}

impl Fault {
    fn is_due(&self, call: &Call) -> bool {
        let is_about = |tools: &Vec<ToolPattern>| tools.iter().any(|tools| tools.matches(call));
        if !self.tools.as_ref().is_none_or(is_about) {
            return false;
        }
        let number = self.count.get() + 1;
        self.count.set(number);
        let is_always = self.at.is_none() && self.first.is_none() && self.every.is_none();
        is_always
            || self.at.as_ref().is_some_and(|at| at.contains(&number))
            || self.first.is_some_and(|first| number <= first)
            || self.every.is_some_and(|every| number.is_multiple_of(every))
    }
}

callgate_guest::middleware!(impl Faults, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt, serde_json};

    use super::*;

    /// What six calls of `a/x` hear, and how many were passed on.
    fn heard(settings: &str) -> (Vec<String>, usize) {
        let layer = Faults::new(serde_json::from_str(settings).unwrap()).unwrap();
        let script = Script::default();
        let answers = (0..6).map(|_| {
            script.then(r#"{"output": "fine"}"#);
            let call = Call { connection: "a".into(), tool: "x".into(), arguments: "{}".into() };
            let answer = layer.call(call, &script.next()).now_or_never().unwrap();
            answer.map_or_else(|error| error.kind().to_owned(), |result| result.output)
        });
        (answers.collect(), script.calls().len())
    }

    #[test]
    fn a_fault_comes_when_it_is_due() {
        let fault = |when: &str| {
            let settings = format!(
                r#"{{"faults": [{{"tools": ["a/x"]{when}, "answer": {{"not-sent": {{"cause": "timeout"}}}}}}]}}"#
            );
            let (heard, passed) = heard(&settings);
            let due: Vec<bool> = heard.iter().map(|answer| answer == "not-sent").collect();
            assert_eq!(passed, due.iter().filter(|due| !**due).count());
            due
        };

        assert_eq!(fault(r#", "at": [2, 5]"#), [false, true, false, false, true, false]);
        assert_eq!(fault(r#", "first": 2"#), [true, true, false, false, false, false]);
        assert_eq!(fault(r#", "every": 3"#), [false, false, true, false, false, true]);
        assert_eq!(fault(r#", "at": [1], "every": 5"#), [true, false, false, false, true, false]);
        assert_eq!(fault(""), [true; 6]);
    }

    #[test]
    fn a_call_can_happen_and_its_answer_get_lost() {
        let lost = r#"{"faults": [{"after": true, "at": [1],
            "answer": {"outcome-unknown": {"cause": "session-stopped"}}}]}"#;

        let (heard, passed) = heard(lost);

        assert_eq!(
            (heard[0].as_str(), heard[1].as_str(), passed),
            ("outcome-unknown", "\"fine\"", 6)
        );
    }

    #[test]
    fn the_first_that_is_due_is_heard_and_all_count() {
        let settings = r#"{"faults": [{"at": [1], "answer": {"output": "wrong"}},
            {"first": 2, "answer": {"tool-error": "broken"}},
            {"tools": ["b/*"], "answer": {"output": "never"}}]}"#;

        let (heard, _) = heard(settings);

        assert_eq!(heard[..3], ["\"wrong\"", "\"broken\"", "\"fine\""]);
    }
}
