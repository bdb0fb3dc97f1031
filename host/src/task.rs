//! The one spawner: whoever starts a task here holds its [`TaskHandle`].

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::task::{JoinError, JoinHandle};

/// A task that was started, and its end.
///
/// Dropping the handle lets the task go on; [`TaskHandle::abort`] ends it at its next await.
#[derive(Debug)]
pub(crate) struct TaskHandle<T = ()> {
    /// Used in messages about the task.
    name: &'static str,
    join: JoinHandle<T>,
}

/// Starts `future` as a task of its own.
pub(crate) fn spawn<F>(name: &'static str, future: F) -> TaskHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    #[expect(clippy::disallowed_methods, reason = "this is the one place that may")]
    let join = tokio::spawn(future);
    TaskHandle { name, join }
}

impl<T> TaskHandle<T> {
    pub(crate) fn abort(&self) {
        self.join.abort();
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }
}

impl<T> Future for TaskHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.join).poll(cx)
    }
}
