//! The bounds of opening a connection again.

use std::time::Duration;

/// When a connection that failed may be tried again. Protects servers from callers that would hammer them, and callers from
/// waiting for a server that is down.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecoveryLimits {
    /// From the first failure to the next attempt. Each failure after it doubles the delay.
    pub first_delay: Duration,
    /// The longest delay.
    pub max_delay: Duration,
    /// Up to this many percent of a delay are left out, by chance, so that hosts that lost one server together don't come
    /// back together. At most 100.
    pub jitter_percent: u32,
    /// Failed attempts in a row from which calls no longer wait for the next one.
    pub circuit_failures: u32,
    /// A session that ends within this time counts as a crash. The second crash in a row delays the next attempt.
    pub short_life: Duration,
}

impl Default for RecoveryLimits {
    fn default() -> Self {
        Self {
            first_delay: Duration::from_millis(250),
            max_delay: Duration::from_secs(30),
            jitter_percent: 25,
            circuit_failures: 5,
            short_life: Duration::from_secs(10),
        }
    }
}
