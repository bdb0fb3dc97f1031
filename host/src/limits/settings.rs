//! Limits that somebody set, each on its own: what a configuration or a command line says.

use std::time::Duration;

use super::{EngineLimits, RunLimits};

/// Values for some of the fields of [`RunLimits`] and [`EngineLimits`]; the others keep theirs.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each field is named like the one that it sets")]
pub struct LimitSettings {
    pub wall_clock: Option<Duration>,
    pub cpu_time: Option<Duration>,
    pub fuel: Option<u64>,
    pub queue_time: Option<Duration>,
    pub max_memory_bytes: Option<usize>,
    pub max_table_elements: Option<usize>,
    pub max_instances: Option<usize>,
    pub max_stack_bytes: Option<usize>,
    pub max_component_handles: Option<usize>,
    pub max_transfer_bytes: Option<usize>,
    pub max_calls: Option<u64>,
    pub max_calls_in_flight: Option<usize>,
    pub max_name_bytes: Option<usize>,
    pub max_argument_bytes: Option<usize>,
    pub max_result_bytes: Option<usize>,
    pub max_total_result_bytes: Option<u64>,
    pub max_output_bytes: Option<usize>,
    pub max_log_bytes: Option<usize>,
}

impl LimitSettings {
    /// These settings, and those of `others` where these have none.
    #[must_use]
    pub fn or(self, others: &Self) -> Self {
        Self {
            wall_clock: self.wall_clock.or(others.wall_clock),
            cpu_time: self.cpu_time.or(others.cpu_time),
            fuel: self.fuel.or(others.fuel),
            queue_time: self.queue_time.or(others.queue_time),
            max_memory_bytes: self.max_memory_bytes.or(others.max_memory_bytes),
            max_table_elements: self.max_table_elements.or(others.max_table_elements),
            max_instances: self.max_instances.or(others.max_instances),
            max_stack_bytes: self.max_stack_bytes.or(others.max_stack_bytes),
            max_component_handles: self.max_component_handles.or(others.max_component_handles),
            max_transfer_bytes: self.max_transfer_bytes.or(others.max_transfer_bytes),
            max_calls: self.max_calls.or(others.max_calls),
            max_calls_in_flight: self.max_calls_in_flight.or(others.max_calls_in_flight),
            max_name_bytes: self.max_name_bytes.or(others.max_name_bytes),
            max_argument_bytes: self.max_argument_bytes.or(others.max_argument_bytes),
            max_result_bytes: self.max_result_bytes.or(others.max_result_bytes),
            max_total_result_bytes: self.max_total_result_bytes.or(others.max_total_result_bytes),
            max_output_bytes: self.max_output_bytes.or(others.max_output_bytes),
            max_log_bytes: self.max_log_bytes.or(others.max_log_bytes),
        }
    }

    /// The bounds of a run with these settings.
    #[must_use]
    pub fn on_run(&self, limits: RunLimits) -> RunLimits {
        RunLimits {
            wall_clock: self.wall_clock.unwrap_or(limits.wall_clock),
            cpu_time: self.cpu_time.unwrap_or(limits.cpu_time),
            fuel: self.fuel.or(limits.fuel),
            queue_time: self.queue_time.unwrap_or(limits.queue_time),
            max_memory_bytes: self.max_memory_bytes.unwrap_or(limits.max_memory_bytes),
            max_table_elements: self.max_table_elements.unwrap_or(limits.max_table_elements),
            max_instances: self.max_instances.unwrap_or(limits.max_instances),
            max_component_handles: self
                .max_component_handles
                .unwrap_or(limits.max_component_handles),
            max_transfer_bytes: self.max_transfer_bytes.unwrap_or(limits.max_transfer_bytes),
            max_calls: self.max_calls.unwrap_or(limits.max_calls),
            max_calls_in_flight: self.max_calls_in_flight.unwrap_or(limits.max_calls_in_flight),
            max_name_bytes: self.max_name_bytes.unwrap_or(limits.max_name_bytes),
            max_argument_bytes: self.max_argument_bytes.unwrap_or(limits.max_argument_bytes),
            max_result_bytes: self.max_result_bytes.unwrap_or(limits.max_result_bytes),
            max_total_result_bytes: self
                .max_total_result_bytes
                .unwrap_or(limits.max_total_result_bytes),
            max_output_bytes: self.max_output_bytes.unwrap_or(limits.max_output_bytes),
            max_log_bytes: self.max_log_bytes.unwrap_or(limits.max_log_bytes),
            ..limits
        }
    }

    /// The bounds of an engine with these settings.
    #[must_use]
    pub fn on_engine(&self, limits: EngineLimits) -> EngineLimits {
        EngineLimits {
            max_stack_bytes: self.max_stack_bytes.unwrap_or(limits.max_stack_bytes),
            ..limits
        }
    }
}
