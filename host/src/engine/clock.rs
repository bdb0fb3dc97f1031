//! The thread that interrupts guests which compute, at every tick, as long as there is a run.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, Thread},
    time::Duration,
};

use wasmtime::Engine;

use crate::limits::EngineLimits;

/// The clock of one engine. Dropping it ends the thread.
pub(super) struct Clock {
    thread: Thread,
    runs: Arc<AtomicUsize>,
}

/// There is a run as long as this lives.
pub(crate) struct Ticking<'c>(&'c Clock);

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the thread sleeps, and no worker does")]
    pub(super) fn start(engine: &Engine, limits: &EngineLimits) -> io::Result<Self> {
        let clock = engine.weak();
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = runs.clone();
        let EngineLimits { tick, idle_after, .. } = *limits;
        // A thread rather than a task: a guest that spins may hold every worker of the runtime.
        let thread = thread::Builder::new().name("callgate-epoch".to_owned()).spawn(move || {
            let mut idle = Duration::ZERO;
            while let Some(engine) = clock.upgrade() {
                engine.increment_epoch();
                drop(engine);
                idle = match counted.load(Ordering::Relaxed) {
                    0 => idle.saturating_add(tick),
                    _ => Duration::ZERO,
                };
                if idle >= idle_after {
                    // The first run, and the end of the engine, leave a token behind if they come before this.
                    thread::park();
                    idle = Duration::ZERO;
                } else {
                    thread::sleep(tick);
                }
            }
        })?;
        Ok(Self { thread: thread.thread().clone(), runs })
    }

    pub(super) fn tick(&self) -> Ticking<'_> {
        // The thread sees the count of whoever wakes it, because waking comes after counting.
        if self.runs.fetch_add(1, Ordering::Relaxed) == 0 {
            self.thread.unpark();
        }
        Ticking(self)
    }
}

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        self.0.runs.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.thread.unpark();
    }
}
