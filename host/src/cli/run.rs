//! `callgate run`: one run of one workflow.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use serde::Serialize;

use super::{
    Done, cache,
    connections::{self, ForWorkflow},
    exit::{Exit, Failed},
    grants, input, limits, output, progress, script, types, wasi, with,
};
use crate::{
    call::{Cause, Json},
    engine::{Engine, EngineOptions, WasiPolicy},
    gate::Entry,
    limits::{LimitSettings, RunLimits, ScriptLimits},
    pool::OnSessionLoss,
    run::{Run, RunLogs, RunOutcome, RunReport, WorkflowFailure},
    script::{ScriptReport, ToolNames},
    shutdown::unless_interrupted,
};

/// Run a workflow and print its result as JSON
///
/// Stdout carries the workflow's JSON result and nothing else. Progress goes to stderr, as one live line when that is a
/// terminal. A run that fails prints what it says of itself to stderr. What a script writes with `console` goes to stderr when the
/// run is over.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The workflow: a WebAssembly component of the world callgate:mcp/workflow, or a script (.js, .mjs, .ts, .mts)
    #[arg(value_name = "FLOW")]
    workflow: PathBuf,
    /// The workflow's input, a script's `args`: JSON, @FILE, or - for stdin
    #[arg(long, short, value_name = "JSON", default_value = "null")]
    input: String,
    /// Write what happened as JSON: the outcome, and every call with its times
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// What happens when a server loses the session that the run used [default: what the configuration says]
    #[arg(long, value_name = "WHAT", value_enum)]
    on_session_loss: Option<OnLoss>,
    /// Type-check the script with `tsc` against the servers' tools before it runs; opens all connections
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    cache: cache::Arguments,
    #[command(flatten)]
    with: with::Arguments,
    #[command(flatten)]
    grants: grants::Arguments,
    #[command(flatten)]
    connections: connections::Arguments,
    #[command(flatten)]
    wasi: wasi::Arguments,
    #[command(flatten)]
    limits: limits::Arguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum OnLoss {
    /// Stop the run before its next call of that server
    Fail,
    /// Go on, and list the loss in the report
    Continue,
}

impl From<OnLoss> for OnSessionLoss {
    fn from(on_loss: OnLoss) -> Self {
        match on_loss {
            OnLoss::Fail => Self::Fail,
            OnLoss::Continue => Self::Continue,
        }
    }
}

impl Arguments {
    /// An engine for this one run.
    fn engine(&self, limits: &LimitSettings, wasi: WasiPolicy) -> anyhow::Result<Engine> {
        let mut options = EngineOptions::default();
        options.wasi = wasi;
        options.limits = limits.on_engine(options.limits);
        options.counts_fuel = limits.fuel.is_some();
        options.cache = self.cache.folder();
        Ok(Engine::with(options)?)
    }
}

pub(super) async fn run(arguments: Arguments) -> Done {
    let input = input::json(&arguments.input)?;
    let script = script::of(&arguments.workflow)?;
    if arguments.check && script.is_none() {
        return Err(Failed::usage(anyhow::anyhow!(
            "--check is for scripts: {} is none by its name",
            arguments.workflow.display()
        )));
    }
    let ForWorkflow { pool, required, enabled, workflow: configured } =
        arguments.connections.for_workflow(&arguments.workflow)?;
    let grants = arguments.grants.grants(configured.grants)?;
    let limits = arguments.limits.settings().or(&configured.limits);
    let engine = arguments.engine(&limits, arguments.wasi.policy(configured.wasi))?;
    let workflow = match &script {
        Some(_) => arguments.with.script_workflow(&engine),
        None => arguments.with.workflow(&engine, &arguments.workflow),
    };
    let workflow =
        workflow.with_context(|| format!("{} can't be run", arguments.workflow.display()))?;

    let opened = async {
        connections::open_required(&pool, &required).await?;
        grants::check(&grants, &pool).await?;
        if arguments.check {
            types::check_with(&pool, &enabled, &arguments.workflow).await?;
        }
        Ok::<(), Failed>(())
    };
    let opened = unless_interrupted(opened).await;
    if !matches!(opened, Ok(Ok(()))) {
        pool.close().await;
        opened??;
    }

    let limits = limits.on_run(RunLimits::default());
    let grants = Arc::new(grants);
    let mut run = Run::new(&workflow, &pool)
        .limits(limits)
        .grants(grants.clone())
        .world(arguments.wasi.world());
    if let Some(on_loss) = arguments.on_session_loss {
        run = run.on_session_loss(on_loss.into());
    }
    if let Some(script) = script {
        let names = ToolNames::known(&pool, &grants, &ScriptLimits::default());
        run = run.script(script).tool_names(names);
    }
    let progress = run.progress();
    let report = unless_interrupted(progress::shown(progress, run.start(input))).await;
    pool.close().await;

    let report = report?;
    if let Some(path) = &arguments.report {
        write_report(path, &report)?;
    }
    show_logs(&report.logs);
    grants::explain(&report.calls);
    conclude(&report)
}

fn conclude(report: &RunReport) -> Done {
    match &report.outcome {
        RunOutcome::Done(output) => {
            output::result(output.as_str()).context("can't write the result to stdout")?;
            Ok(Exit::Done)
        }
        RunOutcome::Failed(failure) => {
            complain(failure, report.script.as_ref());
            match report.calls.iter().find(|call| call.cause == Some(Cause::ConnectFailed)) {
                Some(call) => {
                    explain_connection(call);
                    Ok(Exit::NoConnection)
                }
                None => Ok(Exit::OwnFailure),
            }
        }
        RunOutcome::Stopped(stopped) => {
            output::complain(&format!("the run was stopped: {stopped}"));
            Ok(Exit::Stopped)
        }
    }
}

/// What the run wrote, line by line, and what of it is missing.
fn show_logs(logs: &RunLogs) {
    for entry in &logs.entries {
        let stream = entry.to.to_string();
        entry.text.lines().for_each(|line| output::logged(&stream, line));
    }
    if let Some(cut) = &logs.cut {
        output::warn(&cut.to_string());
    }
    if logs.are_lost {
        output::warn("what the run wrote to its logs is lost with the sandbox that it was in");
    }
}

fn complain(failure: &WorkflowFailure, script: Option<&ScriptReport>) {
    if let Some(fault) = script.and_then(|script| script.fault.as_ref()) {
        return script::complain(failure, fault);
    }
    let message = output::set_in(&failure.message);
    output::complain(&format!("the workflow failed: {}: {message}", output::set_in(&failure.kind)));
    if let Some(details) = &failure.details {
        output::complain(&format!("details: {}", output::set_in(details)));
    }
}

fn explain_connection(call: &Entry) {
    let detail = call.detail.as_deref().unwrap_or("no detail");
    output::complain(&format!("connection {} could not be opened: {detail}", call.connection));
}

/// The report with the result in it, as one JSON object.
fn write_report(path: &PathBuf, report: &RunReport) -> anyhow::Result<()> {
    let json = Json::from_value(&Versioned { version: 1, report });
    std::fs::write(path, json.as_str())
        .with_context(|| format!("can't write the report to {}", path.display()))
}

#[derive(Serialize)]
struct Versioned<'r> {
    version: u32,
    #[serde(flatten)]
    report: &'r RunReport,
}
