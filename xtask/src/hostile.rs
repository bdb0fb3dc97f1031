//! `cargo xtask hostile`: the host against servers that misbehave.

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Try the host on servers that misbehave in every way known, and print what came of each.
///
/// The modes are told in tests/HOSTILE.md and tests/HOSTILE-HTTP.md. Fails if one of them did not come to what is expected of
/// it.
#[derive(clap::Args)]
pub(crate) struct Hostile {
    /// The modes to try; all of them where there is none.
    modes: Vec<String>,
}

impl Hostile {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        step::run(workspace.cargo().args(["build", "--workspace", "--bins"]))?;
        step::run(workspace.binary("hostile-run").args(&self.modes))
    }
}
