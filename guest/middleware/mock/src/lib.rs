//! A middleware that answers from a table and refuses what is not in it. It passes nothing on, so it is the last layer of a
//! stack, and a stack that ends in it asks nothing of a host.

use std::cell::Cell;

use callgate_guest::{
    Answer, Call, CallError, CallResult, Json, Middleware, Next, RefusalReason, ToolName,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    answers: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    tool: ToolName,
    /// Any where there are none.
    arguments: Option<Json>,
    /// Any number where there is none.
    times: Option<u64>,
    answer: Answer,
    #[serde(skip)]
    used: Cell<u64>,
    /// The arguments in canonical form.
    #[serde(skip)]
    canonical: Option<String>,
}

struct Mock(Vec<Row>);

impl Middleware for Mock {
    type Settings = Settings;

    fn new(settings: Settings) -> Result<Self, String> {
        let mut rows = settings.answers;
        for row in &mut rows {
            let Some(arguments) = &row.arguments else { continue };
            let ToolName { connection, tool } = row.tool.clone();
            let call = Call { connection, tool, arguments: arguments.get().to_owned() };
            let canonical = call.canonical_arguments();
            row.canonical = Some(canonical.map_err(|error| format!("{}: {error}", row.tool))?);
        }
        Ok(Self(rows))
    }

    async fn call(&self, call: Call, _next: &Next) -> CallResult {
        let arguments = call.canonical_arguments()?;
        match self.0.iter().find(|row| row.fits(&call, &arguments)) {
            Some(row) => {
                row.used.set(row.used.get() + 1);
                row.answer.give()
            }
            None => {
                let Call { connection, tool, .. } = call;
                let detail =
                    format!("mock: no row is left for `{tool}` of `{connection}` with {arguments}");
                Err(CallError::refused(RefusalReason::Denied, detail))
            }
        }
    }
}

impl Row {
    fn fits(&self, call: &Call, arguments: &str) -> bool {
        self.tool.is_of(call)
            && self.canonical.as_ref().is_none_or(|canonical| canonical == arguments)
            && self.times.is_none_or(|times| self.used.get() < times)
    }
}

callgate_guest::middleware!(impl Mock, settings = "../settings.schema.json");

#[cfg(test)]
mod tests {
    use callgate_guest::{Script, futures::FutureExt, serde_json};

    use super::*;

    const TABLE: &str = r#"{"answers": [
        {"tool": "files/read", "arguments": {"path": "a", "n": 1}, "times": 1, "answer": {"output": "first"}},
        {"tool": "files/read", "arguments": {"path": "a", "n": 1}, "answer": {"output": "later"}},
        {"tool": "mail/send", "times": 1, "answer": {"rejected": {"code": 7, "message": "no"}}}
    ]}"#;

    fn table() -> Mock {
        Mock::new(serde_json::from_str(TABLE).unwrap()).unwrap()
    }

    fn heard(table: &Mock, name: &str, arguments: &str) -> String {
        let ToolName { connection, tool } = name.parse().unwrap();
        let call = Call { connection, tool, arguments: arguments.to_owned() };
        // A script without a line: passing anything on would panic.
        let answer = table.call(call, &Script::default().next()).now_or_never().unwrap();
        answer.map_or_else(|error| error.to_string(), |result| result.output)
    }

    #[test]
    fn the_first_row_that_fits_and_is_left_answers() {
        let table = table();
        let read = r#"{"n": 1, "path": "a"}"#;

        let answers: Vec<String> = (0..3).map(|_| heard(&table, "files/read", read)).collect();

        assert_eq!(answers, ["\"first\"", "\"later\"", "\"later\""]);
        assert_eq!(heard(&table, "mail/send", r#"{"to": "x"}"#), "rejected by the server: no (7)");
    }

    #[test]
    fn what_is_not_in_the_table_is_refused() {
        let table = table();
        heard(&table, "mail/send", "{}");

        for (tool, arguments) in [
            ("files/read", r#"{"path": "a"}"#),
            ("files/read", r#"{"path": "a", "n": 1.0}"#),
            ("files/write", "{}"),
            ("mail/send", "{}"),
        ] {
            let refusal = heard(&table, tool, arguments);

            assert!(refusal.contains("no row is left"), "{refusal}");
        }
    }
}
