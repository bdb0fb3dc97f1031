//! `cargo xtask conformance`: the host as a client, judged by the official MCP conformance suite.

use std::process::Command;

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Try the host on every client scenario of the MCP conformance suite, and print what came of each.
///
/// Installs the suite from npm, pinned, into target/conformance, with the Node.js 22 that it needs where that is missing
/// (Linux on x86-64). Fails if a scenario fails that is not listed in tests/servers/conformance, or passes and is listed.
#[derive(clap::Args)]
pub(crate) struct Conformance {
    /// The revisions of the protocol; 2025-11-25 and 2026-07-28 where there is none.
    revisions: Vec<String>,
}

impl Conformance {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        run(workspace, &self.revisions)
    }
}

/// Builds the client and has the suite try it.
pub(crate) fn run(workspace: &Workspace, revisions: &[String]) -> Result<()> {
    step::run(workspace.cargo().args(["build", "--workspace", "--bins"]))?;
    let script = workspace.root().join("tests/servers/conformance.sh");
    let client = workspace.target().join("debug/conformance-client");
    step::run(Command::new("bash").arg(script).arg(client).args(revisions))
}
