//! What is said when a run reaches a limit.

use std::{fmt, time::Duration};

use serde::Serialize;

use super::{EngineLimits, PoolLimits, RunLimits};

/// A limit that a run reached: which, its value, what was reached, and how to raise it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LimitReached {
    /// The field of [`RunLimits`], or of [`EngineLimits`] for the stack and of [`PoolLimits`] for a place in the pool.
    pub limit: &'static str,
    /// Its value, with its unit.
    pub value: String,
    /// What the run did.
    pub reached: String,
    /// The option of the command line that raises it; the field itself where the command has no pool.
    pub raise_with: &'static str,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, value, reached, raise_with } = self;
        write!(f, "limit {limit} ({value}) reached: {reached}; raise it with {raise_with}")
    }
}

impl std::error::Error for LimitReached {}

/// A limit without its value and what was reached.
struct Named {
    limit: &'static str,
    raise_with: &'static str,
}

impl Named {
    fn time(self, value: Duration, reached: String) -> LimitReached {
        self.reached(format!("{value:?}"), reached)
    }

    fn count(self, value: impl fmt::Display, unit: &str, reached: String) -> LimitReached {
        self.reached(format!("{value} {unit}"), reached)
    }

    fn reached(self, value: String, reached: String) -> LimitReached {
        LimitReached { limit: self.limit, value, reached, raise_with: self.raise_with }
    }
}

const fn named(limit: &'static str, raise_with: &'static str) -> Named {
    Named { limit, raise_with }
}

impl LimitReached {
    pub(crate) fn wall_clock(limits: &RunLimits) -> Self {
        let reached = "the run was not done by then".to_owned();
        named("wall_clock", "--timeout").time(limits.wall_clock, reached)
    }

    pub(crate) fn cpu_time(limits: &RunLimits, used: Duration) -> Self {
        let reached = format!("the workflow had computed for {used:?} and was not done");
        named("cpu_time", "--cpu-time").time(limits.cpu_time, reached)
    }

    pub(crate) fn fuel(fuel: u64) -> Self {
        let reached = "the workflow wanted to execute more".to_owned();
        named("fuel", "--fuel").count(fuel, "instructions", reached)
    }

    pub(crate) fn run_queue(limits: &RunLimits) -> Self {
        let reached = "the engine had no place for the run by then".to_owned();
        named("queue_time", "--queue-time").time(limits.queue_time, reached)
    }

    pub(crate) fn call_queue(limits: &RunLimits) -> Self {
        let reached = format!(
            "the call had to wait for the {} that were under way (max_calls_in_flight)",
            limits.max_calls_in_flight
        );
        named("queue_time", "--queue-time").time(limits.queue_time, reached)
    }

    pub(crate) fn memory(limits: &RunLimits, wanted_bytes: usize) -> Self {
        let reached = format!("the workflow asked for {wanted_bytes} bytes in all");
        named("max_memory_bytes", "--max-memory").count(limits.max_memory_bytes, "bytes", reached)
    }

    pub(crate) fn reserved(limits: &PoolLimits, wanted_bytes: usize) -> Self {
        let reached = format!("the workflow asked for a memory of {wanted_bytes} bytes");
        named("reserve_memory_bytes", "PoolLimits::reserve_memory_bytes").count(
            limits.reserve_memory_bytes,
            "bytes",
            reached,
        )
    }

    pub(crate) fn table(limits: &RunLimits, wanted: usize) -> Self {
        let reached = format!("the workflow asked for {wanted} elements in all");
        named("max_table_elements", "--max-table-elements").count(
            limits.max_table_elements,
            "elements",
            reached,
        )
    }

    pub(crate) fn instances(limits: &RunLimits) -> Self {
        let reached = "the component has more of them".to_owned();
        named("max_instances", "--max-instances").count(
            limits.max_instances,
            "core instances",
            reached,
        )
    }

    pub(crate) fn stack(limits: &EngineLimits) -> Self {
        let reached = "the workflow called deeper than that".to_owned();
        named("max_stack_bytes", "--max-stack").count(limits.max_stack_bytes, "bytes", reached)
    }

    pub(crate) fn component_handles(limits: &RunLimits) -> Self {
        let reached = "the workflow wanted one more, a call under way for example".to_owned();
        named("max_component_handles", "--max-handles").count(
            limits.max_component_handles,
            "handles",
            reached,
        )
    }

    pub(crate) fn transfer(limits: &RunLimits) -> Self {
        let reached = "the workflow wanted to hand over more in one call".to_owned();
        named("max_transfer_bytes", "--max-transfer").count(
            limits.max_transfer_bytes,
            "bytes",
            reached,
        )
    }

    pub(crate) fn calls(limits: &RunLimits) -> Self {
        let reached = "the workflow made one call more".to_owned();
        named("max_calls", "--max-calls").count(limits.max_calls, "calls", reached)
    }

    pub(crate) fn name(limits: &RunLimits, bytes: usize) -> Self {
        let reached = format!("a name has {bytes} bytes");
        named("max_name_bytes", "--max-name").count(limits.max_name_bytes, "bytes", reached)
    }

    pub(crate) fn arguments(limits: &RunLimits, bytes: usize) -> Self {
        let reached = format!("the arguments have {bytes} bytes");
        named("max_argument_bytes", "--max-arguments").count(
            limits.max_argument_bytes,
            "bytes",
            reached,
        )
    }

    pub(crate) fn result(limits: &RunLimits, bytes: usize) -> Self {
        let reached = format!("the answer to the call has {bytes} bytes");
        named("max_result_bytes", "--max-result").count(limits.max_result_bytes, "bytes", reached)
    }

    pub(crate) fn total_result(limits: &RunLimits, bytes: u64) -> Self {
        let reached = format!("the answers have {bytes} bytes together");
        named("max_total_result_bytes", "--max-total-result").count(
            limits.max_total_result_bytes,
            "bytes",
            reached,
        )
    }

    pub(crate) fn output(limits: &RunLimits, bytes: usize) -> Self {
        let reached = format!("the result has {bytes} bytes");
        named("max_output_bytes", "--max-output").count(limits.max_output_bytes, "bytes", reached)
    }

    pub(crate) fn log_lines(max_log_bytes: usize, lines: u64) -> Self {
        let reached = format!("the script wrote {lines} lines more, which are not kept");
        named("max_log_bytes", "--max-log").count(max_log_bytes, "bytes", reached)
    }

    pub(crate) fn logs(max_log_bytes: usize, bytes: u64) -> Self {
        let reached = format!("the workflow wrote {bytes} bytes, and what came last is not kept");
        named("max_log_bytes", "--max-log").count(max_log_bytes, "bytes", reached)
    }
}
