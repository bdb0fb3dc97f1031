//! `callgate run`: one run of one workflow.

use std::{path::PathBuf, time::Duration};

use anyhow::Context;
use serde::Serialize;

use super::{
    Done,
    connections::{self, ForWorkflow},
    exit::Exit,
    grants, input, output, progress, units, with,
};
use crate::{
    call::{Cause, Json},
    engine::Engine,
    gate::Entry,
    limits::RunLimits,
    pool::OnSessionLoss,
    run::{Run, RunOutcome, RunReport},
    shutdown::unless_interrupted,
};

/// Run a workflow and print its result as JSON
///
/// Stdout carries the workflow's JSON result and nothing else. Progress goes to stderr, as one live line when that is a
/// terminal. A run that fails prints what it says of itself to stderr.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The workflow: a WebAssembly component of the world callgate:mcp/workflow
    #[arg(value_name = "FLOW.wasm")]
    workflow: PathBuf,
    /// The workflow's input: JSON, @FILE, or - for stdin
    #[arg(long, short, value_name = "JSON", default_value = "null")]
    input: String,
    /// Write what happened as JSON: the outcome, and every call with its times
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Wall clock of the whole run [default: 300s]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    timeout: Option<Duration>,
    /// Memory of the run [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_memory: Option<usize>,
    /// Elements of the run's tables [default: 100000]
    #[arg(long, value_name = "N")]
    max_table_elements: Option<usize>,
    /// Tool calls of the run [default: 10000]
    #[arg(long, value_name = "N")]
    max_calls: Option<u64>,
    /// Size of the result [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_output: Option<usize>,
    /// What happens when a server loses the session that the run used [default: what the configuration says]
    #[arg(long, value_name = "WHAT", value_enum)]
    on_session_loss: Option<OnLoss>,
    #[command(flatten)]
    with: with::Arguments,
    #[command(flatten)]
    grants: grants::Arguments,
    #[command(flatten)]
    connections: connections::Arguments,
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
    fn limits(&self) -> RunLimits {
        let mut limits = RunLimits::default();
        let set = |field: &mut usize, value: Option<usize>| *field = value.unwrap_or(*field);
        set(&mut limits.max_memory_bytes, self.max_memory);
        set(&mut limits.max_table_elements, self.max_table_elements);
        set(&mut limits.max_output_bytes, self.max_output);
        limits.wall_clock = self.timeout.unwrap_or(limits.wall_clock);
        limits.max_calls = self.max_calls.unwrap_or(limits.max_calls);
        limits
    }
}

pub(super) async fn run(arguments: Arguments) -> Done {
    let input = input::json(&arguments.input)?;
    let ForWorkflow { pool, required, workflow: configured } =
        arguments.connections.for_workflow(&arguments.workflow)?;
    let grants = arguments.grants.grants(configured.grants)?;
    let engine = Engine::new()?;
    let workflow = arguments
        .with
        .workflow(&engine, &arguments.workflow)
        .with_context(|| format!("{} can't be run", arguments.workflow.display()))?;

    let opened = async {
        connections::open_required(&pool, &required).await?;
        grants::check(&grants, &pool).await
    };
    let opened = unless_interrupted(opened).await;
    if !matches!(opened, Ok(Ok(()))) {
        pool.close().await;
        opened??;
    }

    let mut run = Run::new(&workflow, &pool).limits(arguments.limits()).grants(grants);
    if let Some(on_loss) = arguments.on_session_loss {
        run = run.on_session_loss(on_loss.into());
    }
    let progress = run.progress();
    let report = unless_interrupted(progress::shown(progress, run.start(input))).await;
    pool.close().await;

    let report = report?;
    if let Some(path) = &arguments.report {
        write_report(path, &report)?;
    }
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
            output::complain(&format!(
                "the workflow failed: {}: {}",
                failure.kind, failure.message
            ));
            if let Some(details) = &failure.details {
                output::complain(&format!("details: {details}"));
            }
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
