//! How far a stream has been read, and whether asking for its rest is still worth it.

use std::time::Duration;

use super::events::Event;
use crate::limits::HttpLimits;

/// Where a stream has come to.
pub(super) struct Position {
    last_event: Option<String>,
    pause: Duration,
    max_pause: Duration,
    attempts: u32,
    max_attempts: u32,
}

impl Position {
    /// The beginning.
    pub(super) fn new(limits: &HttpLimits) -> Self {
        Self {
            last_event: None,
            pause: limits.resume_delay,
            max_pause: limits.max_resume_delay,
            attempts: 0,
            max_attempts: limits.resume_attempts,
        }
    }

    /// An event came. One with an id or a message is progress, so that the attempts count anew.
    pub(super) fn note(&mut self, event: &Event) {
        if let Some(retry) = event.retry {
            self.pause = retry.min(self.max_pause);
        }
        if let Some(id) = &event.id {
            self.last_event = (!id.is_empty()).then(|| id.clone());
        }
        if event.id.is_some() || event.is_message() {
            self.attempts = 0;
        }
    }

    /// The last event, as a resumption names it.
    pub(super) fn last_event(&self) -> Option<&str> {
        self.last_event.as_deref()
    }

    /// The pause before a resumption.
    pub(super) fn pause(&self) -> Duration {
        self.pause
    }

    /// Attempts since the last progress.
    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Takes one attempt, while there are some.
    pub(super) fn take_attempt(&mut self) -> bool {
        let is_left = self.attempts < self.max_attempts;
        self.attempts += u32::from(is_left);
        is_left
    }
}
