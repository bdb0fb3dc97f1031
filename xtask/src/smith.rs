//! `cargo xtask smith`: the host against components that chance makes.

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Try the host on components that chance makes, and print what came of them.
///
/// From each seed come any component at all, a workflow around any core module, and a good workflow with wrong bytes. Fails
/// if one of them makes the host panic, has no end in time, or an end without a name; it says of which seed.
#[derive(clap::Args)]
pub(crate) struct Smith {
    /// How many seeds to try.
    #[arg(long, default_value_t = 10_000)]
    seeds: u64,
    /// The first of them.
    #[arg(long, default_value_t = 0)]
    first: u64,
}

impl Smith {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        step::run(workspace.cargo().args(["build", "--workspace", "--bins"]))?;
        let mut smith = workspace.binary("smith");
        step::run(
            smith.arg(format!("--seeds={}", self.seeds)).arg(format!("--first={}", self.first)),
        )
    }
}
