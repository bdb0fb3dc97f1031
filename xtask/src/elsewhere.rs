//! The guests in languages whose tools come from npm and PyPI, for the tests that put them into stacks.

use std::process::Command;

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Installs the tools and builds the guests, as far as they are not there yet.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let script = workspace.root().join("guest/elsewhere/build.sh");
    step::run(Command::new("bash").arg(script).arg("all").arg(workspace.target().join("elsewhere")))
}
