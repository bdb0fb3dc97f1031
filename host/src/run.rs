//! One run of a workflow: one store, made for it and dropped with it, whatever happened.

mod limiter;
mod tools;

use std::{fmt, sync::Arc, time::Duration};

use serde::Serialize;
use tokio::{
    sync::watch,
    time::{Instant, timeout},
};
use wasmtime::Store;

use self::limiter::Limiter;
pub(crate) use self::tools::{WorkflowIndices, add_to_linker};
use crate::{
    call::Json,
    component::Workflow,
    gate::{Entry, Gate, Progress, RunEnd},
    grants::Grants,
    limits::{LimitReached, RunLimits},
    pool::{OnSessionLoss, SessionLoss, SessionPool},
};

/// What the store holds for one run.
pub(crate) struct Ctx {
    gate: Arc<Gate>,
    limiter: Limiter,
}

/// A run that is about to start.
#[derive(Debug)]
#[must_use = "a run does nothing until `start` is awaited"]
pub struct Run {
    workflow: Workflow,
    pool: SessionPool,
    limits: RunLimits,
    grants: Arc<Grants>,
    on_session_loss: Option<OnSessionLoss>,
    progress: watch::Sender<Progress>,
}

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
    /// It trapped: a panic, a wrong memory access, an endless recursion, a broken contract.
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
}

impl Stopped {
    fn session_lost(loss: SessionLoss) -> Self {
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
        }
    }
}

/// What happened in a run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunReport {
    /// How it ended.
    pub outcome: RunOutcome,
    /// How long it took, from the making of the store.
    #[serde(rename = "duration_ms", serialize_with = "crate::gate::millis")]
    pub duration: Duration,
    /// Largest memory that it had, in bytes.
    pub peak_memory_bytes: usize,
    /// Sessions that it had used and that were replaced, so that what their servers knew may have been lost.
    pub session_losses: Vec<SessionLoss>,
    /// Every call in the order in which it made them.
    pub calls: Vec<Entry>,
}

impl Run {
    /// A run of `workflow` whose calls go through `pool`. It may call nothing until [`grants`](Self::grants) says what.
    pub fn new(workflow: &Workflow, pool: &SessionPool) -> Self {
        Self {
            workflow: workflow.clone(),
            pool: pool.clone(),
            limits: RunLimits::default(),
            grants: Arc::default(),
            on_session_loss: None,
            progress: watch::Sender::default(),
        }
    }

    /// Sets the bounds.
    pub fn limits(mut self, limits: RunLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Says what it may call, in place of nothing. Runs of one workflow can share their rules.
    pub fn grants(mut self, grants: impl Into<Arc<Grants>>) -> Self {
        self.grants = grants.into();
        self
    }

    /// Says what happens when a session that the run used is replaced, whatever its connection says.
    pub fn on_session_loss(mut self, on_session_loss: OnSessionLoss) -> Self {
        self.on_session_loss = Some(on_session_loss);
        self
    }

    /// How far the run has come, as it goes.
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Runs the workflow to its end.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the run: the store goes, and the calls under way are cancelled at their servers.
    pub async fn start(self, input: Json) -> RunReport {
        let started = Instant::now();
        let gate = Arc::new(Gate::new(
            self.pool,
            self.limits.clone(),
            self.grants,
            self.on_session_loss,
            self.progress,
        ));
        let mut store = Store::new(
            self.workflow.engine().inner(),
            Ctx { gate: gate.clone(), limiter: Limiter::new(&self.limits) },
        );
        store.limiter(|ctx| &mut ctx.limiter);
        // A guest that computes gives way at every tick, so that the deadline outside gets its turn.
        store.set_epoch_deadline(1);
        store.epoch_deadline_async_yield_and_update(1);

        let executed = timeout(
            self.limits.wall_clock,
            tools::execute(&self.workflow, &mut store, input.into_text()),
        )
        .await;
        let limiter = &store.data().limiter;
        let outcome = match executed {
            Err(_elapsed) => {
                RunOutcome::Stopped(Stopped::Limit(LimitReached::wall_clock(&self.limits)))
            }
            Ok(Err(trap)) => RunOutcome::Stopped(why_stopped(&trap, limiter)),
            Ok(Ok(Err(failure))) => RunOutcome::Failed(failure),
            Ok(Ok(Ok(output))) => read_result(output, &self.limits),
        };
        let peak_memory_bytes = limiter.peak_memory_bytes();
        // Before the report, because dropping the store is what ends the calls that are still under way.
        drop(store);
        RunReport {
            outcome,
            duration: started.elapsed(),
            peak_memory_bytes,
            session_losses: gate.session_losses(),
            calls: gate.entries(),
        }
    }
}

fn why_stopped(trap: &wasmtime::Error, limiter: &Limiter) -> Stopped {
    match trap.downcast_ref::<RunEnd>() {
        Some(RunEnd::Limit(limit)) => return Stopped::Limit(limit.clone()),
        Some(RunEnd::SessionLost(loss)) => return Stopped::session_lost(loss.clone()),
        None => {}
    }
    // A guest whose allocation failed traps for a reason of its own; the cause is the limit.
    if let Some(limit) = limiter.refused() {
        return Stopped::Limit(limit.clone());
    }
    Stopped::Trap(format!("{trap:#}"))
}

fn read_result(output: String, limits: &RunLimits) -> RunOutcome {
    if output.len() > limits.max_output_bytes {
        let limit = LimitReached::output(limits, output.len());
        return RunOutcome::Stopped(Stopped::Limit(limit));
    }
    match Json::from_text(output) {
        Ok(json) => RunOutcome::Done(json),
        Err(error) => RunOutcome::Stopped(Stopped::InvalidResult(error.to_string())),
    }
}
