//! The choke point of one run: every call that the workflow makes passes here, and there is no other way to the pool.
//!
//! The gate numbers the call, checks it, writes the journal and asks the pool. It knows neither the sandbox nor WIT.

mod events;
mod journal;
mod sessions;
mod weight;

#[cfg(test)]
mod tests;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Semaphore, SemaphorePermit, watch},
    time::{Instant, timeout},
};

pub(crate) use self::{events::Teller, journal::millis};
pub use self::{
    events::{Event, Events, RunEnding},
    journal::{Ending, Entry},
};
use self::{
    journal::{Issued, Journal, Moment, OpenEntry},
    sessions::Sessions,
};
use crate::{
    call::{
        CallError, Cause, ConnectionId, Failure, Json, Refusal, RefusalReason, ToolCall,
        ToolCallResult,
    },
    grants::{Grants, Ruling, Verdicts},
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
    /// Before they are sent.
    checks_arguments: bool,
    journal: Journal,
    /// Locked to look one up, never across an await.
    sessions: Mutex<Sessions>,
    /// One permit for each call that may be under way.
    places: Semaphore,
    issued: AtomicU64,
    /// Calls that were issued and have not come to an end.
    under_way: AtomicU64,
    /// Bytes of all answers so far.
    received_bytes: AtomicU64,
    /// Read by whoever shows progress.
    progress: watch::Sender<Progress>,
    events: Teller,
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

/// A call that was told of as issued. Its end is told too, whichever way it comes.
struct Told<'g> {
    gate: &'g Gate,
    sequence: u64,
    issued_at: Instant,
    outcome: Ending,
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
        events: Teller,
    ) -> Self {
        Self {
            pool,
            grants: Verdicts::new(grants),
            on_session_loss,
            checks_arguments: false,
            journal: Journal::new(),
            sessions: Mutex::default(),
            places: Semaphore::new(limits.max_calls_in_flight),
            limits,
            issued: AtomicU64::new(0),
            under_way: AtomicU64::new(0),
            received_bytes: AtomicU64::new(0),
            progress,
            events,
        }
    }

    /// Refuses calls whose arguments aren't as the servers say.
    pub(crate) fn checking_arguments(self) -> Self {
        Self { checks_arguments: true, ..self }
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
        self.count(|progress| progress.issued += 1);
        let issued = Issued { sequence, argument_bytes: arguments.len(), at: Moment::now() };
        let (shown_connection, shown_tool) = (self.shown(connection), self.shown(tool));
        let (ruling, checked) = self.check(connection, tool, arguments);
        let mut entry = self.journal.issue(issued, shown_connection, shown_tool, ruling);
        let mut told = self.tell_of(issued, shown_connection, shown_tool);
        let answer = match checked {
            Ok(call) => self.carry_out(call, sequence, &mut entry).await,
            Err(refusal) => Err(Unanswered::Failed(CallError::Refused(refusal))),
        };
        let (answer, lost) = match answer {
            Ok(result) => (Ok(result), None),
            Err(Unanswered::Failed(error)) => (Err(error), None),
            Err(Unanswered::SessionLost { loss, truth }) => (Err(truth), Some(loss)),
        };
        let (answer, limit) = self.weigh(answer);
        entry.complete(&answer);
        told.outcome = Ending::from(&answer);
        self.count(|progress| progress.finished += 1);
        match (lost, limit) {
            (Some(loss), _) => Err(RunEnd::SessionLost(loss)),
            (None, Some(limit)) => Err(RunEnd::Limit(limit)),
            (None, None) => Ok(answer),
        }
    }

    /// Moves the progress on. Telling it takes a dozen locks, and most runs have nobody who reads it.
    fn count(&self, one: impl FnOnce(&mut Progress)) {
        if self.progress.receiver_count() > 0 {
            self.progress.send_modify(one);
        }
    }

    /// As much of a name as is kept, whatever becomes of the call.
    fn shown<'n>(&self, name: &'n str) -> &'n str {
        &name[..name.floor_char_boundary(self.limits.max_name_bytes)]
    }

    fn tell_of(&self, issued: Issued, connection: &str, tool: &str) -> Told<'_> {
        let sequence = issued.sequence;
        self.events.tell(|| Event::Issued {
            sequence,
            connection: connection.to_owned(),
            tool: tool.to_owned(),
        });
        self.under_way.fetch_add(1, Ordering::Relaxed);
        // The outcome stays when the future of the call is dropped.
        Told { gate: self, sequence, issued_at: issued.at.instant, outcome: Ending::Cancelled }
    }

    /// Whether a call may be made, and the rule that decided: first its form, then the rules.
    fn check(
        &self,
        connection: &str,
        tool: &str,
        arguments: String,
    ) -> (Option<Ruling>, Result<ToolCall, Refusal>) {
        let arguments = match self.check_form(connection, tool, arguments) {
            Ok(arguments) => arguments,
            Err(refusal) => return (None, Err(refusal)),
        };
        // The pool forbids some tools by itself; these rules are the run's.
        let (ruling, verdict) = self.grants.on(connection, tool, arguments.as_str());
        let checked = match verdict {
            Ok(()) => {
                let connection = ConnectionId::from(connection);
                Ok(ToolCall { connection, tool: tool.into(), arguments })
            }
            Err(no) => Err(Refusal { reason: RefusalReason::Denied, detail: no.0 }),
        };
        (Some(ruling), checked)
    }

    fn check_form(&self, connection: &str, tool: &str, arguments: String) -> Result<Json, Refusal> {
        let limits = &self.limits;
        let name_bytes = connection.len().max(tool.len());
        if name_bytes > limits.max_name_bytes {
            return Err(over(&LimitReached::name(limits, name_bytes)));
        }
        if arguments.len() > limits.max_argument_bytes {
            return Err(over(&LimitReached::arguments(limits, arguments.len())));
        }
        let invalid = |detail| Refusal { reason: RefusalReason::InvalidArguments, detail };
        let arguments = Json::from_text(arguments)
            .map_err(|error| invalid(format!("the arguments are not a JSON text: {error}")))?;
        if !arguments.is_object() {
            return Err(invalid("the arguments are not a JSON object".to_owned()));
        }
        Ok(arguments)
    }

    async fn carry_out(
        self: &Arc<Self>,
        call: ToolCall,
        sequence: u64,
        entry: &mut OpenEntry<'_>,
    ) -> Carried {
        let (_place, gate_wait) = self.place().await.map_err(Unanswered::Failed)?;
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

    /// Waits for the call's turn, and says how long.
    async fn place(&self) -> Result<(SemaphorePermit<'_>, Duration), CallError> {
        // A timer costs more than a place that is free.
        if let Ok(place) = self.places.try_acquire() {
            return Ok((place, Duration::ZERO));
        }
        let waiting_since = Instant::now();
        match timeout(self.limits.queue_time, self.places.acquire()).await {
            Ok(place) => {
                Ok((place.expect("the semaphore is never closed"), waiting_since.elapsed()))
            }
            Err(_elapsed) => Err(CallError::Refused(over(&LimitReached::call_queue(&self.limits)))),
        }
    }

    /// Holds an answer against the limits: what the guest may have of it, and the limit that ends the run.
    fn weigh(
        &self,
        answer: Result<ToolCallResult, CallError>,
    ) -> (Result<ToolCallResult, CallError>, Option<LimitReached>) {
        let limits = &self.limits;
        let bytes = answer.as_ref().map_or_else(weight::of_error, weight::of_result);
        let added = u64::try_from(bytes).unwrap_or(u64::MAX);
        let total = self.received_bytes.fetch_add(added, Ordering::Relaxed).saturating_add(added);
        let limit = (total > limits.max_total_result_bytes)
            .then(|| LimitReached::total_result(limits, total));
        let answer = match answer {
            Ok(_) if bytes > limits.max_result_bytes => {
                let detail = LimitReached::result(limits, bytes).to_string();
                Err(CallError::OutcomeUnknown(Failure::new(Cause::TooLarge, detail)))
            }
            answer => answer,
        };
        (answer, limit)
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls that the run still waits for.
    pub(crate) fn calls_under_way(&self) -> u64 {
        self.under_way.load(Ordering::Relaxed)
    }

    /// The sessions that were replaced under the run.
    pub(crate) fn session_losses(&self) -> Vec<SessionLoss> {
        self.sessions().losses().to_vec()
    }

    /// What was called so far, in the order of the calls.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.journal.entries()
    }

    /// Tells that the run is over.
    pub(crate) fn tell_end(&self, ending: RunEnding) {
        self.events.tell(|| Event::Ended(ending));
    }
}

/// The "no" to a call that is over a limit.
fn over(limit: &LimitReached) -> Refusal {
    Refusal { reason: RefusalReason::LimitReached, detail: limit.to_string() }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.gate.under_way.fetch_sub(1, Ordering::Relaxed);
        self.gate.events.tell(|| Event::Finished {
            sequence: self.sequence,
            outcome: self.outcome,
            duration: self.issued_at.elapsed(),
        });
    }
}

impl Witness for CallWitness {
    fn checks_arguments(&self) -> bool {
        self.gate.checks_arguments
    }

    fn is_handed_over(&self) {
        self.gate.journal.note(self.at, |entry| entry.attempts += 1);
    }

    fn sees(&self, epoch: u64) -> Result<(), SessionLoss> {
        self.gate.journal.note(self.at, |entry| entry.session_epoch = Some(epoch));
        let mut sessions = self.gate.sessions();
        let known = sessions.losses().len();
        let seen = sessions.see(&self.connection, epoch, self.call, self.on_session_loss);
        for loss in &sessions.losses()[known..] {
            self.gate.events.tell(|| Event::SessionLost(loss.clone()));
        }
        seen
    }

    fn did_not_use(&self) {
        self.gate.sessions().forget(&self.connection, self.call);
    }
}
