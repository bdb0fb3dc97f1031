//! Components that chance makes, against the host: from a seed come a component of any kind, a workflow around a module of any
//! kind, and a good workflow with a few wrong bytes. Each is loaded, and what can be loaded is run.
//!
//! Whatever comes of one has to be one of the ends that the host has names for, in time. It doesn't judge which.

mod made;
mod tally;

use std::{
    any::Any,
    fmt,
    time::{Duration, Instant},
};

use callgate::{
    Engine, Grants, Json, Run, RunLimits, RunOutcome, SessionPool, Stopped, Workflow, WorkflowError,
};
use tokio::time::timeout;

use self::made::Made;
pub use self::tally::Tally;

/// How long loading may take. What chance makes is small, so this is for machines that have more to do.
const LOADS_WITHIN: Duration = Duration::from_secs(30);
/// What a run may take over its wall clock.
const SLACK: Duration = Duration::from_secs(10);

/// The host that is tried. One engine serves all seeds.
#[derive(Debug)]
pub struct Smith {
    engine: Engine,
    /// It has no connection, so calls come back refused.
    pool: SessionPool,
}

/// What one component came to.
#[derive(Clone, Debug)]
pub struct Came {
    /// How it was made.
    pub kind: &'static str,
    /// Its end, by name.
    pub end: String,
    /// From its bytes to a workflow, or to the reason why not.
    pub loading: Duration,
    /// From the start of the run to its report; none where it wasn't loaded.
    pub running: Duration,
}

/// Something that must not come of any component.
#[derive(Debug)]
pub struct Wrong {
    /// The seed that makes it again.
    pub seed: u64,
    /// How it was made.
    pub kind: &'static str,
    /// What went wrong.
    pub what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, kind, what } = self;
        write!(f, "seed {seed}, {kind}: {what}; try it again with --first {seed} --seeds 1")
    }
}

impl Smith {
    /// Sets up the engine.
    ///
    /// # Panics
    ///
    /// When this machine has no engine.
    pub fn new() -> Self {
        Self { engine: Engine::new().unwrap(), pool: SessionPool::new([]) }
    }

    /// Makes of a seed what it makes, and tries that.
    pub async fn try_seed(&self, seed: u64) -> Vec<Result<Came, Wrong>> {
        let mut all = Vec::new();
        for made in made::of_seed(seed) {
            let kind = made.kind;
            let came = self.try_one(made).await;
            all.push(came.map_err(|what| Wrong { seed, kind, what }));
        }
        all
    }

    async fn try_one(&self, made: Made) -> Result<Came, String> {
        let Made { kind, bytes } = made;
        let Some(bytes) = bytes else {
            let none = Duration::ZERO;
            return Ok(Came { kind, end: "not made".to_owned(), loading: none, running: none });
        };
        let started = Instant::now();
        let engine = self.engine.clone();
        let loading = tokio::task::spawn_blocking(move || Workflow::from_bytes(&engine, &bytes));
        let loaded = timeout(LOADS_WITHIN, loading)
            .await
            .map_err(|_elapsed| format!("it isn't loaded after {LOADS_WITHIN:?}"))?
            .map_err(|panic| format!("loading it panics: {}", said(panic.into_panic().as_ref())))?;
        let loading = started.elapsed();
        let workflow = match loaded {
            Ok(workflow) => workflow,
            Err(error) => {
                let end = not_loaded(&error)?.to_owned();
                return Ok(Came { kind, end, loading, running: Duration::ZERO });
            }
        };
        let limits = tight();
        let wall_clock = limits.wall_clock;
        let started = Instant::now();
        let run = Run::new(&workflow, &self.pool).limits(limits).grants(Grants::all());
        // A task of its own, so that a panic is seen.
        let report = timeout(wall_clock + SLACK, tokio::spawn(run.start(Json::null())))
            .await
            .map_err(|_elapsed| format!("it isn't done {SLACK:?} after its wall clock"))?
            .map_err(|panic| format!("running it panics: {}", said(panic.into_panic().as_ref())))?;
        let running = started.elapsed();
        Ok(Came { kind, end: ended(&report.outcome)?, loading, running })
    }
}

impl Default for Smith {
    fn default() -> Self {
        Self::new()
    }
}

/// Bounds that generated code reaches soon.
fn tight() -> RunLimits {
    let mut limits = RunLimits::default();
    limits.wall_clock = Duration::from_millis(500);
    limits.cpu_time = Duration::from_millis(50);
    limits.max_memory_bytes = 64 << 20;
    limits.max_calls = 100;
    limits.max_component_handles = 1_000;
    limits
}

fn not_loaded(error: &WorkflowError) -> Result<&'static str, String> {
    match error {
        WorkflowError::CoreModule => Ok("not loaded: a core module"),
        WorkflowError::Invalid(why) if !why.is_empty() => Ok("not loaded: invalid"),
        WorkflowError::Refused(reasons) if !reasons.is_empty() => Ok("not loaded: refused"),
        WorkflowError::TooLarge { .. } => Ok("not loaded: too large"),
        other => Err(format!("it isn't loaded, without a reason: {other:?}")),
    }
}

fn ended(outcome: &RunOutcome) -> Result<String, String> {
    Ok(match outcome {
        RunOutcome::Done(_) => "done".to_owned(),
        RunOutcome::Failed(_) => "failed".to_owned(),
        RunOutcome::Stopped(Stopped::Limit(limit)) => format!("limit {}", limit.limit),
        RunOutcome::Stopped(Stopped::Trap(why)) if !why.is_empty() => "trap".to_owned(),
        RunOutcome::Stopped(Stopped::InvalidResult(_)) => "invalid result".to_owned(),
        other => return Err(format!("it came to {other:?}")),
    })
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no text)")
}
