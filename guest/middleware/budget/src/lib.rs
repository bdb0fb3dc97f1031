//! A middleware that bounds calls and bytes, of a run or of some tools.
//!
//! A call has to fit into every budget that is about it, and counts from the moment it is passed on. The bytes of an answer
//! are known when it comes: the one that goes over a budget still arrives, and the next call is refused.

use std::cell::Cell;

use callgate_guest::{
    Body, Call, CallError, CallResult, Content, Middleware, Next, RefusalReason, ToolCallResult,
    ToolPattern,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    budgets: Vec<Budget>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    /// Everything where there is none.
    tools: Option<Vec<ToolPattern>>,
    max_calls: Option<u64>,
    max_argument_bytes: Option<u64>,
    max_output_bytes: Option<u64>,
    #[serde(skip)]
    used: Used,
}

#[derive(Default)]
struct Used {
    calls: Cell<u64>,
    argument_bytes: Cell<u64>,
    output_bytes: Cell<u64>,
}

struct Budgets(Vec<Budget>);

impl Middleware for Budgets {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        Ok(Self(settings.budgets))
    }

    async fn call(&self, call: Call, next: &Next) -> CallResult {
        let bytes = call.arguments.len() as u64;
        let concerned: Vec<&Budget> = self.0.iter().filter(|it| it.is_about(&call)).collect();
        // All of them first, so that a refused call is counted nowhere.
        if let Some(used_up) = concerned.iter().find_map(|budget| budget.used_up(bytes)) {
            let detail = format!("budget: `{}` of `{}`: {used_up}", call.tool, call.connection);
            return Err(CallError::refused(RefusalReason::LimitReached, detail));
        }
        concerned.iter().for_each(|budget| budget.take(bytes));
        let answer = next.call_tool(call).await;
        if let Ok(result) = &answer {
            let bytes = bytes_of(result);
            concerned.iter().for_each(|budget| add(&budget.used.output_bytes, bytes));
        }
        answer
    }
}

impl Budget {
    fn is_about(&self, call: &Call) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.iter().any(|tools| tools.matches(call)))
    }

    /// What a call with so many bytes of arguments has no room in.
    fn used_up(&self, bytes: u64) -> Option<String> {
        let over = |max: Option<u64>, used: &Cell<u64>, more: u64| {
            max.filter(|max| used.get().saturating_add(more) > *max)
        };
        let name = |name, max: u64| format!("the budget {name} of {max} is used up");
        over(self.max_calls, &self.used.calls, 1)
            .map(|max| name("max_calls", max))
            .or_else(|| {
                over(self.max_argument_bytes, &self.used.argument_bytes, bytes)
                    .map(|max| name("max_argument_bytes", max))
            })
            .or_else(|| {
                // One byte more, because an answer has at least one.
                over(self.max_output_bytes, &self.used.output_bytes, 1)
                    .map(|max| name("max_output_bytes", max))
            })
    }

    fn take(&self, bytes: u64) {
        add(&self.used.calls, 1);
        add(&self.used.argument_bytes, bytes);
    }
}

fn add(used: &Cell<u64>, more: u64) {
    used.set(used.get().saturating_add(more));
}

/// What an answer weighs: its texts and its media.
fn bytes_of(result: &ToolCallResult) -> u64 {
    let blocks = result.content.iter().map(|block| match block {
        Content::Text(text) | Content::Other(text) => text.len(),
        Content::Image(media) | Content::Audio(media) => media.data.len(),
        Content::ResourceLink(link) => link.uri.len(),
        Content::Resource(embedded) => match &embedded.body {
            Body::Text(text) => text.len(),
            Body::Blob(bytes) => bytes.len(),
        },
    });
    let meta = result.meta.as_ref().map_or(0, String::len);
    (blocks.sum::<usize>() + result.output.len() + meta) as u64
}

callgate_guest::middleware!(impl Budgets, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt, serde_json};

    use super::*;

    /// What became of calls of the tools, each with ten bytes of arguments and five of output.
    fn spent(settings: &str, tools: &[&str]) -> Vec<Option<String>> {
        let layer = Budgets::new(serde_json::from_str(settings).unwrap()).unwrap();
        let script = Script::default();
        let calls = tools.iter().map(|tool| {
            script.then("{\"output\": 12345}");
            let call = Call {
                connection: "a".to_owned(),
                tool: (*tool).to_owned(),
                arguments: r#"{"n": 123}"#.to_owned(),
            };
            let answer = layer.call(call, &script.next()).now_or_never().unwrap();
            answer.err().map(|error| error.to_string())
        });
        calls.collect()
    }

    #[test]
    fn calls_are_counted_for_each_budget_that_is_about_them() {
        let settings = r#"{"budgets": [{"max_calls": 3}, {"tools": ["a/s*"], "max_calls": 1}]}"#;

        let ends = spent(settings, &["send", "send", "read", "read", "read"]);

        let refused: Vec<bool> = ends.iter().map(Option::is_some).collect();
        assert_eq!(refused, [false, true, false, false, true]);
        assert!(ends[1].as_ref().unwrap().contains("max_calls of 1"), "{ends:?}");
    }

    #[test]
    fn arguments_have_to_fit_and_an_answer_may_be_the_last() {
        let arguments = spent(r#"{"budgets": [{"max_argument_bytes": 25}]}"#, &["x", "x", "x"]);
        let outputs = spent(r#"{"budgets": [{"max_output_bytes": 6}]}"#, &["x", "x", "x"]);
        let exactly = spent(r#"{"budgets": [{"max_output_bytes": 5}]}"#, &["x", "x"]);

        assert!(arguments[1].is_none() && arguments[2].is_some(), "{arguments:?}");
        assert!(outputs[1].is_none() && outputs[2].is_some(), "{outputs:?}");
        assert!(exactly[0].is_none() && exactly[1].is_some(), "{exactly:?}");
    }

    #[test]
    fn a_budget_of_nothing_refuses_everything() {
        assert!(spent(r#"{"budgets": [{"max_calls": 0}]}"#, &["x"])[0].is_some());
    }
}
