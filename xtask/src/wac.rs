//! `cargo xtask wac`: the command that others compose components with.

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// The version whose libraries the host composes with.
const VERSION: &str = "0.12.0";

/// Install the `wac` command into target/wac, for the test that composes a stack with it.
///
/// Builds it from the Rust registry, with the dependencies that it was published with, which takes some minutes. Does nothing
/// when it is there.
#[derive(clap::Args)]
pub(crate) struct Wac {}

impl Wac {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let mut cargo = workspace.cargo();
        // Without the client of a package registry, which this project has no use for.
        cargo.args([
            "install",
            "wac-cli",
            "--version",
            VERSION,
            "--locked",
            "--no-default-features",
        ]);
        step::run(cargo.arg("--root").arg(workspace.target().join("wac")))
    }
}
