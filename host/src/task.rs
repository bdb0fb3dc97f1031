//! The one place that starts tasks, so that every task has a name and somebody owns its handle.

use std::{future::Future, pin::Pin, task::Poll};

use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument as _;

/// Starts `future` on the current runtime. `name` is what the logs call it.
///
/// # Panics
///
/// Outside a tokio runtime.
#[expect(clippy::disallowed_methods, reason = "this is the one spawner")]
pub(crate) fn spawn<T: Send + 'static>(
    name: &'static str,
    future: impl Future<Output = T> + Send + 'static,
) -> TaskHandle<T> {
    TaskHandle { join: tokio::spawn(future.instrument(tracing::debug_span!("task", name))) }
}

/// A task and the duty to decide about its end: await it or [`detach`](Self::detach) it.
#[derive(Debug)]
#[must_use = "a task needs an owner: await or detach it"]
pub(crate) struct TaskHandle<T> {
    join: JoinHandle<T>,
}

impl<T> TaskHandle<T> {
    /// The task goes on alone and ends by itself.
    pub(crate) fn detach(self) {
        drop(self.join);
    }
}

impl<T> Future for TaskHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.join).poll(cx)
    }
}
