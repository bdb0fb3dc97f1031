//! One run of a workflow: one store, made for it and dropped with it, whatever happened.

mod ending;
mod idle;
mod limiter;
mod logs;
mod meter;
mod report;
mod tools;
mod wasi;

use std::{pin::pin, sync::Arc};

use tokio::{
    sync::watch,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;
use wasmtime::Store;

use self::{
    idle::Watched,
    limiter::Limiter,
    logs::LogWriter,
    meter::Metered,
    report::{Spent, Surroundings},
    wasi::Wasi,
};
pub use self::{
    logs::{LogEntry, LogStream, RunLogs},
    report::{RunOutcome, RunReport, Stopped, WorkflowFailure},
    wasi::VirtualWorld,
};
pub(crate) use self::{
    tools::{WorkflowIndices, add_to_linker},
    wasi::add_to_linker as add_wasi_to_linker,
};
use crate::{
    call::Json,
    component::Workflow,
    engine::NoPlace,
    gate::{Events, Gate, Progress, Teller},
    grants::Grants,
    limits::{LimitReached, RunLimits},
    pool::{OnSessionLoss, SessionPool},
    script::{Script, ToolNames},
};

/// What the store holds for one run.
pub(crate) struct Ctx {
    gate: Arc<Gate>,
    limiter: Limiter,
    /// There for a workflow that is linked with it.
    wasi: Option<Box<Wasi>>,
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
    world: VirtualWorld,
    script: Option<Arc<Script>>,
    tool_names: Option<Arc<ToolNames>>,
    checks_arguments: bool,
    progress: watch::Sender<Progress>,
    events: Teller,
    /// Cancelled by whoever has a [`Canceller`].
    cancelled: CancellationToken,
}

/// Ends a run from outside. Clones end the same one.
#[derive(Clone, Debug)]
pub struct Canceller(CancellationToken);

impl Canceller {
    /// Ends the run with [`Stopped::Cancelled`], also one that has not started yet. After its end this does nothing.
    pub fn cancel(&self) {
        self.0.cancel();
    }
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
            world: VirtualWorld::default(),
            script: None,
            tool_names: None,
            checks_arguments: false,
            progress: watch::Sender::default(),
            events: Teller::default(),
            cancelled: CancellationToken::new(),
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

    /// Sets what a script, or a workflow that needs WASI, sees of time and chance. Others see neither.
    pub fn world(mut self, world: VirtualWorld) -> Self {
        self.world = world;
        self
    }

    /// Runs this script. The workflow has to be [`Script::workflow`], or that one behind layers; the input is then the
    /// script's `args`.
    pub fn script(mut self, script: impl Into<Arc<Script>>) -> Self {
        self.script = Some(script.into());
        self.check_arguments()
    }

    /// Lets a script write identifiers for names that are none.
    pub fn tool_names(mut self, names: impl Into<Arc<ToolNames>>) -> Self {
        self.tool_names = Some(names.into());
        self
    }

    /// Refuses calls whose arguments aren't as the servers' input schemas say, before they are sent and with what is wrong with
    /// them. A [`script`](Self::script) is always treated so. Connections can be left out
    /// ([`SessionOptions::checks_arguments`](crate::SessionOptions::checks_arguments)), and so are schemas that aren't understood.
    pub fn check_arguments(mut self) -> Self {
        self.checks_arguments = true;
        self
    }

    /// How far the run has come, as it goes.
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// What happens in the run, as it goes. The run never waits for who reads this. How far a reader may be behind is
    /// [`RunLimits::max_unread_events`], so set the limits first.
    pub fn events(&mut self) -> Events {
        self.events.listen(self.limits.max_unread_events)
    }

    /// A handle that ends the run.
    pub fn canceller(&self) -> Canceller {
        Canceller(self.cancelled.clone())
    }

    /// Runs the workflow to its end.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the run: the store goes, and the calls under way are cancelled at their servers. There is no
    /// report then; a [`Canceller`] leaves one.
    pub async fn start(self, input: Json) -> RunReport {
        let Self {
            workflow,
            pool,
            limits,
            grants,
            on_session_loss,
            world,
            script,
            tool_names,
            checks_arguments,
            progress,
            events,
            cancelled,
        } = self;
        let created = Instant::now();
        let input = match &script {
            Some(script) => {
                let names = tool_names.as_deref();
                script.input(&input, &world, &limits, workflow.engine().limits(), names)
            }
            None => input,
        };
        let mut gate = Gate::new(pool, limits.clone(), grants, on_session_loss, progress, events);
        if checks_arguments {
            gate = gate.checking_arguments();
        }
        let gate = Arc::new(gate);
        let place = tokio::select! {
            biased;
            () = cancelled.cancelled() => Err(Stopped::Cancelled),
            place = workflow.engine().place(workflow.places(), limits.queue_time) => {
                place.map_err(|NoPlace| Stopped::Limit(LimitReached::run_queue(&limits)))
            }
        };
        let has_started = place.is_ok();
        let mut spent = Spent::waiting(created.elapsed());
        let writer = LogWriter::new(limits.max_log_bytes);
        let wasi = workflow.has_wasi().then(|| Box::new(Wasi::new(&world, &limits, &writer)));
        let world = (wasi.is_some() || script.is_some()).then_some(world);
        let limiter = Limiter::new(&limits, workflow.engine());
        let ctx = Ctx { gate: gate.clone(), limiter, wasi };
        let outcome = match place {
            Err(stopped) => RunOutcome::Stopped(stopped),
            // The place is given back after the store, which holds what the place stands for.
            Ok(_place) => execute(&workflow, &limits, ctx, &cancelled, input, &mut spent).await,
        };
        let mut logs = writer.take();
        let (outcome, script) = match script {
            Some(script) => {
                let (outcome, report) = script.read_outcome(outcome, &limits, &mut logs);
                logs.are_lost &= has_started;
                (outcome, Some(report))
            }
            None => (outcome, None),
        };
        gate.tell_end(outcome.ending());
        RunReport::new(outcome, spent, &gate, Surroundings { logs, world, script })
    }
}

/// The life of the store.
async fn execute(
    workflow: &Workflow,
    limits: &RunLimits,
    ctx: Ctx,
    cancelled: &CancellationToken,
    input: Json,
    spent: &mut Spent,
) -> RunOutcome {
    let started = Instant::now();
    let engine = workflow.engine();
    let _ticking = engine.tick();
    let gate = ctx.gate.clone();
    let mut store = Store::new(engine.inner(), ctx);
    store.limiter(|ctx| &mut ctx.limiter);
    store.set_hostcall_fuel(limits.max_transfer_bytes);
    store.set_max_component_handles(limits.max_component_handles);
    // A guest that computes gives way at every tick, so that others, the deadline and the meter get their turn.
    store.set_epoch_deadline(1);
    store.epoch_deadline_async_yield_and_update(1);
    if engine.options().counts_fuel {
        store.set_fuel(limits.fuel.unwrap_or(u64::MAX)).expect("the engine counts fuel");
    } else if limits.fuel.is_some() {
        return RunOutcome::Stopped(Stopped::NoFuel);
    }

    let ended = {
        let guest = pin!(tools::execute(workflow, &mut store, input.into_text()));
        let guest = pin!(Watched::new(guest, &gate));
        let mut metered = Metered::new(guest, limits.cpu_time);
        // The clock is outside: within, it would have its turn only when the guest is done.
        let ended = tokio::select! {
            biased;
            () = cancelled.cancelled() => Err(Stopped::Cancelled),
            ended = timeout(limits.wall_clock, &mut metered) => match ended {
                Err(_elapsed) => Err(Stopped::Limit(LimitReached::wall_clock(limits))),
                Ok(Err(used)) => Err(Stopped::Limit(LimitReached::cpu_time(limits, used.0))),
                Ok(Ok(ended)) => Ok(ended),
            },
        };
        spent.cpu_time = metered.used();
        ended
    };
    let limiter = &store.data().limiter;
    let outcome = match ended {
        Err(stopped) => RunOutcome::Stopped(stopped),
        Ok(Err(trap)) => {
            RunOutcome::Stopped(ending::of_trap(&trap, limiter, limits, engine.limits()))
        }
        Ok(Ok(Err(failure))) => ending::of_failure(failure, limits),
        Ok(Ok(Ok(output))) => ending::of_output(output, limits),
    };
    spent.peak_memory_bytes = limiter.peak_memory_bytes();
    spent.fuel = engine.options().counts_fuel.then(|| {
        let left = store.get_fuel().expect("the engine counts fuel");
        limits.fuel.unwrap_or(u64::MAX).saturating_sub(left)
    });
    // Before the report, because dropping the store is what ends the calls that are still under way.
    drop(store);
    spent.duration = started.elapsed();
    outcome
}
