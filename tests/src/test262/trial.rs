//! One test as one run of a script, by the same component, engine and sandbox as `callgate run`; and what its end says of
//! the test.

use std::{any::Any, time::Duration};

use callgate::{
    Engine, EngineOptions, Grants, Json, Run, RunLimits, RunOutcome, RunReport, Script,
    ScriptLimits, SessionPool, Workflow,
};
use tokio::time::timeout;

use super::{
    frontmatter::{Frontmatter, Negative, Phase},
    harness::Made,
};

/// The name of the script in messages.
const FILE: &str = "test.js";
/// What `doneprintHandle.js` prints at the end of an asynchronous test.
const COMPLETE: &str = "Test262:AsyncTestComplete";
const FAILURE: &str = "Test262:AsyncTestFailure:";
/// What the tests throw where an expectation isn't met. It is no `Error`.
const EXPECTATION: &str = "Test262Error";

/// What a run may take over its wall clock before it counts as hanging.
const SLACK: Duration = Duration::from_secs(30);

/// The host that is tried. One engine serves all tests.
#[derive(Debug)]
pub(super) struct Host {
    workflow: Workflow,
    /// It has no connection.
    pool: SessionPool,
}

/// What must not come of any test: the host panicked, or a run had no end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wrong(pub(super) String);

impl Host {
    /// Compiles the runner, or takes it from where the command keeps it in `cache`.
    pub(super) fn new(cache: std::path::PathBuf) -> Self {
        let mut options = EngineOptions::default();
        options.cache = Some(cache);
        let engine = Engine::with(options).unwrap();
        Self { workflow: Script::workflow(&engine).unwrap(), pool: SessionPool::new([]) }
    }

    /// Runs one. The limits are those that every run has.
    pub(super) async fn run(&self, made: Made) -> Result<RunReport, Wrong> {
        let script = Script::new(made.script, FILE, ScriptLimits::default()).unwrap();
        let input = Json::from_text(made.input.to_string()).unwrap();
        let limits = RunLimits::default();
        let patience = limits.wall_clock + SLACK;
        let run = Run::new(&self.workflow, &self.pool).limits(limits).grants(Grants::all());
        // A task of its own, so that a panic is seen.
        let running = tokio::spawn(run.script(script).start(input));
        match timeout(patience, running).await {
            Err(_elapsed) => Err(Wrong(format!("it hangs: no end after {patience:?}"))),
            Ok(Err(panic)) => {
                Err(Wrong(format!("the host panics: {}", said(panic.into_panic().as_ref()))))
            }
            Ok(Ok(report)) => Ok(report),
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no text)")
}

/// How a run ended, as far as a test asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// All of it was evaluated.
    Completed,
    /// It doesn't compile.
    NotCompiled { error: String, why: String },
    /// It threw.
    Threw { error: String, why: String },
    /// Neither.
    Other(String),
}

impl End {
    pub(super) fn of(report: &RunReport) -> Self {
        let failure = match &report.outcome {
            RunOutcome::Done(_) => return Self::Completed,
            RunOutcome::Stopped(stopped) => return Self::Other(stopped.to_string()),
            RunOutcome::Failed(failure) => failure,
            other => return Self::Other(format!("{other:?}")),
        };
        let why = format!("{}: {}", failure.kind, failure.message);
        let fault = report.script.as_ref().and_then(|script| script.fault.as_ref());
        let name = fault.map(|fault| match fault.message.strip_prefix(EXPECTATION) {
            Some(_) => EXPECTATION.to_owned(),
            None => fault.name.clone(),
        });
        match (failure.kind.as_str(), name) {
            ("syntax-error", Some(error)) => Self::NotCompiled { error, why },
            ("exception", Some(error)) => Self::Threw { error, why },
            // The suite has no opinion on these; what a test is evaluated to, and the promises that it leaves behind.
            ("unhandled-rejection" | "invalid-result", _) => Self::Completed,
            _ => Self::Other(why),
        }
    }
}

/// Whether a test passed that was run as a script, or as a module.
///
/// # Errors
///
/// A sentence of what came in place of what was wanted.
pub(super) fn judge(wants: &Frontmatter, report: &RunReport) -> Result<(), String> {
    let end = End::of(report);
    match &wants.negative {
        None if wants.has_flag("async") => judge_async(&end, report),
        None => judge_end(&end),
        Some(negative) => judge_negative(negative, &end),
    }
}

/// The same for one that was run as global code by `eval`, which throws what the compiler has to say.
pub(super) fn judge_global(wants: &Frontmatter, report: &RunReport) -> Result<(), String> {
    match (&wants.negative, End::of(report)) {
        (Some(Negative { phase: Phase::Parse, error }), End::Threw { error: thrown, .. })
            if *error == thrown =>
        {
            Ok(())
        }
        (Some(Negative { phase: Phase::Parse, .. }), end) => Err(unwanted(&end)),
        _ => judge(wants, report),
    }
}

fn judge_end(end: &End) -> Result<(), String> {
    if *end == End::Completed { Ok(()) } else { Err(unwanted(end)) }
}

fn judge_async(end: &End, report: &RunReport) -> Result<(), String> {
    let lines = || report.logs.entries.iter().map(|entry| entry.text.as_str());
    if let Some(failure) = lines().find_map(|line| line.strip_prefix(FAILURE)) {
        return Err(failure.to_owned());
    }
    judge_end(end)?;
    match lines().filter(|line| *line == COMPLETE).count() {
        1 => Ok(()),
        0 => Err("it never called $DONE".to_owned()),
        times => Err(format!("it called $DONE {times} times")),
    }
}

fn judge_negative(negative: &Negative, end: &End) -> Result<(), String> {
    let got = match (negative.phase, end) {
        (Phase::Parse, End::NotCompiled { error, .. })
        | (Phase::Runtime, End::Threw { error, .. }) => Some(error),
        _ => None,
    };
    if got == Some(&negative.error) {
        return Ok(());
    }
    Err(format!("{:?} {} was wanted: {}", negative.phase, negative.error, unwanted(end)))
}

fn unwanted(end: &End) -> String {
    match end {
        End::Completed => "it completed".to_owned(),
        End::NotCompiled { why, .. } | End::Threw { why, .. } | End::Other(why) => why.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negative(phase: Phase) -> Negative {
        Negative { phase, error: "SyntaxError".to_owned() }
    }

    #[test]
    fn an_error_has_to_come_in_its_phase_and_by_its_name() {
        let (error, why) = ("SyntaxError".to_owned(), String::new());
        let compiling = End::NotCompiled { error: error.clone(), why: why.clone() };
        let running = End::Threw { error, why: why.clone() };
        let other = End::NotCompiled { error: "TypeError".to_owned(), why };

        assert!(judge_negative(&negative(Phase::Parse), &compiling).is_ok());
        assert!(judge_negative(&negative(Phase::Runtime), &running).is_ok());
        assert!(judge_negative(&negative(Phase::Parse), &running).is_err());
        assert!(judge_negative(&negative(Phase::Runtime), &compiling).is_err());
        assert!(judge_negative(&negative(Phase::Parse), &other).is_err());
        assert!(judge_negative(&negative(Phase::Runtime), &End::Completed).is_err());
    }

    #[test]
    fn a_test_passes_by_its_end() {
        assert!(judge_end(&End::Completed).is_ok());
        assert_eq!(judge_end(&End::Other("limit".to_owned())), Err("limit".to_owned()));
    }
}
