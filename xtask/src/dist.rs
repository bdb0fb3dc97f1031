//! `cargo xtask dist`: the command with the library of middleware built in.

use anyhow::Result;

use crate::{guests, step, workspace::Workspace};

/// Build the `callgate` command with the library of middleware inside.
///
/// Builds every package under `guest/middleware` into `target/guests/library`, and then the command, optimised, with the
/// variable `CALLGATE_EMBED` naming that folder. The result, `target/release/callgate`, finds middleware by name wherever it
/// is copied to.
#[derive(clap::Args)]
pub(crate) struct Dist {}

impl Dist {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let library = step::timed("middleware", || guests::library(workspace))?;
        step::timed("callgate", || {
            let mut cargo = workspace.cargo();
            cargo.args(["build", "--release", "--workspace", "--bin", "callgate"]);
            step::run(cargo.env("CALLGATE_EMBED", &library))
        })?;
        println!("{}", workspace.target().join("release/callgate").display());
        Ok(())
    }
}
