//! `cargo xtask wac`: the command that others compose components with.

use std::process::Command;

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Install the `wac` command into target/wac, for the test that composes a stack with it.
///
/// Builds it from the Rust registry, with the dependencies that it was published with, which takes some minutes. Does nothing
/// when it is there.
#[derive(clap::Args)]
pub(crate) struct Wac {}

impl Wac {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let script = workspace.root().join("tests/wac.sh");
        let mut install = Command::new("bash");
        install.arg(script).arg(workspace.target().join("wac")).env("CARGO", step::cargo_path());
        step::run(&mut install)
    }
}
