//! What one run called, and what became of it.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use serde::{Serialize, Serializer};
use tokio::time::Instant;

use crate::{
    call::{CallError, Cause, Outcome, ToolCallResult},
    grants::Ruling,
    session::Trace,
};

/// One call of a run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Entry {
    /// Its number within the run: 1 for the first, in the order in which the workflow made the calls.
    pub sequence: u64,
    /// The connection that it named.
    pub connection: String,
    /// The tool that it named.
    pub tool: String,
    /// When the workflow made it, in milliseconds since 1970-01-01T00:00:00Z.
    #[serde(rename = "submitted_at_unix_ms", serialize_with = "unix_millis")]
    pub submitted_at: SystemTime,
    /// How long it waited for its turn, in the gate and in the session's queue.
    #[serde(rename = "queue_wait_ms", serialize_with = "millis")]
    pub queue_wait: Duration,
    /// From the making of the call to its answer.
    #[serde(rename = "duration_ms", serialize_with = "millis")]
    pub duration: Duration,
    /// What became of it.
    pub outcome: Ending,
    /// The kind of failure, where the call was not sent or its outcome is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The sentence that came with an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The rule that allowed or refused it; none decided about arguments that aren't an object, or too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Ruling>,
    /// Bytes of its arguments.
    pub argument_bytes: usize,
    /// Bytes of the answer's `output`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<usize>,
    /// How often it was handed to a session. A second time means that the first session ended before its answer.
    pub attempts: u32,
    /// Which session of the connection carried it: 1 for the first. A higher number than in an earlier entry means that
    /// the server may have lost its state in between. Of two attempts it is the one that the outcome is true of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_epoch: Option<u64>,
    /// Its number within that session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_sequence: Option<u64>,
}

/// What became of one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// The tool did what it was asked.
    Ok,
    /// The tool ran and reports its own failure.
    Error,
    /// The gate said no.
    Refused,
    /// Nothing reached the server.
    NotSent,
    /// The server answered with a JSON-RPC error.
    Rejected,
    /// It was sent, and no usable answer came.
    OutcomeUnknown,
    /// The workflow gave it up, or the run ended before its answer.
    Cancelled,
}

impl From<&Result<ToolCallResult, CallError>> for Ending {
    fn from(answer: &Result<ToolCallResult, CallError>) -> Self {
        match answer {
            Ok(result) if result.outcome == Outcome::Ok => Self::Ok,
            Ok(_) => Self::Error,
            Err(CallError::Refused(_)) => Self::Refused,
            Err(CallError::NotSent(_)) => Self::NotSent,
            Err(CallError::Rejected(_)) => Self::Rejected,
            Err(CallError::OutcomeUnknown(_)) => Self::OutcomeUnknown,
        }
    }
}

/// A call that was just made.
#[derive(Clone, Copy)]
pub(super) struct Issued {
    pub(super) sequence: u64,
    pub(super) argument_bytes: usize,
    pub(super) at: Moment,
}

/// Now, on both clocks.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    time: SystemTime,
    pub(super) instant: Instant,
}

impl Moment {
    pub(super) fn now() -> Self {
        Self { time: SystemTime::now(), instant: Instant::now() }
    }
}

/// The calls of one run in their order.
#[derive(Debug)]
pub(super) struct Journal {
    /// Locked to add or to fill in an entry, never across an await.
    entries: Mutex<Vec<Entry>>,
}

impl Journal {
    pub(super) fn new() -> Self {
        Self { entries: Mutex::default() }
    }

    /// Writes down that a call was made, before anything is done about it.
    pub(super) fn issue(
        &self,
        issued: Issued,
        connection: &str,
        tool: &str,
        rule: Option<Ruling>,
    ) -> OpenEntry<'_> {
        let Issued { sequence, argument_bytes, at } = issued;
        let entry = Entry {
            sequence,
            connection: connection.to_owned(),
            tool: tool.to_owned(),
            submitted_at: at.time,
            queue_wait: Duration::ZERO,
            duration: Duration::ZERO,
            // Stays when the future of the call is dropped.
            outcome: Ending::Cancelled,
            cause: None,
            detail: None,
            rule,
            argument_bytes,
            output_bytes: None,
            attempts: 0,
            session_epoch: None,
            session_sequence: None,
        };
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry);
        OpenEntry { journal: self, at: entries.len() - 1, issued_at: at.instant }
    }

    /// Writes down what happens to a call that has no answer yet: it may never get one.
    pub(super) fn note(&self, at: usize, change: impl FnOnce(&mut Entry)) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut entries[at]);
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The entry of a call that has no answer yet.
pub(super) struct OpenEntry<'j> {
    journal: &'j Journal,
    at: usize,
    issued_at: Instant,
}

impl OpenEntry<'_> {
    /// Where [`Journal::note`] finds it.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Fills in the way that the call went.
    pub(super) fn travelled(&mut self, gate_wait: Duration, trace: &Trace) {
        self.update(|entry| {
            entry.queue_wait = gate_wait + trace.queue_wait;
            entry.session_epoch = trace.epoch;
            entry.session_sequence = trace.sequence;
        });
    }

    /// Fills in the answer.
    pub(super) fn complete(self, answer: &Result<ToolCallResult, CallError>) {
        self.update(|entry| {
            entry.outcome = Ending::from(answer);
            match answer {
                Ok(result) => entry.output_bytes = Some(result.output.as_str().len()),
                Err(error) => {
                    entry.cause = error.cause();
                    entry.detail = Some(error.to_string());
                }
            }
        });
    }

    fn update(&self, change: impl FnOnce(&mut Entry)) {
        self.journal.note(self.at, |entry| {
            change(entry);
            entry.duration = self.issued_at.elapsed();
        });
    }
}

pub(crate) fn millis<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((duration.as_secs_f64() * 1e6).round() / 1e3)
}

fn unix_millis<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    serializer.serialize_u64(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
