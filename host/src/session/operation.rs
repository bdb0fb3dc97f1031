//! One queued request to a session's owner task: an explicit callable, and what travels with it for diagnostics.
//!
//! Nothing here looks at the operation's label to decide anything.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures::{FutureExt, future::BoxFuture};
use tokio::{sync::oneshot, time::Instant};

use super::{client::McpClient, exit::ExitCell, transport::Phase};
use crate::{
    call::{CallError, Cause, ConnectionId, Failure},
    limits::SessionLimits,
};

/// Diagnostics of one operation: labels and numbers for tracing and reports, never dispatched on.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What the submitter calls it.
    pub operation: &'static str,
    /// The connection whose session it was submitted to.
    pub connection_id: ConnectionId,
    /// Its number within the session: 1 for the first, rising in the order of submission.
    pub sequence: u64,
    /// When it was submitted.
    pub submitted_at: Instant,
}

/// Which other operations may run beside this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overlap {
    /// Others of this kind.
    Shared,
    /// None.
    Alone,
}

/// What is known of one operation's way, for reports.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// `None`: the session was never open.
    pub(crate) epoch: Option<u64>,
    pub(crate) sequence: Option<u64>,
    pub(crate) queue_wait: Duration,
}

/// What the caller and the owner task both see of one operation while it is under way.
#[derive(Debug, Default)]
pub(crate) struct Ticket {
    pub(crate) phase: Phase,
    /// Set by the owner task when the operation leaves the queue.
    started_at: OnceLock<Instant>,
}

impl Ticket {
    pub(crate) fn started_at(&self) -> Option<Instant> {
        self.started_at.get().copied()
    }

    /// The error of an operation that has no answer, by whether anything was sent. Nothing will be sent from here on.
    pub(crate) fn unanswered(&self, failure: Failure) -> CallError {
        if self.phase.abandon() {
            CallError::NotSent(failure)
        } else {
            CallError::OutcomeUnknown(failure)
        }
    }
}

impl SessionLimits {
    /// The failure of an operation whose deadline passed.
    pub(super) fn too_late(&self, where_it_was: &str) -> Failure {
        let limit = self.call_timeout;
        let detail = format!(
            "the deadline passed {where_it_was} (limit call_timeout, {limit:?}, unless the caller set its own; in the configuration: tool_timeout_sec)"
        );
        Failure::new(Cause::Timeout, detail)
    }
}

/// An operation on its way to the owner task.
pub(crate) struct OperationRequest {
    pub(crate) about: Operation,
    /// The tool that it calls, where it is a call of one: what it may overlap with is the server's word about that tool.
    pub(crate) tool: Option<Arc<str>>,
    pub(crate) deadline: Instant,
    pub(crate) ticket: Arc<Ticket>,
    run: Box<dyn FnOnce(McpClient, Instant) -> BoxFuture<'static, ()> + Send>,
}

impl OperationRequest {
    /// Binds a callable to the reply slot of its caller.
    pub(crate) fn new<T, F>(
        about: Operation,
        tool: Option<Arc<str>>,
        deadline: Instant,
        ticket: Arc<Ticket>,
        reply: Reply<T>,
        run: F,
    ) -> Self
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c McpClient) -> BoxFuture<'c, Result<T, CallError>> + Send + 'static,
    {
        let run = Box::new(move |client: McpClient, deadline| {
            async move { reply.answer_with(client, deadline, run).await }.boxed()
        });
        Self { about, tool, deadline, ticket, run }
    }

    /// Runs the callable to its end, unless its caller has gone already.
    pub(crate) fn start(self, client: McpClient) -> BoxFuture<'static, ()> {
        let _set_once_because_an_operation_starts_once = self.ticket.started_at.set(Instant::now());
        (self.run)(client, self.deadline)
    }
}

/// The reply slot of one operation. It answers exactly once, also when it is dropped.
pub(crate) struct Reply<T> {
    /// The caller holds the other end; a closed slot means that nobody waits any more.
    slot: Option<oneshot::Sender<Result<T, CallError>>>,
    ticket: Arc<Ticket>,
    exit: ExitCell,
}

impl<T: Send + 'static> Reply<T> {
    pub(crate) fn new(
        slot: oneshot::Sender<Result<T, CallError>>,
        ticket: Arc<Ticket>,
        exit: ExitCell,
    ) -> Self {
        Self { slot: Some(slot), ticket, exit }
    }

    async fn answer_with<F>(mut self, client: McpClient, deadline: Instant, run: F)
    where
        F: for<'c> FnOnce(&'c McpClient) -> BoxFuture<'c, Result<T, CallError>>,
    {
        if self.caller_has_gone() {
            return;
        }
        // The callable itself may panic before it returns a future.
        let work = AssertUnwindSafe(async { run(&client).await }).catch_unwind();
        // Dropping `work` when nobody waits any more is what tells the server.
        let answer = tokio::select! {
            biased;
            answer = work => answer.unwrap_or_else(|_| {
                Err(self.ticket.unanswered(Failure::new(Cause::Internal, "the operation panicked")))
            }),
            () = self.caller_leaves() => return,
            // The caller keeps this deadline too, but a caller that is never polled must not hold the queue.
            () = tokio::time::sleep_until(deadline) => {
                Err(self.ticket.unanswered(Failure::new(Cause::Timeout, "the deadline passed")))
            }
        };
        self.answer(answer);
    }

    fn caller_has_gone(&self) -> bool {
        self.ticket.phase.is_abandoned()
            || self.slot.as_ref().is_none_or(oneshot::Sender::is_closed)
    }

    async fn caller_leaves(&mut self) {
        if let Some(slot) = &mut self.slot {
            slot.closed().await;
        }
    }

    fn answer(&mut self, answer: Result<T, CallError>) {
        if let Some(slot) = self.slot.take() {
            let _the_caller_may_have_gone = slot.send(answer);
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take()
            && !slot.is_closed()
        {
            let _the_caller_may_have_gone =
                slot.send(Err(self.ticket.unanswered(self.exit.failure())));
        }
    }
}
