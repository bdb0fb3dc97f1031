//! When a connection may be opened again: [`Backoff`] counts its failures, and between them there is a [`Pause`].

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::Duration,
};

use tokio::time::Instant;

use crate::{
    call::{CallError, Cause, Failure},
    limits::RecoveryLimits,
    session::{Exit, SessionEnd},
};

/// The failures of one connection in a row. It looks at sessions that have ended and at the clock, and starts nothing.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    /// Attempts since the last one that succeeded.
    failed_opens: u32,
    /// Sessions that opened and soon ended, since the last one that lived longer.
    short_lives: u32,
    pause: Option<Pause>,
}

/// No attempt is made until it is over.
#[derive(Clone, Debug)]
pub(super) struct Pause {
    pub(super) until: Instant,
    pub(super) circuit: Circuit,
    /// The last failure.
    why: String,
    failures: u32,
}

/// Whether calls wait for the next attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Circuit {
    /// They do, if their deadlines allow it.
    Closed,
    /// They fail at once. When the pause is over, one attempt decides.
    Open,
}

impl Backoff {
    /// Counts the end of a session in, once.
    pub(super) fn note(&mut self, end: &SessionEnd, limits: &RecoveryLimits) {
        if end.exit == Exit::Closed {
            return;
        }
        match end.opened_at {
            None => self.failed_opens = self.failed_opens.saturating_add(1),
            Some(opened_at) => {
                self.failed_opens = 0;
                let is_short = end.ended_at - opened_at < limits.short_life;
                self.short_lives = if is_short { self.short_lives.saturating_add(1) } else { 0 };
            }
        }
        // The first crash costs nothing: most sessions that end, end once.
        let failures = self.failed_opens.max(self.short_lives.saturating_sub(1));
        let is_open = self.failed_opens >= limits.circuit_failures;
        self.pause = (failures > 0).then(|| Pause {
            until: end.ended_at + delay(failures, limits, chance()),
            circuit: if is_open { Circuit::Open } else { Circuit::Closed },
            why: end.exit.to_string(),
            failures,
        });
    }

    /// The pause, if it isn't over.
    pub(super) fn pause(&self, now: Instant) -> Option<&Pause> {
        self.pause.as_ref().filter(|pause| now < pause.until)
    }
}

impl Pause {
    /// What a call is told that doesn't wait.
    pub(super) fn refusal(&self, now: Instant) -> CallError {
        let Self { until, circuit, why, failures } = self;
        let wait = until.saturating_duration_since(now);
        let state = match circuit {
            Circuit::Closed => "",
            Circuit::Open => ", and until then calls fail at once",
        };
        let detail =
            format!("{why} (failures in a row: {failures}; next attempt in {wait:.1?}{state})");
        CallError::NotSent(Failure::new(Cause::ConnectFailed, detail))
    }
}

/// The delay after so many failures, with a share of it left out by `chance`, which is from 0 to 1.
fn delay(failures: u32, limits: &RecoveryLimits, chance: f64) -> Duration {
    let doublings = failures.saturating_sub(1);
    let factor = 2_u32.checked_pow(doublings).unwrap_or(u32::MAX);
    let whole = limits.first_delay.saturating_mul(factor).min(limits.max_delay);
    let jitter = f64::from(limits.jitter_percent.min(100)) / 100.0;
    whole.mul_f64(1.0 - jitter * chance)
}

/// From 0 to 1. The keys that the standard library makes for its hash tables are random enough to spread attempts, and
/// cost no dependency.
fn chance() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    random as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests;
