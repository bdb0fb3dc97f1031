//! The bounds of answers that are not the last word on a call: a server that asks for input, or that works on in a task.

use std::time::Duration;

/// The bounds of one call whose answer takes several steps. All of it is within
/// [`call_timeout`](super::SessionLimits::call_timeout).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct InterimLimits {
    /// How often a server may ask for input in one call. Protects callers from servers that never have enough.
    pub max_input_rounds: u32,
    /// How long a task is left alone between two questions for its state, where the server names no interval.
    pub poll_interval: Duration,
    /// The shortest interval that a server may ask for. Protects this host, and the server from itself.
    pub min_poll_interval: Duration,
    /// The longest interval that a server may ask for. Protects callers from servers.
    pub max_poll_interval: Duration,
}

impl Default for InterimLimits {
    fn default() -> Self {
        Self {
            max_input_rounds: 8,
            poll_interval: Duration::from_secs(1),
            min_poll_interval: Duration::from_millis(50),
            max_poll_interval: Duration::from_secs(10),
        }
    }
}
