//! `cargo xtask density`: how much memory parked runs take.

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Park runs inside `call-tool`, and say how much memory each takes.
///
/// Then all of them go on, and every one has to have its result. More than some 9,000 need more mappings than Linux allows
/// a process by default; the command says what to set.
#[derive(clap::Args)]
pub(crate) struct Density {
    /// How many
    #[arg(value_name = "N", default_value_t = 1000)]
    runs: usize,
}

impl Density {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let mut cargo = workspace.cargo();
        cargo.args(["bench", "--workspace", "--bench", "density", "--"]);
        step::run(cargo.arg(self.runs.to_string()))
    }
}
