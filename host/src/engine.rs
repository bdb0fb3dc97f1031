//! The sandbox engine: one per process, shared by all workflows and runs.

mod clock;
mod settings;

use std::{fmt, path::PathBuf, sync::Arc};

use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

use self::clock::Clock;
pub(crate) use self::clock::Ticking;
use crate::{component::cache::Cache, limits::EngineLimits};

/// Compiles components and runs them. Clones share it.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    engine: wasmtime::Engine,
    options: EngineOptions,
    /// One permit for each place of the pool, where there is one.
    places: Option<Semaphore>,
    cache: Option<Cache>,
    /// Ends with the engine.
    clock: Clock,
}

/// How an engine is set up.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EngineOptions {
    /// Where runs get their memories, tables and stacks from.
    pub allocation: Allocation,
    /// Whether [`RunLimits::fuel`](crate::RunLimits::fuel) may be set. Counting makes guests a quarter slower.
    pub counts_fuel: bool,
    /// The folder in which compiled components are kept, for those who want that. It has to belong to the user of this process
    /// and be closed to all others; it is made where it isn't there. Two engines and two processes may share it.
    pub cache: Option<PathBuf>,
    /// What becomes of components that need WASI.
    pub wasi: WasiPolicy,
    /// The bounds.
    pub limits: EngineLimits,
}

/// What becomes of components that need WASI (0.2), as those of many toolchains do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum WasiPolicy {
    /// They are refused.
    #[default]
    Refuse,
    /// They get one that has no power and is the same each time: a virtual clock, seeded randomness
    /// ([`VirtualWorld`](crate::VirtualWorld)), no files, no environment, no arguments and no network. What they write to
    /// stdout and stderr is kept in [`RunReport::logs`](crate::RunReport::logs).
    Deterministic,
}

/// Where runs get their memories, tables and stacks from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Allocation {
    /// From the system, run by run: for a process that runs one workflow.
    #[default]
    OnDemand,
    /// From a pool that is reserved once: for a process that runs many. Runs beyond
    /// [`max_places`](crate::PoolLimits::max_places) wait.
    Pooled,
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// This machine can't run the sandbox.
    #[error("the sandbox can't be set up on this machine")]
    Unsupported(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The thread that interrupts guests could not be started.
    #[error("the clock of the sandbox can't be started")]
    Clock(#[source] std::io::Error),
}

/// Why a run got no place in the pool in time.
#[derive(Debug)]
pub(crate) struct NoPlace;

impl Engine {
    /// An engine for a process that runs one workflow: [`EngineOptions::default`].
    ///
    /// # Errors
    ///
    /// When the machine lacks what the sandbox needs.
    pub fn new() -> Result<Self, EngineError> {
        Self::with(EngineOptions::default())
    }

    /// Sets up the engine, and the thread that interrupts its guests; that ends with the last clone of the engine.
    ///
    /// A pool that the machine has no address space for is replaced by [`Allocation::OnDemand`]; the log says so, and
    /// [`options`](Self::options).
    ///
    /// # Errors
    ///
    /// When the machine lacks what the sandbox needs.
    pub fn with(mut options: EngineOptions) -> Result<Self, EngineError> {
        let engine = settings::engine(&mut options)
            .map_err(|error| EngineError::Unsupported(error.into()))?;
        let limits = &options.limits;
        let places = match options.allocation {
            Allocation::OnDemand => None,
            Allocation::Pooled => Some(Semaphore::new(limits.pool.max_places as usize)),
        };
        let cache = options.cache.clone().map(|folder| Cache::new(folder, limits.cache.clone()));
        let clock = Clock::start(&engine, limits).map_err(EngineError::Clock)?;
        Ok(Self(Arc::new(Inner { engine, options, places, cache, clock })))
    }

    /// How it was set up in the end.
    pub fn options(&self) -> &EngineOptions {
        &self.0.options
    }

    pub(crate) fn inner(&self) -> &wasmtime::Engine {
        &self.0.engine
    }

    pub(crate) fn limits(&self) -> &EngineLimits {
        &self.0.options.limits
    }

    pub(crate) fn cache(&self) -> Option<&Cache> {
        self.0.cache.as_ref()
    }

    /// Keeps the clock ticking as long as the answer lives.
    pub(crate) fn tick(&self) -> Ticking<'_> {
        self.0.clock.tick()
    }

    /// Waits for so many places of the pool; the answer holds them. Without a pool there is nothing to wait for.
    pub(crate) async fn place(
        &self,
        places: u32,
        queue_time: std::time::Duration,
    ) -> Result<Option<SemaphorePermit<'_>>, NoPlace> {
        let Some(all) = &self.0.places else { return Ok(None) };
        if let Ok(place) = all.try_acquire_many(places) {
            return Ok(Some(place));
        }
        match timeout(queue_time, all.acquire_many(places)).await {
            Ok(place) => Ok(Some(place.expect("the semaphore is never closed"))),
            Err(_elapsed) => Err(NoPlace),
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("options", &self.0.options).finish_non_exhaustive()
    }
}
