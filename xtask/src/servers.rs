//! `cargo xtask servers`: the real MCP servers that the tests run against.

use std::process::Command;

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Install the real MCP servers for the tests, pinned, into target/servers.
///
/// Runs `tests/servers/install.sh`: four servers from npm and two from PyPI, with everything they bring along pinned in
/// `tests/servers`. Needs node 18+, npm, python3 3.10+ with venv, and flock; says which is missing. Does nothing when the
/// installed ones are those of the pins. About a minute and 120 MB.
#[derive(clap::Args)]
pub(crate) struct Servers {}

impl Servers {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        install(workspace)
    }
}

/// Installs what is not there yet.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    let script = workspace.root().join("tests/servers/install.sh");
    step::run(Command::new("bash").arg(script).arg(workspace.target().join("servers")))
}
