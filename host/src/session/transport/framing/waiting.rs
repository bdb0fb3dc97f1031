//! The requests that were written and not answered yet.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rmcp::model::{ProgressToken, RequestId};

use crate::session::transport::WireCall;

/// Shared between the writing and the reading side of one connection.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// Held for a look-up only, never across an await.
    requests: Mutex<Requests>,
}

#[derive(Debug, Default)]
struct Requests {
    /// By id; `None` for a request whose answer rmcp itself reads.
    in_flight: HashMap<RequestId, Option<WireCall>>,
    given_up: u64,
    /// Notifications that were written since the last answer.
    notified: u64,
}

/// Whether an answer without an id can be said to belong to a certain request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OnlyRequest {
    /// Exactly one was written and not answered.
    Certain(RequestId),
    /// One waits, but others were given up, and the server may be answering one of those.
    Likely(RequestId),
    /// None or several wait.
    No,
}

impl Waiting {
    /// Before the first byte of it is written, because the answer may be quick.
    pub(super) fn add(&self, id: RequestId, call: Option<WireCall>) {
        self.lock().in_flight.insert(id, call);
    }

    /// It wasn't written after all.
    pub(super) fn retract(&self, id: &RequestId) {
        self.lock().in_flight.remove(id);
    }

    /// Its caller doesn't wait any more.
    pub(super) fn give_up(&self, id: &RequestId) {
        let mut requests = self.lock();
        if requests.in_flight.remove(id).is_some() {
            requests.given_up += 1;
        }
    }

    /// The request that an answer to `id` belongs to. The next answer to the same id belongs to nobody.
    pub(super) fn take(&self, id: &RequestId) -> Option<Option<WireCall>> {
        let mut requests = self.lock();
        let taken = requests.in_flight.remove(id)?;
        // What was written before the request has been read by now.
        requests.notified = 0;
        Some(taken)
    }

    /// Something was written that has no answer.
    pub(super) fn note_notification(&self) {
        self.lock().notified += 1;
    }

    /// Whether an error without an id may be the forbidden answer to a notification. It is said once for each.
    pub(super) fn forgive_notification(&self) -> bool {
        let mut requests = self.lock();
        let may_be = requests.notified > 0;
        requests.notified = requests.notified.saturating_sub(1);
        may_be
    }

    /// The server tells of progress.
    pub(super) fn hear_progress(&self, token: &ProgressToken) {
        for call in self.lock().in_flight.values().flatten() {
            call.hear_progress(token);
        }
    }

    pub(super) fn only(&self) -> OnlyRequest {
        let requests = self.lock();
        let mut ids = requests.in_flight.keys();
        match (ids.next(), ids.next()) {
            (Some(id), None) if requests.given_up == 0 => OnlyRequest::Certain(id.clone()),
            (Some(id), None) => OnlyRequest::Likely(id.clone()),
            _ => OnlyRequest::No,
        }
    }

    pub(super) fn ids(&self) -> Vec<RequestId> {
        self.lock().in_flight.keys().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        // Nothing panics while it holds the lock; if something did, the map would still be whole.
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
