//! `cargo xtask dist`: the command with the library of middleware built in.

use std::fs;

use anyhow::{Context, Result};
use callgate_guest_build::Guests;

use crate::{step, workspace::Workspace};

/// Build the `callgate` command with the library of middleware inside.
///
/// Builds every package under `guest/middleware` into `target/guests/library`, and then the command, optimised, with the
/// variable `CALLGATE_EMBED` naming that folder. The result, `target/release/callgate`, finds middleware by name wherever it
/// is copied to.
#[derive(clap::Args)]
pub(crate) struct Dist {}

impl Dist {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let library = workspace.target().join("guests/library");
        if library.exists() {
            // What was middleware once is none any more.
            fs::remove_dir_all(&library)
                .with_context(|| format!("emptying {}", library.display()))?;
        }
        let sources: Vec<Guests<'_>> =
            workspace.middleware().iter().map(|package| Guests::Library(package)).collect();
        step::timed("middleware", || callgate_guest_build::build(&sources, &library))?;
        step::timed("callgate", || {
            let mut cargo = workspace.cargo();
            cargo.args(["build", "--release", "--workspace", "--bin", "callgate"]);
            step::run(cargo.env("CALLGATE_EMBED", &library))
        })?;
        println!("{}", workspace.target().join("release/callgate").display());
        Ok(())
    }
}
