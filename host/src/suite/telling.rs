//! A run in words, as far as a reader of a failed case wants to know: its end, its script's fault, its logs.

use super::difference::quoted;
use crate::{
    limits::SuiteLimits,
    run::{RunLogs, RunOutcome},
    script::ScriptFault,
};

pub(super) fn outcome(outcome: &RunOutcome, limits: &SuiteLimits) -> String {
    match outcome {
        RunOutcome::Done(output) => format!("it is done: {}", quoted(output.as_str(), limits)),
        RunOutcome::Failed(failure) => {
            let words = format!("{}: {}", failure.kind, failure.message);
            format!("it failed: {}", quoted(&words, limits))
        }
        RunOutcome::Stopped(stopped) => {
            format!("it was stopped: {}", quoted(&stopped.to_string(), limits))
        }
    }
}

/// Where a script failed: the lines around the place, and the stack.
pub(super) fn fault(fault: &ScriptFault, limits: &SuiteLimits) -> Vec<String> {
    let mut lines: Vec<String> =
        fault.frame.iter().flat_map(|frame| frame.lines()).map(str::to_owned).collect();
    let stack = fault.stack.lines();
    lines.extend(stack.clone().take(limits.max_told_stack_lines).map(|line| quoted(line, limits)));
    let untold = stack.count().saturating_sub(limits.max_told_stack_lines);
    if untold > 0 {
        lines.push(format!("and {untold} more"));
    }
    lines
}

/// The last lines that a run wrote, and what is missing of them.
pub(super) fn logs(logs: &RunLogs, limits: &SuiteLimits) -> Vec<String> {
    let lines =
        || logs.entries.iter().flat_map(|entry| entry.text.lines().map(|it| (entry.to, it)));
    let untold = lines().count().saturating_sub(limits.max_told_log_lines);
    let mut told = Vec::new();
    if untold > 0 {
        told.push(format!("({untold} lines before these)"));
    }
    let last = lines().skip(untold);
    told.extend(last.map(|(to, line)| format!("{to}: {}", quoted(line, limits))));
    if let Some(cut) = &logs.cut {
        told.push(format!("(what came then was dropped: limit {} of {})", cut.limit, cut.value));
    }
    if logs.are_lost {
        told.push("(what it wrote is lost with the sandbox that it was in)".to_owned());
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{LogEntry, LogStream};

    #[test]
    fn of_many_lines_the_last_are_told_and_none_of_them_whole_when_it_is_long() {
        let entry = |text: String| LogEntry { to: LogStream::Log, text };
        let mut written = RunLogs::default();
        written.entries.push(entry("first\n".repeat(1000)));
        written.entries.push(entry("x".repeat(9999)));

        let told = logs(&written, &SuiteLimits::default());

        assert_eq!(told.len(), 21);
        assert_eq!(told[0], "(981 lines before these)");
        assert_eq!(told[1], "log: first");
        assert!(told[20].len() < 300, "{}", told[20]);
    }

    #[test]
    fn logs_that_are_not_whole_say_so() {
        let lost = RunLogs { are_lost: true, ..RunLogs::default() };

        assert_eq!(logs(&RunLogs::default(), &SuiteLimits::default()), [""; 0]);
        assert!(logs(&lost, &SuiteLimits::default())[0].contains("lost"));
    }
}
