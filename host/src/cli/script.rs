//! Scripts on the command line: their options, and what they wrote and failed of.

use std::path::Path;

use anyhow::Context;

use super::output;
use crate::{
    limits::ScriptLimits,
    run::{RunReport, WorkflowFailure},
    script::{Script, ScriptFault, ScriptReport},
};

/// What the run of a script starts from.
#[derive(clap::Args)]
#[group(skip)]
#[command(next_help_heading = "Scripts")]
pub(super) struct Arguments {
    /// What Math.random starts from [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// What the clock says at the start, in milliseconds since 1970 [default: the beginning of 2026]
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    now: Option<i64>,
}

impl Arguments {
    /// The script of this path, where its name is that of one.
    pub(super) fn script(&self, path: &Path) -> anyhow::Result<Option<Script>> {
        if !Script::is_named(path) {
            anyhow::ensure!(
                self.seed.is_none() && self.now.is_none(),
                "--seed and --now are for scripts: a component has no clock and no randomness"
            );
            return Ok(None);
        }
        let cannot = || format!("{} can't be run", path.display());
        let mut script = Script::from_file(path, ScriptLimits::default()).with_context(cannot)?;
        if let Some(seed) = self.seed {
            script = script.seed(seed);
        }
        if let Some(now) = self.now {
            script = script.now_ms(now);
        }
        Ok(Some(script))
    }
}

/// Shows what the script wrote.
pub(super) fn show_logs(report: &RunReport) {
    let Some(ScriptReport { logs, logs_cut, .. }) = &report.script else { return };
    for line in logs.iter().flatten() {
        output::script(&line.level, &line.text);
    }
    if let Some(cut) = logs_cut {
        output::warn(&format!(
            "the script wrote {} lines more; {} bytes are kept (max_log_bytes)",
            cut.lines, cut.max_log_bytes
        ));
    }
    if logs.is_none() {
        output::warn("what the script wrote is lost with the sandbox that it was in");
    }
}

/// Tells of a script's failure, and shows where it is.
pub(super) fn complain(failure: &WorkflowFailure, fault: &ScriptFault) {
    let mut text = format!("the script failed: {}: {}", failure.kind, failure.message);
    for more in [fault.frame.as_deref(), Some(fault.stack.as_str())].into_iter().flatten() {
        if !more.is_empty() {
            text.push('\n');
            text.push_str(more);
        }
    }
    output::complain(&text);
}
