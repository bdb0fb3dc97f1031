//! The sandbox engine: one per process, shared by all workflows and runs.

use std::{thread, time::Duration};

use wasmtime::Config;

/// How often a guest that computes gives way to others.
const TICK: Duration = Duration::from_millis(2);

/// Compiles components and runs them. Clones share it.
#[derive(Clone)]
pub struct Engine(wasmtime::Engine);

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

impl Engine {
    /// Sets up the engine, and the thread that interrupts its guests; that ends with the last clone of the engine.
    ///
    /// # Errors
    ///
    /// When the machine lacks what the sandbox needs.
    #[expect(clippy::disallowed_methods, reason = "the thread sleeps, and no worker does")]
    pub fn new() -> Result<Self, EngineError> {
        let mut config = Config::new();
        config.epoch_interruption(true);
        let engine = wasmtime::Engine::new(&config)
            .map_err(|error| EngineError::Unsupported(error.into()))?;
        let clock = engine.weak();
        // A thread rather than a task: a guest that spins may hold every worker of the runtime.
        thread::Builder::new()
            .name("callgate-epoch".to_owned())
            .spawn(move || {
                while let Some(engine) = clock.upgrade() {
                    engine.increment_epoch();
                    drop(engine);
                    thread::sleep(TICK);
                }
            })
            .map_err(EngineError::Clock)?;
        Ok(Self(engine))
    }

    pub(crate) fn inner(&self) -> &wasmtime::Engine {
        &self.0
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}
