//! Suites: workflows against tables of expected calls and their answers, without a server and without a network.
//!
//! A case passes when every call was expected, every row was used, and the run ended as the case says.

mod difference;
mod form;
mod table;
mod telling;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use futures::FutureExt;
use serde_json::Value;

use self::{
    difference::{Way, differences},
    form::{Expected, Form, Row},
    table::Table,
};
use crate::{
    call::Json,
    component::Workflow,
    grants::Grants,
    jsonc::{self, Document},
    limits::{CompositionLimits, RunLimits, SuiteLimits},
    pool::SessionPool,
    run::{Run, RunOutcome, RunReport, Stopped},
    schema,
    script::{Script, ToolNames},
};

/// The JSON Schema of a suite, which editors can use as well.
const SCHEMA: &str = include_str!("suite/suite.schema.json");

/// A suite that was read and checked.
#[derive(Debug)]
pub struct Suite {
    path: PathBuf,
    form: Form,
    limits: SuiteLimits,
}

/// What a suite says of one layer.
#[derive(Clone, Debug)]
pub struct SuiteLayer {
    /// A name of the library, or the path of a component.
    pub middleware: String,
    /// Its settings, where there are any.
    pub settings: Option<Value>,
}

/// Why a suite can't be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// The file can't be read.
    #[error("{}: {detail}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// It isn't JSON, or not a suite. Each fault is a line.
    #[error("{}", faults.join("\n  "))]
    Wrong {
        /// Place and detail of each.
        faults: Vec<String>,
    },
}

/// How one case ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CaseReport {
    /// Its name.
    pub name: String,
    /// How long it took.
    pub duration: Duration,
    /// What was not as expected; empty for a case that passed. One of several lines has its details indented.
    pub problems: Vec<String>,
    /// The last lines that the run wrote to its logs, each behind the name of the log, and what of them is missing. Empty for a
    /// case that passed. They are untrusted text.
    pub logs: Vec<String>,
}

impl Suite {
    /// Reads a suite.
    ///
    /// # Errors
    ///
    /// When it can't be read, or isn't one; the message says where.
    pub fn load(path: &Path, limits: SuiteLimits) -> Result<Self, SuiteError> {
        let text = jsonc::read_file(path, limits.max_file_bytes)
            .map_err(|detail| SuiteError::Unreadable { path: path.to_owned(), detail })?;
        let origin = path.display();
        let wrong = |fault: String| SuiteError::Wrong { faults: vec![fault] };
        let document =
            Document::parse(&text).map_err(|error| wrong(format!("{origin}:{error}")))?;
        let schema = serde_json::from_str(SCHEMA).expect("it is compiled in and tested");
        let faults = schema::faults(&schema, &document, &CompositionLimits::default())
            .expect("it is a schema, and tested");
        let faults: Vec<String> = faults
            .into_iter()
            .map(|schema::Fault { place, pointer, detail }| {
                let pointer = if pointer.is_empty() { "the whole" } else { &pointer };
                format!("{origin}:{place}: {pointer}: {detail}")
            })
            .collect();
        if !faults.is_empty() {
            return Err(SuiteError::Wrong { faults });
        }
        let form: Form = serde_json::from_value(document.value().clone())
            .map_err(|error| wrong(format!("{origin}: {error}")))?;
        Ok(Self { path: path.to_owned(), form, limits })
    }

    /// Where it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The component, or the script, that it tests. A relative path starts at the suite.
    pub fn workflow(&self) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(&self.form.workflow)
    }

    /// The layers in front of the table, the first nearest to the workflow.
    pub fn layers(&self) -> Vec<SuiteLayer> {
        self.form.with.iter().map(form::Layer::to_suite_layer).collect()
    }

    /// The names of its cases.
    pub fn cases(&self) -> impl Iterator<Item = &str> {
        self.form.cases.iter().map(|case| case.name.as_str())
    }

    /// Runs the case with this index.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub async fn run(&self, case: usize, workflow: &Workflow) -> CaseReport {
        self.carry_out(case, |pool| Run::new(workflow, pool)).await
    }

    /// Runs the case with this index on a script. The workflow has to be [`Script::workflow`], or that one behind layers.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub async fn run_script(
        &self,
        case: usize,
        workflow: &Workflow,
        script: impl Into<Arc<Script>>,
    ) -> CaseReport {
        let rows = self.form.cases[case].calls.iter();
        let names = ToolNames::of(rows.map(Row::names));
        let run = |pool: &SessionPool| Run::new(workflow, pool).script(script).tool_names(names);
        self.carry_out(case, run).await
    }

    async fn carry_out(&self, case: usize, run: impl FnOnce(&SessionPool) -> Run) -> CaseReport {
        let case = &self.form.cases[case];
        let table = Table::new(case, &self.limits);
        let answering = table.clone();
        let pool = SessionPool::answered_by(move |call| answering.clone().answer(call).boxed());
        let asked = case.timeout_ms.map(Duration::from_millis);
        let limits = RunLimits {
            wall_clock: asked.unwrap_or(self.limits.case_timeout).min(self.limits.max_timeout),
            ..RunLimits::default()
        };
        let run = run(&pool).limits(limits).grants(Grants::all());
        let run = run.world(case.world.or(&self.form.world));
        let report = run.start(Json::from_value(&case.input)).await;
        let mut problems = table.problems();
        problems.extend(self.problem(&case.expect, &report));
        let logs = match problems.is_empty() {
            true => Vec::new(),
            false => telling::logs(&report.logs, &self.limits),
        };
        CaseReport { name: case.name.clone(), duration: report.duration, problems, logs }
    }

    /// What is wrong with the end of a run, and where in the script it ended.
    fn problem(&self, expected: &Expected, report: &RunReport) -> Option<String> {
        let mut problem = self.difference(expected, &report.outcome)?;
        let fault = report.script.as_ref().and_then(|script| script.fault.as_ref());
        for line in fault.map(|fault| telling::fault(fault, &self.limits)).unwrap_or_default() {
            problem.push_str("\n  ");
            problem.push_str(&line);
        }
        Some(problem)
    }

    fn difference(&self, expected: &Expected, outcome: &RunOutcome) -> Option<String> {
        let limits = &self.limits;
        let (way, wanted, got) = match (expected, outcome) {
            (Expected::Output(wanted), RunOutcome::Done(output)) => {
                (Way::Equal, wanted.clone(), read(output))
            }
            (Expected::OutputIncludes(wanted), RunOutcome::Done(output)) => {
                (Way::Includes, wanted.clone(), read(output))
            }
            (Expected::Failure(wanted), RunOutcome::Failed(failure)) => {
                let details = failure.details.as_deref().map(|details| {
                    serde_json::from_str(details).unwrap_or_else(|_| Value::from(details))
                });
                let got = serde_json::json!({
                    "kind": failure.kind, "message": failure.message, "details": details
                });
                (Way::Includes, wanted.clone(), got)
            }
            (Expected::Stopped(wanted), RunOutcome::Stopped(stopped)) => {
                let got = kind_of(stopped);
                (Way::Equal, wanted.clone().into(), got.into())
            }
            (expected, outcome) => {
                let got = telling::outcome(outcome, limits);
                return Some(format!("the run should end with {}, and {got}", expected.kind()));
            }
        };
        let lines = differences(way, &wanted, &got, limits);
        let what = expected.kind();
        (!lines.is_empty()).then(|| format!("{what} differs:\n  {}", lines.join("\n  ")))
    }
}

/// A result is JSON, but it may hold a number that no `f64` holds.
fn read(output: &Json) -> Value {
    serde_json::from_str(output.as_str()).unwrap_or_else(|_| Value::from(output.as_str()))
}

fn kind_of(stopped: &Stopped) -> &'static str {
    match stopped {
        Stopped::Limit(_) => "limit",
        Stopped::InvalidResult(_) => "invalid-result",
        Stopped::Trap(_) => "trap",
        #[allow(unreachable_patterns, reason = "kinds that a table can't bring about")]
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Suite, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite.jsonc");
        std::fs::write(&path, text).unwrap();
        Suite::load(&path, SuiteLimits::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_suite_that_is_none_says_where() {
        let case = r#""name": "x", "expect": {"output": 1}"#;
        for (text, words) in [
            ("{", ["suite.jsonc:1:", "suite.jsonc"]),
            (r#"{"workflow": "a.wasm"}"#, ["the whole", "cases"]),
            (
                &format!("{{\"workflow\": \"a\",\n\"cases\": [{{{case}, \"clals\": []}}]}}"),
                ["suite.jsonc:2:11: /cases/0", "clals"],
            ),
            (
                &format!(
                    r#"{{"workflow": "a", "cases": [{{{case}, "calls": [{{"tool": "x"}}]}}]}}"#
                ),
                ["/cases/0/calls/0", "answer"],
            ),
            (
                r#"{"workflow": "a", "cases": [{"name": "x", "expect": {}}]}"#,
                ["/expect", "propert"],
            ),
        ] {
            let error = load(text).unwrap_err();

            for word in words {
                assert!(error.contains(word), "no {word:?} in {error}");
            }
        }
    }

    #[test]
    fn the_schema_lets_every_answer_and_end_through() {
        let suite = load(
            r#"{"workflow": "a.wasm", "with": ["retry", {"middleware": "./b.wasm", "settings": [1]}],
            "cases": [
                {"name": "one", "input": {}, "in_order": true, "timeout_ms": 5, "expect": {"output": null},
                 "calls": [
                    {"tool": "a/b", "answer": {"output": 1}, "times": "any"},
                    {"tool": "a/b", "arguments": {}, "answer": {"tool-error": 1}, "times": 2},
                    {"tool": "a/b", "arguments_include": {"a": 1}, "delay_ms": 7,
                     "answer": {"refused": {"reason": "denied", "detail": "x"}}},
                    {"tool": "a/b", "answer": {"not-sent": {"cause": "timeout"}}},
                    {"tool": "a/b", "answer": {"rejected": {"code": 1, "message": "x", "data": 1}}},
                    {"tool": "a/b", "answer": {"outcome-unknown": {"cause": "internal", "detail": "x"}}}]},
                {"name": "two", "expect": {"output_includes": {}}},
                {"name": "three", "expect": {"failure": {"kind": "x"}}},
                {"name": "four", "expect": {"stopped": "trap"}}]}"#,
        )
        .unwrap();

        assert_eq!(suite.cases().collect::<Vec<_>>(), ["one", "two", "three", "four"]);
        assert_eq!(suite.layers()[1].settings, Some(serde_json::json!([1])));
        assert!(suite.workflow().ends_with("a.wasm") && suite.workflow() != Path::new("a.wasm"));
    }
}
