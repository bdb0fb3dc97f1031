//! Hostile guests: for each way to misbehave one tiny workflow, and how its run has to end.
//!
//! Each runs on an engine that gives memory from the system and on one with a pool, and after each of them the same engine
//! runs a good workflow. `docs/hostile-guests.md` is the table for readers.

mod boundary;
mod calls;
mod endless;
mod handles;
#[cfg(target_os = "linux")]
pub(crate) mod leavings;
mod loading;
mod names;
mod neighbours;
mod phases;
mod results;

use std::time::{Duration, Instant};

use callgate::{
    Allocation, Engine, EngineOptions, Grants, Json, Run, RunLimits, RunOutcome, RunReport,
    SessionPool, Stopped, Workflow, WorkflowError,
};
use callgate_tests::{
    components::{self, Parts, RETURNS_AN_ANSWER},
    fake::FakeServer,
};
use tokio::{sync::OnceCell, task::JoinHandle};

use crate::run::limits;

/// What a run may take over its own limits on a machine that has more to do.
const SLACK: Duration = Duration::from_secs(5);

/// One workflow, the bounds of its run, and its end.
struct Guest {
    name: &'static str,
    component: Vec<u8>,
    limits: RunLimits,
    ends: End,
}

/// How a run ends, or why there is none.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    /// At this limit, which names itself.
    Limit(&'static str),
    /// In a trap that says this.
    Trap(&'static str),
    /// With a result that is no JSON text.
    InvalidResult,
    /// With this result.
    Done(&'static str),
    /// With a failure of its own.
    Failed,
    /// It isn't loaded, for a reason that says this.
    NotLoaded(&'static str),
}

impl Guest {
    fn of(name: &'static str, component: Vec<u8>, ends: End) -> Self {
        let mut limits = tight();
        if ends == End::Limit("cpu_time") {
            limits.cpu_time = Duration::from_millis(60);
        }
        Self { name, component, limits, ends }
    }

    /// A guest that calls no tool.
    fn alone(name: &'static str, code: &str, ends: End) -> Self {
        Self::of(name, components::workflow(code), ends)
    }

    /// A guest that may call tools, and misuse what that takes.
    fn caller(name: &'static str, code: &str, ends: End) -> Self {
        Self::of(name, components::caller(code), ends)
    }

    /// As [`caller`](Self::caller), from parts.
    fn caller_of(name: &'static str, parts: Parts<'_>, ends: End) -> Self {
        Self::of(name, components::caller_of(parts), ends)
    }

    fn within(mut self, change: impl FnOnce(&mut RunLimits)) -> Self {
        change(&mut self.limits);
        self
    }
}

/// Bounds that hostile guests reach soon.
fn tight() -> RunLimits {
    limits(|limits| {
        // Only for those whose end this is: on a machine that has more to do, others take their time.
        limits.wall_clock = Duration::from_secs(20);
        limits.cpu_time = Duration::from_secs(20);
        limits.max_memory_bytes = 16 << 20;
        limits.max_table_elements = 10_000;
        limits.max_instances = 20;
        limits.max_component_handles = 1_000;
        limits.max_transfer_bytes = 4 << 20;
        limits.max_calls = 500;
        limits.max_calls_in_flight = 50;
        limits.max_name_bytes = 100;
        limits.max_argument_bytes = 1 << 20;
        limits.max_output_bytes = 1 << 20;
    })
}

/// One engine, and what its runs may call: the connection `fake`, of whose tools `hang` never answers.
struct Host {
    engine: Engine,
    good: Workflow,
    pool: SessionPool,
    serving: JoinHandle<()>,
}

impl Host {
    async fn new(allocation: Allocation) -> Self {
        let engine = engine(allocation).await;
        let good = components::caller(RETURNS_AN_ANSWER);
        let good = load(&engine, good).await.unwrap();
        let (mut server, pool) = FakeServer::pooled();
        let serving =
            tokio::spawn(async move { server.accept().await.serve("x", &["hang"]).await });
        Self { engine, good, pool, serving }
    }

    async fn run(&self, workflow: &Workflow, limits: RunLimits) -> RunReport {
        let run = Run::new(workflow, &self.pool).limits(limits).grants(Grants::all());
        run.start(Json::null()).await
    }

    /// What is wrong with the end of a guest, or with the host after it.
    async fn try_guest(&self, guest: &Guest) -> Result<(), String> {
        let workflow = match load(&self.engine, guest.component.clone()).await {
            Ok(workflow) => workflow,
            Err(error) => return as_expected(guest.ends, &not_loaded(&error)),
        };
        let started = Instant::now();
        let report = self.run(&workflow, guest.limits.clone()).await;
        let took = started.elapsed();
        as_expected(guest.ends, &report.outcome.clone().into())
            .map_err(|wrong| format!("{wrong}; its first call: {:?}", report.calls.first()))?;
        if took > guest.limits.wall_clock + SLACK {
            return Err(format!("it took {took:?}"));
        }
        if report.peak_memory_bytes > guest.limits.max_memory_bytes {
            return Err(format!("it had {} bytes of memory", report.peak_memory_bytes));
        }
        if let RunOutcome::Stopped(Stopped::Limit(limit)) = &report.outcome {
            let said = limit.to_string();
            let words = [limit.limit, &limit.value, &limit.reached, limit.raise_with];
            if words.iter().any(|word| word.is_empty() || !said.contains(word)) {
                return Err(format!("the limit doesn't say all of it: {said}"));
            }
        }
        let after = self.run(&self.good, RunLimits::default()).await;
        as_expected(End::Done("\"x\""), &after.outcome.into())
            .map_err(|wrong| format!("a good workflow after it: {wrong}"))
    }

    async fn close(self) {
        self.pool.close().await;
        self.serving.abort();
    }
}

/// Compiling and reserving cost time, so all tests share two engines.
async fn engine(allocation: Allocation) -> Engine {
    static ON_DEMAND: OnceCell<Engine> = OnceCell::const_new();
    static POOLED: OnceCell<Engine> = OnceCell::const_new();
    let engine = match allocation {
        Allocation::Pooled => &POOLED,
        _ => &ON_DEMAND,
    };
    let options = || {
        let mut options = EngineOptions::default();
        options.allocation = allocation;
        options.limits.pool.max_places = 100;
        options
    };
    engine.get_or_init(|| async { Engine::with(options()).unwrap() }).await.clone()
}

async fn load(engine: &Engine, component: Vec<u8>) -> Result<Workflow, WorkflowError> {
    let engine = engine.clone();
    tokio::task::spawn_blocking(move || Workflow::from_bytes(&engine, &component)).await.unwrap()
}

/// What came, in words that the table can be held against.
enum Came {
    Ran(RunOutcome),
    NotLoaded(String),
}

impl From<RunOutcome> for Came {
    fn from(outcome: RunOutcome) -> Self {
        Self::Ran(outcome)
    }
}

fn not_loaded(error: &WorkflowError) -> Came {
    Came::NotLoaded(error.to_string())
}

fn as_expected(end: End, came: &Came) -> Result<(), String> {
    let is_it = match (end, came) {
        (End::NotLoaded(why), Came::NotLoaded(said)) => said.contains(why),
        (End::Done(output), Came::Ran(RunOutcome::Done(json))) => json.as_str() == output,
        (End::Failed, Came::Ran(RunOutcome::Failed(_))) => true,
        (end, Came::Ran(RunOutcome::Stopped(stopped))) => match (end, stopped) {
            (End::Limit(name), Stopped::Limit(limit)) => limit.limit == name,
            (End::Trap(why), Stopped::Trap(said)) => said.contains(why),
            (End::InvalidResult, Stopped::InvalidResult(_)) => true,
            _ => false,
        },
        _ => false,
    };
    if is_it {
        return Ok(());
    }
    Err(match came {
        Came::Ran(outcome) => format!("expected {end:?}, it came to {outcome:?}"),
        Came::NotLoaded(why) => format!("expected {end:?}, it was not loaded: {why:.400}"),
    })
}

/// Tries each guest on both kinds of engine, and fails with all that was wrong.
async fn end_as_they_should(guests: Vec<Guest>) {
    let mut wrong = Vec::new();
    for allocation in [Allocation::OnDemand, Allocation::Pooled] {
        let host = Host::new(allocation).await;
        for guest in &guests {
            if let Err(what) = host.try_guest(guest).await {
                wrong.push(format!("{} ({allocation:?}): {what}", guest.name));
            }
        }
        host.close().await;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
