//! Scripts on the command line: which files are some, and what they failed of.

use std::path::Path;

use anyhow::Context;

use super::output;
use crate::{
    limits::ScriptLimits,
    run::WorkflowFailure,
    script::{Script, ScriptFault},
};

/// The script of this path, where its name is that of one.
pub(super) fn of(path: &Path) -> anyhow::Result<Option<Script>> {
    if !Script::is_named(path) {
        return Ok(None);
    }
    let script = Script::from_file(path, ScriptLimits::default());
    script.map(Some).with_context(|| format!("{} can't be run", path.display()))
}

/// Tells of a script's failure, and shows where it is.
pub(super) fn complain(failure: &WorkflowFailure, fault: &ScriptFault) {
    let message = output::set_in(&failure.message);
    let mut text = format!("the script failed: {}: {message}", output::set_in(&failure.kind));
    for more in [fault.frame.as_deref(), Some(fault.stack.as_str())].into_iter().flatten() {
        if !more.is_empty() {
            text.push('\n');
            text.push_str(more);
        }
    }
    output::complain(&text);
}
