//! A pool in which a function answers in place of servers: for tests of workflows, and for embedders that carry calls out
//! themselves.

use std::{fmt, sync::Arc};

use futures::future::BoxFuture;

use super::{Inner, SessionPool, Sessions};
use crate::call::{CallError, ToolCall, ToolCallResult};

/// Carries out one call.
type Answer =
    dyn Fn(ToolCall) -> BoxFuture<'static, Result<ToolCallResult, CallError>> + Send + Sync;

/// What answers.
pub(super) struct Answers(Box<Answer>);

impl SessionPool {
    /// A pool without connections: `answer` gets each call that passed the gate, of whatever connection, and its answer is
    /// what the caller hears.
    ///
    /// Calls overlap as they come. Dropping a call drops its future; nothing else ends one.
    pub fn answered_by<F>(answer: F) -> Self
    where
        F: Fn(ToolCall) -> BoxFuture<'static, Result<ToolCallResult, CallError>>
            + Send
            + Sync
            + 'static,
    {
        Self(Arc::new(Inner {
            connections: Default::default(),
            answers: Some(Answers(Box::new(answer))),
            sessions: std::sync::Mutex::new(Sessions::default()),
            closing: Default::default(),
        }))
    }
}

impl Answers {
    pub(super) fn answer(
        &self,
        call: ToolCall,
    ) -> BoxFuture<'static, Result<ToolCallResult, CallError>> {
        (self.0)(call)
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answers").finish_non_exhaustive()
    }
}
