//! `cargo xtask guests`: the guest packages as components.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use callgate_guest_build::Guests as Sources;

use crate::workspace::Workspace;

/// Build all guest components and print size and path of each.
///
/// Builds every package under `guest/workflows` and `guest/middleware` for wasm32-unknown-unknown with the profile `guest`
/// and makes components of them, in `target/guests/components`. Adds the compilation target through rustup where it is
/// missing.
#[derive(clap::Args)]
pub(crate) struct Guests {}

impl Guests {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        for component in build(workspace)? {
            let bytes = fs::metadata(&component)
                .with_context(|| format!("looking at {}", component.display()))?
                .len();
            println!("{bytes:>9} bytes  {}", component.display());
        }
        Ok(())
    }
}

/// Builds all guests and says where the components are.
pub(crate) fn build(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let sources: Vec<Sources<'_>> =
        workspace.guests().iter().map(|package| Sources::Library(package)).collect();
    callgate_guest_build::build(&sources, &workspace.target().join("guests/components"))
}

/// Builds the library of middleware, by itself, and says in which folder it is.
pub(crate) fn library(workspace: &Workspace) -> Result<PathBuf> {
    let library = workspace.target().join("guests/library");
    if library.exists() {
        // What was middleware once is none any more.
        fs::remove_dir_all(&library).with_context(|| format!("emptying {}", library.display()))?;
    }
    let sources: Vec<Sources<'_>> =
        workspace.middleware().iter().map(|package| Sources::Library(package)).collect();
    callgate_guest_build::build(&sources, &library)?;
    Ok(library)
}
