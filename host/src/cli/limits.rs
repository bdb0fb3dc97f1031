//! The limits of a run as options of the command line.

use std::time::Duration;

use super::units;
use crate::limits::LimitSettings;

/// The limits of a run. What is not given here is what the configuration says of the workflow, or the default.
#[derive(clap::Args)]
#[group(skip)]
#[command(next_help_heading = "Limits")]
pub(super) struct Arguments {
    /// Wall clock of the whole run [default: 300s]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    timeout: Option<Duration>,
    /// Time in which the run computes; waiting for tools is not counted [default: 60s]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    cpu_time: Option<Duration>,
    /// Instructions that the run executes; counting them makes it a quarter slower [default: not counted]
    #[arg(long, value_name = "N")]
    fuel: Option<u64>,
    /// How long a call waits for those that are under way [default: 300s]
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    queue_time: Option<Duration>,
    /// Memory of the run [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_memory: Option<usize>,
    /// Elements of the run's tables [default: 100000]
    #[arg(long, value_name = "N")]
    max_table_elements: Option<usize>,
    /// Core instances of the component [default: 64]
    #[arg(long, value_name = "N")]
    max_instances: Option<usize>,
    /// Stack of the run [default: 512KiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_stack: Option<usize>,
    /// Handles of the component model: calls under way, streams, resources [default: 20000]
    #[arg(long, value_name = "N")]
    max_handles: Option<usize>,
    /// Size of what one call hands over, names and arguments together [default: 128MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_transfer: Option<usize>,
    /// Tool calls of the run [default: 10000]
    #[arg(long, value_name = "N")]
    max_calls: Option<u64>,
    /// Tool calls that are under way at once; more wait [default: 256]
    #[arg(long, value_name = "N")]
    max_calls_in_flight: Option<usize>,
    /// Size of the name of a connection or a tool [default: 1KiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_name: Option<usize>,
    /// Size of the arguments of one call [default: 16MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_arguments: Option<usize>,
    /// Size of the answer to one call [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_result: Option<usize>,
    /// Size of the answers to all calls together [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = units::large)]
    max_total_result: Option<u64>,
    /// Size of the run's result [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_output: Option<usize>,
    /// Size of what the run writes to its logs; more is dropped [default: 1MiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    max_log: Option<usize>,
}

impl Arguments {
    pub(super) fn settings(&self) -> LimitSettings {
        LimitSettings {
            wall_clock: self.timeout,
            cpu_time: self.cpu_time,
            fuel: self.fuel,
            queue_time: self.queue_time,
            max_memory_bytes: self.max_memory,
            max_table_elements: self.max_table_elements,
            max_instances: self.max_instances,
            max_stack_bytes: self.max_stack,
            max_component_handles: self.max_handles,
            max_transfer_bytes: self.max_transfer,
            max_calls: self.max_calls,
            max_calls_in_flight: self.max_calls_in_flight,
            max_name_bytes: self.max_name,
            max_argument_bytes: self.max_arguments,
            max_result_bytes: self.max_result,
            max_total_result_bytes: self.max_total_result,
            max_output_bytes: self.max_output,
            max_log_bytes: self.max_log,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command};

    use super::*;
    use crate::limits::{EngineLimits, LimitReached, RunLimits};

    /// Whoever is told to raise a limit finds the option.
    #[test]
    fn every_limit_that_is_reached_names_an_option_that_exists() {
        let (run, engine) = (&RunLimits::default(), &EngineLimits::default());
        let reached = [
            LimitReached::wall_clock(run),
            LimitReached::cpu_time(run, Duration::ZERO),
            LimitReached::fuel(1),
            LimitReached::run_queue(run),
            LimitReached::call_queue(run),
            LimitReached::memory(run, 1),
            LimitReached::table(run, 1),
            LimitReached::instances(run),
            LimitReached::stack(engine),
            LimitReached::component_handles(run),
            LimitReached::transfer(run),
            LimitReached::calls(run),
            LimitReached::name(run, 1),
            LimitReached::arguments(run, 1),
            LimitReached::result(run, 1),
            LimitReached::total_result(run, 1),
            LimitReached::output(run, 1),
            LimitReached::logs(1, 2),
        ];
        let command = Arguments::augment_args(Command::new("run"));

        for limit in reached {
            let option = limit.raise_with.trim_start_matches("--");
            let is_there = command.get_arguments().any(|it| it.get_long() == Some(option));
            assert!(is_there, "{limit}");
        }
    }
}
