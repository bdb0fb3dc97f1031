//! How a run ended, and what happened in it.

use std::{fmt, time::Duration};

use serde::Serialize;

use crate::{
    call::Json,
    gate::{Entry, Gate, RunEnding, millis},
    limits::LimitReached,
    pool::SessionLoss,
    script::ScriptReport,
};

use super::{RunLogs, VirtualWorld};

/// How a run ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RunOutcome {
    /// The workflow's result.
    Done(Json),
    /// The workflow's own failure.
    Failed(WorkflowFailure),
    /// The sandbox stopped it.
    Stopped(Stopped),
}

impl RunOutcome {
    pub(super) fn ending(&self) -> RunEnding {
        match self {
            Self::Done(_) => RunEnding::Done,
            Self::Failed(_) => RunEnding::Failed,
            Self::Stopped(_) => RunEnding::Stopped,
        }
    }
}

/// The failure that a workflow reports of itself. All of it is untrusted text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorkflowFailure {
    /// A short name of the kind of failure, chosen by the workflow.
    pub kind: String,
    /// A sentence for people.
    pub message: String,
    /// More about it, in a form that the workflow chooses.
    pub details: Option<String>,
}

/// Why the sandbox stopped a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Stopped {
    /// It reached a limit.
    Limit(LimitReached),
    /// It trapped: a panic, a wrong memory access, a wait that nothing can end, a broken contract.
    Trap(String),
    /// A session that it had used was replaced, and it wasn't to go on then.
    SessionLost {
        /// Which, and when.
        #[serde(flatten)]
        loss: SessionLoss,
        /// The option of the command line with which it goes on.
        allow_with: &'static str,
    },
    /// Its result isn't a JSON text.
    InvalidResult(String),
    /// A [`Canceller`](crate::Canceller) ended it.
    Cancelled,
    /// The host ran out of something: the pool of what its places don't count, such as stacks, or the system of memory or
    /// mappings. Nothing is wrong with the run.
    Crowded(String),
    /// The limit `fuel` was set, and the engine doesn't count: set [`EngineOptions::counts_fuel`](crate::EngineOptions::counts_fuel).
    NoFuel,
}

impl Stopped {
    pub(super) fn session_lost(loss: SessionLoss) -> Self {
        Self::SessionLost { loss, allow_with: "--on-session-loss continue" }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => limit.fmt(f),
            Self::SessionLost { loss, allow_with } => {
                write!(f, "{loss}; let the run go on with {allow_with}")
            }
            Self::Trap(trap) => write!(f, "the workflow trapped: {trap}"),
            Self::InvalidResult(why) => {
                write!(f, "the result of the workflow is not a JSON text: {why}")
            }
            Self::Cancelled => f.write_str("it was cancelled"),
            Self::Crowded(what) => write!(f, "the host has no room for it: {what}"),
            Self::NoFuel => f.write_str("it has a limit of fuel, and its engine counts none"),
        }
    }
}

/// What happened in a run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunReport {
    /// How it ended.
    pub outcome: RunOutcome,
    /// What a script said beside its result, where the workflow was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<ScriptReport>,
    /// How long it waited for its place in the engine's pool.
    #[serde(rename = "queue_wait_ms", serialize_with = "millis")]
    pub queue_wait: Duration,
    /// How long it took, from the making of the store.
    #[serde(rename = "duration_ms", serialize_with = "millis")]
    pub duration: Duration,
    /// How long threads worked on it.
    #[serde(rename = "cpu_time_ms", serialize_with = "millis")]
    pub cpu_time: Duration,
    /// How many instructions it executed, where the engine counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    /// Largest memory that it had, in bytes.
    pub peak_memory_bytes: usize,
    /// Sessions that it had used and that were replaced, so that what their servers knew may have been lost.
    pub session_losses: Vec<SessionLoss>,
    /// What it wrote to its logs.
    #[serde(skip_serializing_if = "RunLogs::is_empty")]
    pub logs: RunLogs,
    /// What it saw instead of time and chance, if it is a script or has WASI: with the same, and the same answers, it does the same again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world: Option<VirtualWorld>,
    /// Every call in the order in which it made them.
    pub calls: Vec<Entry>,
}

/// What a run took.
#[derive(Default)]
pub(super) struct Spent {
    queue_wait: Duration,
    pub(super) duration: Duration,
    pub(super) cpu_time: Duration,
    pub(super) fuel: Option<u64>,
    pub(super) peak_memory_bytes: usize,
}

impl Spent {
    /// What a run took that has only waited so far.
    pub(super) fn waiting(queue_wait: Duration) -> Self {
        Self { queue_wait, ..Self::default() }
    }
}

/// What a run had around it, beside its calls.
pub(super) struct Surroundings {
    pub(super) logs: RunLogs,
    pub(super) world: Option<VirtualWorld>,
    pub(super) script: Option<ScriptReport>,
}

impl RunReport {
    pub(super) fn new(
        outcome: RunOutcome,
        spent: Spent,
        gate: &Gate,
        surroundings: Surroundings,
    ) -> Self {
        let Surroundings { logs, world, script } = surroundings;
        let Spent { queue_wait, duration, cpu_time, fuel, peak_memory_bytes } = spent;
        Self {
            outcome,
            script,
            queue_wait,
            duration,
            cpu_time,
            fuel,
            peak_memory_bytes,
            session_losses: gate.session_losses(),
            logs,
            world,
            calls: gate.entries(),
        }
    }
}
