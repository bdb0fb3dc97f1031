//! The choke point of one run: every call that the workflow makes passes here, and there is no other way to the pool.
//!
//! The gate numbers the call, checks it, writes the journal and asks the pool. It knows neither the sandbox nor WIT.

mod journal;
mod sessions;

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use tokio::{
    sync::{Semaphore, watch},
    time::Instant,
};

pub(crate) use self::journal::millis;
pub use self::journal::{Ending, Entry};
use self::{journal::Journal, sessions::Sessions};
use crate::{
    call::{CallError, ConnectionId, Json, Refusal, RefusalReason, ToolCall, ToolCallResult},
    grants::{Grants, Verdicts},
    limits::{LimitReached, RunLimits},
    pool::{Carried, OnSessionLoss, SessionLoss, SessionPool, Unanswered, Witness},
};

/// The gate of one run.
#[derive(Debug)]
pub(crate) struct Gate {
    pool: SessionPool,
    limits: RunLimits,
    grants: Verdicts,
    /// In place of what the connections say.
    on_session_loss: Option<OnSessionLoss>,
    journal: Journal,
    /// Locked to look one up, never across an await.
    sessions: Mutex<Sessions>,
    /// One permit for each call that may be under way.
    places: Semaphore,
    issued: AtomicU64,
    /// Read by whoever shows progress.
    progress: watch::Sender<Progress>,
}

/// Why the gate ends a run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunEnd {
    #[error(transparent)]
    Limit(LimitReached),
    #[error("{0}")]
    SessionLost(SessionLoss),
}

/// Writes down how one call goes.
struct CallWitness {
    gate: Arc<Gate>,
    connection: ConnectionId,
    call: u64,
    /// Of its entry in the journal.
    at: usize,
    on_session_loss: OnSessionLoss,
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
        grants: Arc<Grants>,
        on_session_loss: Option<OnSessionLoss>,
        progress: watch::Sender<Progress>,
    ) -> Self {
        Self {
            pool,
            grants: Verdicts::new(grants),
            on_session_loss,
            journal: Journal::new(),
            sessions: Mutex::default(),
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
    ) -> Result<Result<ToolCallResult, CallError>, RunEnd> {
        let sequence = self.issued.fetch_add(1, Ordering::Relaxed) + 1;
        if sequence > self.limits.max_calls {
            return Err(RunEnd::Limit(LimitReached::calls(&self.limits)));
        }
        self.progress.send_modify(|progress| progress.issued += 1);
        let mut entry = self.journal.issue(sequence, connection, tool, arguments.len());
        let answer = match self.check(connection, tool, arguments, &mut entry) {
            Ok(call) => self.carry_out(call, sequence, &mut entry).await,
            Err(refusal) => Err(Unanswered::Failed(CallError::Refused(refusal))),
        };
        let (answer, end) = match answer {
            Ok(result) => (Ok(result), None),
            Err(Unanswered::Failed(error)) => (Err(error), None),
            Err(Unanswered::SessionLost { loss, truth }) => (Err(truth), Some(loss)),
        };
        entry.complete(&answer);
        self.progress.send_modify(|progress| progress.finished += 1);
        match end {
            Some(loss) => Err(RunEnd::SessionLost(loss)),
            None => Ok(answer),
        }
    }

    /// Whether a call may be made: first its form, then the rules.
    fn check(
        &self,
        connection: &str,
        tool: &str,
        arguments: String,
        entry: &mut journal::OpenEntry<'_>,
    ) -> Result<ToolCall, Refusal> {
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
        // The pool forbids some tools by itself; these rules are the run's.
        let (ruling, verdict) = self.grants.on(connection, tool, arguments.as_str());
        entry.is_ruled_by(ruling);
        verdict.map_err(|no| Refusal { reason: RefusalReason::Denied, detail: no.0 })?;
        Ok(ToolCall { connection: ConnectionId::from(connection), tool: tool.into(), arguments })
    }

    async fn carry_out(
        self: &Arc<Self>,
        call: ToolCall,
        sequence: u64,
        entry: &mut journal::OpenEntry<'_>,
    ) -> Carried {
        let waiting_since = Instant::now();
        let _place = self.places.acquire().await.expect("the semaphore is never closed");
        let gate_wait = waiting_since.elapsed();
        let configured = self.pool.on_session_loss(&call.connection);
        let witness = Arc::new(CallWitness {
            gate: self.clone(),
            connection: call.connection.clone(),
            call: sequence,
            at: entry.at(),
            on_session_loss: self.on_session_loss.unwrap_or(configured),
        });
        let (answer, trace) = self.pool.call_witnessed(call, witness).await;
        if let Some(trace) = trace {
            entry.travelled(gate_wait, &trace);
        }
        answer
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sessions that were replaced under the run.
    pub(crate) fn session_losses(&self) -> Vec<SessionLoss> {
        self.sessions().losses()
    }

    /// What was called so far, in the order of the calls.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.journal.entries()
    }
}

impl Witness for CallWitness {
    fn is_handed_over(&self) {
        self.gate.journal.note(self.at, |entry| entry.attempts += 1);
    }

    fn sees(&self, epoch: u64) -> Result<(), SessionLoss> {
        self.gate.journal.note(self.at, |entry| entry.session_epoch = Some(epoch));
        self.gate.sessions().see(&self.connection, epoch, self.call, self.on_session_loss)
    }

    fn did_not_use(&self) {
        self.gate.sessions().forget(&self.connection, self.call);
    }
}
