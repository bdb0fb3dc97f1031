//! Why a session ended: [`Exit`], and the cell through which the owner task says it.

use std::sync::{Arc, OnceLock};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::call::{Cause, Failure};

/// Why a session ended.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Exit {
    /// It was closed, or its last handle was dropped.
    #[error("the session was closed")]
    Closed,
    /// It could not be opened.
    #[error("the connection could not be opened: {0}")]
    NeverOpened(String),
    /// The connection ended by itself.
    #[error("{}", .0.detail)]
    ConnectionEnded(Failure),
    /// The owner task failed; this is an error of the host.
    #[error("the owner task of the session panicked")]
    Panicked,
}

impl Exit {
    /// What an operation without an answer is told.
    pub(crate) fn failure(&self) -> Failure {
        match self {
            Self::ConnectionEnded(failure) => failure.clone(),
            Self::NeverOpened(detail) => Failure::new(Cause::ConnectFailed, detail.clone()),
            Self::Closed => Failure::new(Cause::SessionStopped, self.to_string()),
            Self::Panicked => Failure::new(Cause::Internal, self.to_string()),
        }
    }
}

/// Written once by the owner task, read by everyone who holds the session.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExitCell {
    why: Arc<OnceLock<(Exit, Instant)>>,
    /// Cancelled as soon as the session answers nothing any more.
    ended: CancellationToken,
    /// Cancelled when the transport is closed and the child reaped.
    cleaned_up: CancellationToken,
}

impl ExitCell {
    /// Says why. The first reason stays.
    pub(crate) fn set(&self, why: Exit) {
        let _the_first_reason_stays = self.why.set((why, Instant::now()));
    }

    pub(crate) fn get(&self) -> Option<&Exit> {
        self.why.get().map(|(exit, _)| exit)
    }

    /// When it was said.
    pub(crate) fn ended_at(&self) -> Option<Instant> {
        self.why.get().map(|(_, at)| *at)
    }

    /// What an operation without an answer is told. A session that still drains has said nothing yet; a task that panics
    /// says so before its queue closes.
    pub(crate) fn failure(&self) -> Failure {
        self.get().unwrap_or(&Exit::Closed).failure()
    }

    /// After the last reply, because whoever waits for this takes the reply's place.
    pub(crate) fn mark_ended(&self) {
        self.ended.cancel();
    }

    pub(crate) fn mark_cleaned_up(&self) {
        self.cleaned_up.cancel();
    }

    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    pub(crate) fn is_cleaned_up(&self) -> bool {
        self.cleaned_up.is_cancelled()
    }

    pub(crate) async fn cleaned_up(&self) -> Exit {
        self.cleaned_up.cancelled().await;
        self.get().unwrap_or(&Exit::Panicked).clone()
    }
}

/// Held by the owner task: whatever ends the task, callers hear of it.
pub(crate) struct ExitGuard(pub(crate) ExitCell);

impl Drop for ExitGuard {
    fn drop(&mut self) {
        self.0.set(Exit::Panicked);
        self.0.mark_ended();
        self.0.mark_cleaned_up();
    }
}
