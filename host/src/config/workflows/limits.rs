//! The limits of one workflow's runs: the keys are the fields of [`LimitSettings`], times in milliseconds.

use std::time::Duration;

use super::refuse_unknown;
use crate::{
    config::document::{Entry, Findings},
    limits::{ConfigLimits, LimitSettings},
};

pub(super) fn read<'a>(
    workflow: &mut Entry<'a>,
    limits: &ConfigLimits,
    findings: &mut Findings<'a>,
) -> LimitSettings {
    let Some(mut entry) = workflow.entry("limits", findings) else {
        return LimitSettings::default();
    };
    let max_timeout = limits.max_timeout;
    let mut time = |key| -> Option<Duration> { entry.milliseconds(key, max_timeout, findings) };
    let (wall_clock, cpu_time) = (time("wall_clock_ms"), time("cpu_time_ms"));
    let queue_time = time("queue_time_ms");
    let mut whole = |key| -> Option<u64> { entry.whole(key, findings) };
    let (fuel, max_calls) = (whole("fuel"), whole("max_calls"));
    let max_total_result_bytes = whole("max_total_result_bytes");
    // Nothing is larger than what can be addressed.
    let mut size = |key| whole(key).map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    let settings = LimitSettings {
        wall_clock,
        cpu_time,
        fuel,
        queue_time,
        max_memory_bytes: size("max_memory_bytes"),
        max_table_elements: size("max_table_elements"),
        max_instances: size("max_instances"),
        max_stack_bytes: size("max_stack_bytes"),
        max_component_handles: size("max_component_handles"),
        max_transfer_bytes: size("max_transfer_bytes"),
        max_calls,
        max_calls_in_flight: size("max_calls_in_flight"),
        max_name_bytes: size("max_name_bytes"),
        max_argument_bytes: size("max_argument_bytes"),
        max_result_bytes: size("max_result_bytes"),
        max_total_result_bytes,
        max_output_bytes: size("max_output_bytes"),
        max_log_bytes: size("max_log_bytes"),
    };
    refuse_unknown(&entry, findings);
    settings
}
