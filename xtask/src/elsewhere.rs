//! `cargo xtask elsewhere`: guests in Python, tried together with those of this repository.

use std::process::Command;

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Install a compiler for guests in Python, build some, and run the tests of them.
///
/// Takes some minutes the first time, which is why `cargo xtask test` leaves it out. Needs python3 with its venv module.
#[derive(clap::Args)]
pub(crate) struct Elsewhere {}

impl Elsewhere {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        step::timed("guests", || {
            let script = workspace.root().join("guest/elsewhere/build.sh");
            step::run(Command::new("bash").arg(script).env("CARGO_TARGET_DIR", workspace.target()))
        })?;
        println!("== tests");
        step::run(workspace.cargo().args([
            "test",
            "--workspace",
            "--features",
            "callgate-tests/elsewhere",
            "--test",
            "it",
            "--",
            "elsewhere",
        ]))
    }
}
