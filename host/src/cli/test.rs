//! `callgate test`: workflows against tables of expected calls and answers, without a server.

mod junit;

use std::{
    collections::HashMap,
    fmt::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;

use super::{Done, cache, exit::Exit, output, wasi, with};
use crate::{
    component::{Workflow, WorkflowError},
    compose::{SettingsText, Stack},
    engine::{Engine, EngineOptions, WasiPolicy},
    limits::{CompositionLimits, ScriptLimits, SuiteLimits},
    script::Script,
    shutdown::unless_interrupted,
    suite::{CaseReport, Suite},
};

/// Run a workflow against tables of expected calls and answers
///
/// No server is started and no network is used. A case fails when a call comes that no row expects, when a row is left, and
/// when the run ends otherwise than the case says. Exits with 1 when a case failed and with 2 when a suite can't be used.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The suites: JSON with comments, see docs/testing.md
    #[arg(value_name = "SUITE", required = true)]
    suites: Vec<PathBuf>,
    /// Run only the cases whose name has this in it
    #[arg(long, value_name = "TEXT")]
    case: Option<String>,
    /// The component or script, in place of the one that the suites name
    #[arg(long, value_name = "FLOW")]
    workflow: Option<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    wasi: wasi::Policy,
    #[command(flatten)]
    library: with::LibraryFolder,
    #[command(flatten)]
    cache: cache::Arguments,
}

/// A suite that was read, and what it tests.
struct Subject {
    suite: Suite,
    workflow: Workflow,
    /// There when the workflow is the one that runs scripts.
    script: Option<Arc<Script>>,
}

/// What was compiled, by the bytes of the component: suites of scripts have one in common.
struct Compiled {
    engine: Engine,
    workflows: HashMap<Vec<u8>, Workflow>,
}

/// What came of one suite.
struct SuiteReport {
    name: String,
    cases: Vec<CaseReport>,
}

pub(super) async fn test(arguments: Arguments) -> Done {
    let wasi = arguments.wasi.or(WasiPolicy::default());
    let cache = arguments.cache.folder();
    let options = EngineOptions { wasi, cache, ..EngineOptions::default() };
    let mut compiled = Compiled { engine: Engine::with(options)?, workflows: HashMap::new() };
    // All of them first: a suite that can't be used is told before anything is run.
    let mut subjects = Vec::new();
    for path in &arguments.suites {
        let suite = Suite::load(path, SuiteLimits::default())?;
        subjects.push(arguments.subject(suite, &mut compiled)?);
    }
    let reports = unless_interrupted(arguments.run(&subjects)).await?;
    let cases = reports.iter().flat_map(|report| &report.cases);
    let (total, failed) = cases.fold((0, 0), |(total, failed), case| {
        (total + 1, failed + u32::from(!case.problems.is_empty()))
    });
    output::result(&told(&reports, total, failed)).context("can't write the results to stdout")?;
    if let Some(path) = &arguments.junit {
        std::fs::write(path, junit::report(&reports))
            .with_context(|| format!("can't write {}", path.display()))?;
    }
    if total == 0 {
        let wanted = arguments.case.unwrap_or_default();
        return Err(anyhow::anyhow!("no case has {wanted:?} in its name").into());
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::OwnFailure })
}

impl Arguments {
    fn subject(&self, suite: Suite, compiled: &mut Compiled) -> anyhow::Result<Subject> {
        let limits = CompositionLimits::default();
        let path = self.workflow.clone().unwrap_or_else(|| suite.workflow());
        let cannot = || format!("{}: {}", suite.path().display(), path.display());
        let (bytes, script) = if Script::is_named(&path) {
            let script = Script::from_file(&path, ScriptLimits::default()).with_context(cannot)?;
            (Script::runner().to_vec(), Some(Arc::new(script)))
        } else {
            (std::fs::read(&path).with_context(cannot)?, None)
        };
        let base = suite.path().parent().unwrap_or(Path::new(""));
        let mut layers = Vec::new();
        for layer in suite.layers() {
            let origin = format!("{}, with {}", suite.path().display(), layer.middleware);
            let settings = layer.settings.map(|value| SettingsText::from_value(origin, &value));
            layers.push(self.library.layer(&layer.middleware, settings, base, &limits)?);
        }
        let component = Stack::new(bytes, layers, &limits).with_context(cannot)?;
        let component = component.compose().with_context(cannot)?;
        let workflow = compiled.workflow(component).with_context(cannot)?;
        Ok(Subject { suite, workflow, script })
    }

    /// One case after the other, so that a table means the same on every machine.
    async fn run(&self, subjects: &[Subject]) -> Vec<SuiteReport> {
        let mut reports = Vec::new();
        for subject in subjects {
            let suite = &subject.suite;
            let mut cases = Vec::new();
            for (index, name) in suite.cases().enumerate() {
                if self.case.as_ref().is_none_or(|wanted| name.contains(wanted)) {
                    cases.push(subject.run(index).await);
                }
            }
            reports.push(SuiteReport { name: suite.path().display().to_string(), cases });
        }
        reports
    }
}

impl Subject {
    async fn run(&self, case: usize) -> CaseReport {
        match &self.script {
            Some(script) => self.suite.run_script(case, &self.workflow, script.clone()).await,
            None => self.suite.run(case, &self.workflow).await,
        }
    }
}

impl Compiled {
    fn workflow(&mut self, component: Vec<u8>) -> Result<Workflow, WorkflowError> {
        if let Some(workflow) = self.workflows.get(&component) {
            return Ok(workflow.clone());
        }
        let workflow = Workflow::from_bytes(&self.engine, &component)?;
        self.workflows.insert(component, workflow.clone());
        Ok(workflow)
    }
}

fn told(reports: &[SuiteReport], total: u32, failed: u32) -> String {
    let mut text = String::new();
    for report in reports {
        let _a_string_takes_everything = writeln!(text, "{}", report.name);
        for case in &report.cases {
            let end = if case.problems.is_empty() { "ok  " } else { "FAIL" };
            let milliseconds = case.duration.as_millis();
            let name = output::clean(&case.name);
            let _a_string_takes_everything = writeln!(text, "  {end}  {name} ({milliseconds} ms)");
            let heading = (!case.logs.is_empty()).then_some("what it wrote to its logs:");
            let lines = case.problems.iter().flat_map(|problem| problem.lines()).map(str::to_owned);
            let logs = case.logs.iter().map(|line| format!("  {line}"));
            for line in lines.chain(heading.map(str::to_owned)).chain(logs) {
                let _a_string_takes_everything = writeln!(text, "        {}", output::clean(&line));
            }
        }
    }
    let _a_string_takes_everything = write!(text, "{total} cases, {failed} failed");
    text
}
