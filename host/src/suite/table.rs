//! The table of one case: which calls are expected, which came, and which rows are left.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::Value;

use super::{
    difference::{Way, differences, quoted},
    form::{Case, Row, Times},
};
use crate::{
    call::{CallError, Refusal, RefusalReason, ToolCall, ToolCallResult},
    limits::SuiteLimits,
};

/// Clones share it.
#[derive(Clone)]
pub(super) struct Table(Arc<Inner>);

struct Inner {
    in_order: bool,
    rows: Vec<Row>,
    limits: SuiteLimits,
    /// Locked to look at the rows, never across an await.
    state: Mutex<State>,
}

struct State {
    /// By row, how often it was used.
    used: Vec<u64>,
    calls: u64,
    unexpected: Vec<String>,
    /// Unexpected calls that are not told.
    untold: u64,
}

impl Table {
    pub(super) fn new(case: &Case, limits: &SuiteLimits) -> Self {
        let state =
            State { used: vec![0; case.calls.len()], calls: 0, unexpected: Vec::new(), untold: 0 };
        Self(Arc::new(Inner {
            in_order: case.in_order,
            rows: case.calls.clone(),
            limits: limits.clone(),
            state: Mutex::new(state),
        }))
    }

    /// Answers a call with the first row that fits and is left. A call that was not expected is refused, and noted.
    pub(super) async fn answer(self, call: ToolCall) -> Result<ToolCallResult, CallError> {
        let row = self.find(&call)?;
        let delay = Duration::from_millis(row.delay_ms).min(self.0.limits.max_timeout);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        row.answer.give()
    }

    fn find(&self, call: &ToolCall) -> Result<&Row, CallError> {
        let arguments = super::read(&call.arguments);
        let mut state = self.state();
        state.calls += 1;
        for (index, row) in self.0.rows.iter().enumerate() {
            let is_left = match row.times {
                Times::Exactly(times) => state.used[index] < times,
                Times::Any(_) => true,
            };
            if is_left && self.fits(row, call, &arguments) {
                state.used[index] += 1;
                return Ok(row);
            }
            // In order, a row that has to be used first lets no later one be used.
            if self.0.in_order && is_left && matches!(row.times, Times::Exactly(_)) {
                break;
            }
        }
        self.note(&mut state, call, &arguments);
        let detail = "no row of the test's table expects this call".to_owned();
        Err(CallError::Refused(Refusal { reason: RefusalReason::Denied, detail }))
    }

    fn fits(&self, row: &Row, call: &ToolCall, arguments: &Value) -> bool {
        row.names() == (call.connection.as_str(), &*call.tool)
            && self.argument_differences(row, arguments).is_empty()
    }

    fn argument_differences(&self, row: &Row, arguments: &Value) -> Vec<String> {
        let limits = &self.0.limits;
        let equal = row.arguments.clone().map(Value::Object);
        let included = row.arguments_include.clone().map(Value::Object);
        let equal = equal.map(|wanted| differences(Way::Equal, &wanted, arguments, limits));
        let included =
            included.map(|wanted| differences(Way::Includes, &wanted, arguments, limits));
        equal.into_iter().chain(included).flatten().collect()
    }

    /// Notes an unexpected call, with what keeps the row of the same tool that is nearest to it from fitting.
    fn note(&self, state: &mut State, call: &ToolCall, arguments: &Value) {
        if state.unexpected.len() >= self.0.limits.max_told_calls {
            state.untold += 1;
            return;
        }
        let ToolCall { connection, tool, arguments: text } = call;
        let text = quoted(text.as_str(), &self.0.limits);
        let mut told = format!("call {} is unexpected: {connection}/{tool} {text}", state.calls);
        let of_tool = self.0.rows.iter().enumerate();
        let of_tool = of_tool.filter(|(_, row)| row.names() == (connection.as_str(), tool));
        let nearest = of_tool
            .map(|(index, row)| (index, self.argument_differences(row, arguments)))
            .min_by_key(|(index, differences)| (differences.len(), !self.is_left(state, *index)));
        match nearest {
            None => told.push_str("\n  no row is of this tool"),
            Some((index, lines)) if lines.is_empty() => {
                let why = if self.0.in_order && self.is_left(state, index) {
                    "comes later in the order"
                } else {
                    "is used up"
                };
                told.push_str(&format!("\n  row {} would fit and {why}", index + 1));
            }
            Some((index, lines)) => {
                told.push_str(&format!("\n  the nearest is row {}:\n    ", index + 1));
                told.push_str(&lines.join("\n    "));
            }
        }
        state.unexpected.push(told);
    }

    fn is_left(&self, state: &State, index: usize) -> bool {
        match self.0.rows[index].times {
            Times::Exactly(times) => state.used[index] < times,
            Times::Any(_) => true,
        }
    }

    /// What was not as the table says.
    pub(super) fn problems(&self) -> Vec<String> {
        let state = self.state();
        let mut problems = state.unexpected.clone();
        if state.untold > 0 {
            problems.push(format!("{} more calls are unexpected", state.untold));
        }
        for (index, row) in self.0.rows.iter().enumerate() {
            let Times::Exactly(times) = row.times else { continue };
            let used = state.used[index];
            if used < times {
                let arguments = row.arguments.as_ref().or(row.arguments_include.as_ref());
                let arguments = arguments.map(|it| Value::Object(it.clone()).to_string());
                let arguments = arguments.map(|it| format!(" {}", quoted(&it, &self.0.limits)));
                let arguments = arguments.unwrap_or_default();
                let of =
                    if times == 1 { String::new() } else { format!(" ({used} of {times} times)") };
                let row_number = index + 1;
                let tool = &row.tool;
                problems.push(format!("row {row_number} is unused{of}: {tool}{arguments}"));
            }
        }
        problems
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use serde_json::json;

    use super::*;
    use crate::call::Json;

    fn table(rows: Value, in_order: bool) -> Table {
        let case =
            json!({"name": "x", "calls": rows, "in_order": in_order, "expect": {"output": 1}});
        Table::new(&serde_json::from_value(case).unwrap(), &SuiteLimits::default())
    }

    fn heard(table: &Table, tool: &str, arguments: Value) -> Option<Value> {
        let call = ToolCall {
            connection: "files".into(),
            tool: tool.into(),
            arguments: Json::from_value(&arguments),
        };
        let answer = table.clone().answer(call).now_or_never().unwrap();
        answer.ok().map(|result| serde_json::from_str(result.output.as_str()).unwrap())
    }

    #[test]
    fn a_row_is_used_as_often_as_it_says() {
        let table = table(
            json!([{"tool": "files/read", "arguments": {"n": 1}, "times": 2, "answer": {"output": "a"}},
                {"tool": "files/read", "answer": {"output": "b"}},
                {"tool": "files/list", "times": "any", "answer": {"output": "c"}}]),
            false,
        );

        assert_eq!(heard(&table, "read", json!({"n": 2})), Some(json!("b")));
        assert_eq!(heard(&table, "read", json!({"n": 1})), Some(json!("a")));
        assert_eq!(table.problems(), ["row 1 is unused (1 of 2 times): files/read {\"n\":1}"]);
        assert_eq!(heard(&table, "read", json!({"n": 1})), Some(json!("a")));
        assert_eq!(table.problems(), Vec::<String>::new());
    }

    #[test]
    fn an_unexpected_call_is_told_beside_the_nearest_row() {
        let table = table(
            json!([{"tool": "files/read", "arguments": {"path": "a", "n": 1}, "answer": {"output": 1}},
                {"tool": "files/read", "arguments": {"path": "b", "n": 1}, "answer": {"output": 2}}]),
            false,
        );

        heard(&table, "read", json!({"path": "b", "n": 2}));
        heard(&table, "read", json!({"path": "b", "n": 1}));
        heard(&table, "read", json!({"path": "b", "n": 1}));
        heard(&table, "write", json!({}));

        let problems = table.problems();
        assert!(problems[0].contains("nearest is row 2"), "{problems:?}");
        assert!(problems[0].contains("/n: expected 1, got 2"), "{problems:?}");
        assert!(problems[1].contains("row 2 would fit and is used up"), "{problems:?}");
        assert!(problems[2].contains("no row is of this tool"), "{problems:?}");
        assert!(problems[3].starts_with("row 1 is unused"), "{problems:?}");
    }

    #[test]
    fn in_order_means_in_order() {
        let rows = json!([{"tool": "files/a", "answer": {"output": 1}},
            {"tool": "files/x", "times": "any", "answer": {"output": 9}},
            {"tool": "files/b", "answer": {"output": 2}}]);
        let ordered = table(rows.clone(), true);

        assert_eq!(heard(&ordered, "b", json!({})), None);
        assert_eq!(heard(&ordered, "a", json!({})), Some(json!(1)));
        assert_eq!(heard(&ordered, "b", json!({})), Some(json!(2)));

        let problems = ordered.problems();
        assert!(problems[0].contains("comes later in the order"), "{problems:?}");
        assert_eq!(heard(&table(rows, false), "b", json!({})), Some(json!(2)));
    }

    #[test]
    fn what_is_told_is_bounded() {
        let table = table(json!([]), false);

        for number in 0..1000 {
            heard(&table, "read", json!({"text": "x".repeat(1000), "n": number}));
        }

        let problems = table.problems();
        assert_eq!(problems.len(), 11);
        assert_eq!(problems[10], "990 more calls are unexpected");
        assert!(problems[0].len() < 1000);
    }
}
