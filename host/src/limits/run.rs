//! The bounds of one run of a workflow.

use std::time::Duration;

/// The bounds of one run of a workflow. That of its stack is the engine's: [`EngineLimits::max_stack_bytes`](super::EngineLimits::max_stack_bytes).
///
/// A run that reaches one ends with [`Stopped::Limit`](crate::Stopped::Limit), unless the field says what happens instead.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunLimits {
    /// From instantiation to result, everything included. Protects the host from guests.
    pub wall_clock: Duration,
    /// How long threads may work on the run; waiting for tools and for its turn doesn't count. It is measured on the wall,
    /// piece by piece, so a thread that the system interrupts goes on counting. Protects other runs from guests.
    pub cpu_time: Duration,
    /// Instructions that the run may execute, if they are to be counted: a number that is the same on every machine. Needs
    /// [`EngineOptions::counts_fuel`](crate::EngineOptions::counts_fuel). Protects the host from guests.
    pub fuel: Option<u64>,
    /// How long the run may wait for its place in a pooled engine, and each of its calls for its turn in the gate. A call
    /// that waits longer is refused and nothing is sent. Protects callers from other runs.
    pub queue_time: Duration,
    /// Linear memory of all instances of the run together, in bytes. Growth beyond it fails, and the guest may live with
    /// that. Protects the host from guests.
    pub max_memory_bytes: usize,
    /// Elements of all tables of the run together. Growth beyond it fails as that of memory does. Protects the host from guests.
    pub max_table_elements: usize,
    /// Core instances of one run. Protects the host from guests.
    pub max_instances: usize,
    /// Handles of the component model that may be alive at once: calls under way, streams, resources. Two for each call that
    /// is not awaited yet is plenty. Protects the host's memory from guests.
    pub max_component_handles: usize,
    /// Bytes that one call, or the result, may copy out of the sandbox before anything else looks at them. More than
    /// `max_argument_bytes` and `max_output_bytes`. Protects the host's memory from guests.
    pub max_transfer_bytes: usize,
    /// Tool calls of one run. Protects servers from guests.
    pub max_calls: u64,
    /// Tool calls of one run that may be under way at once; more wait in the gate. Protects the host from guests.
    pub max_calls_in_flight: usize,
    /// Bytes of the name of a connection or a tool; a call with a longer one is refused, and the record keeps the beginning.
    /// Protects the host's memory from guests.
    pub max_name_bytes: usize,
    /// Bytes of arguments of one call; a call with more is refused and nothing is sent. Protects servers from guests.
    pub max_argument_bytes: usize,
    /// Bytes of the answer to one call; a larger one is dropped, and the guest hears `outcome-unknown` with the cause
    /// `too-large`. Protects the host from servers.
    pub max_result_bytes: usize,
    /// Bytes of the answers to all calls of the run together, errors included. Protects the host from servers and guests.
    pub max_total_result_bytes: u64,
    /// Bytes of one run's result, or of what it says of its failure. Protects whoever reads it.
    pub max_output_bytes: usize,
    /// Bytes of what the run writes to its logs; what comes after them is dropped, and the report says so. Protects the host's
    /// memory from guests.
    pub max_log_bytes: usize,
    /// Bytes of randomness that one request may ask for. Protects the host's memory from guests that have WASI.
    pub max_random_bytes: u64,
    /// Events that a slow reader of [`Events`](crate::Events) may be behind before it misses some. Protects memory from readers.
    pub max_unread_events: usize,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            wall_clock: Duration::from_secs(300),
            cpu_time: Duration::from_secs(60),
            fuel: None,
            queue_time: Duration::from_secs(300),
            max_memory_bytes: 256 << 20,
            max_table_elements: 100_000,
            max_instances: 64,
            max_component_handles: 20_000,
            max_transfer_bytes: 128 << 20,
            max_calls: 10_000,
            max_calls_in_flight: 256,
            max_name_bytes: 1 << 10,
            max_argument_bytes: 16 << 20,
            max_result_bytes: 64 << 20,
            max_total_result_bytes: 1 << 30,
            max_output_bytes: 64 << 20,
            max_log_bytes: 1 << 20,
            max_random_bytes: 1 << 20,
            max_unread_events: 256,
        }
    }
}
