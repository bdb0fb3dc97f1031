//! The place of one session at a time: that of one connection under one set of credentials.

use tokio::time::Instant;

use super::backoff::{Backoff, Pause};
use crate::{limits::RecoveryLimits, session::Session};

/// The session, and what is remembered of those before it.
#[derive(Debug, Default)]
pub(super) struct Slot {
    session: Option<Session>,
    /// The epoch of the last session that was open. An attempt that failed has no epoch, because nobody had a session.
    last_epoch: u64,
    backoff: Backoff,
}

/// What a call finds.
pub(super) enum Found {
    Session(Session),
    Pause(Pause),
}

impl Slot {
    /// Takes a session out that has ended, and draws the conclusions.
    pub(super) fn retire(&mut self, limits: &RecoveryLimits) -> Option<Session> {
        let end = self.session.as_ref()?.end()?;
        self.backoff.note(&end, limits);
        let session = self.session.take()?;
        if end.opened_at.is_some() {
            self.last_epoch = session.epoch();
        }
        let next_attempt = self.backoff.pause(end.ended_at).map(|pause| pause.until - end.ended_at);
        tracing::info!(connection = %session.connection_id(), exit = %end.exit, ?next_attempt, "session is over");
        Some(session)
    }

    /// The session, or a new one unless a pause forbids it. There is never more than one, so there is never more than one
    /// attempt: whoever comes while it is made waits for its outcome.
    pub(super) fn session(&mut self, start: impl FnOnce(u64) -> Session) -> Found {
        if let Some(session) = &self.session {
            return Found::Session(session.clone());
        }
        if let Some(pause) = self.backoff.pause(Instant::now()) {
            return Found::Pause(pause.clone());
        }
        let session = start(self.last_epoch + 1);
        self.session = Some(session.clone());
        Found::Session(session)
    }

    pub(super) fn current(&self) -> Option<&Session> {
        self.session.as_ref()
    }
}
