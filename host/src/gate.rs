//! The choke point of one run: every call that the workflow makes passes here, and there is no other way to the pool.
//!
//! The gate numbers the call, checks it, writes the journal and asks the pool. It knows neither the sandbox nor WIT.

mod journal;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use tokio::{
    sync::{Semaphore, watch},
    time::Instant,
};

use self::journal::Journal;
pub(crate) use self::journal::millis;
pub use self::journal::{Ending, Entry};
use crate::{
    call::{CallError, ConnectionId, Json, Refusal, RefusalReason, ToolCall, ToolCallResult},
    limits::{LimitReached, RunLimits},
    pool::SessionPool,
};

/// The gate of one run.
#[derive(Debug)]
pub(crate) struct Gate {
    pool: SessionPool,
    limits: RunLimits,
    journal: Journal,
    /// One permit for each call that may be under way.
    places: Semaphore,
    issued: AtomicU64,
    /// Read by whoever shows progress.
    progress: watch::Sender<Progress>,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Calls that the workflow has made.
    pub issued: u64,
    /// Calls that have their answer.
    pub finished: u64,
}

impl Gate {
    pub(crate) fn new(
        pool: SessionPool,
        limits: RunLimits,
        progress: watch::Sender<Progress>,
    ) -> Self {
        Self {
            pool,
            journal: Journal::new(),
            places: Semaphore::new(limits.max_calls_in_flight),
            limits,
            issued: AtomicU64::new(0),
            progress,
        }
    }

    /// Carries out one call of the workflow.
    ///
    /// # Errors
    ///
    /// The outer one ends the run; the inner one is the workflow's to handle.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future cancels the call, and the journal says so.
    pub(crate) async fn call(
        self: &Arc<Self>,
        connection: &str,
        tool: &str,
        arguments: String,
    ) -> Result<Result<ToolCallResult, CallError>, LimitReached> {
        let sequence = self.issued.fetch_add(1, Ordering::Relaxed) + 1;
        if sequence > self.limits.max_calls {
            return Err(LimitReached::calls(&self.limits));
        }
        self.progress.send_modify(|progress| progress.issued += 1);
        let mut entry = self.journal.issue(sequence, connection, tool, arguments.len());
        let answer = match self.check(connection, tool, arguments) {
            Ok(call) => self.carry_out(call, &mut entry).await,
            Err(refusal) => Err(CallError::Refused(refusal)),
        };
        entry.complete(&answer);
        self.progress.send_modify(|progress| progress.finished += 1);
        Ok(answer)
    }

    fn check(&self, connection: &str, tool: &str, arguments: String) -> Result<ToolCall, Refusal> {
        let invalid = |detail| Refusal { reason: RefusalReason::InvalidArguments, detail };
        let limit = self.limits.max_argument_bytes;
        if arguments.len() > limit {
            return Err(invalid(format!(
                "the arguments have {} bytes, the limit max_argument_bytes is {limit}",
                arguments.len()
            )));
        }
        let arguments = Json::from_text(arguments)
            .map_err(|error| invalid(format!("the arguments are not a JSON text: {error}")))?;
        if !arguments.is_object() {
            return Err(invalid("the arguments are not a JSON object".to_owned()));
        }
        Ok(ToolCall { connection: ConnectionId::from(connection), tool: tool.into(), arguments })
    }

    async fn carry_out(
        &self,
        call: ToolCall,
        entry: &mut journal::OpenEntry<'_>,
    ) -> Result<ToolCallResult, CallError> {
        let waiting_since = Instant::now();
        let _place = self.places.acquire().await.expect("the semaphore is never closed");
        let gate_wait = waiting_since.elapsed();
        let (answer, trace) = self.pool.call_traced(call).await;
        if let Some(trace) = trace {
            entry.travelled(gate_wait, &trace);
        }
        answer
    }

    /// What was called so far, in the order of the calls.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.journal.entries()
    }
}
