//! `cargo xtask peers`: what scripts cost here, and in another sandbox for scripts on the same machine.

mod modebox;
mod process;
mod table;

use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use self::{
    modebox::Modebox,
    process::Processes,
    table::{Figures, Round},
};
use crate::{step, workspace::Workspace};

/// Measure scripts here and in modebox, another sandbox for scripts, and print a table of both.
///
/// modebox is installed from PyPI into target/peers, in the version of xtask/src/peers/requirements.txt; that needs python3 with its venv
/// module. Both sides take turns, and of each figure the median of all rounds is told. docs/performance.md says what each is.
#[derive(clap::Args)]
pub(crate) struct Peers {
    /// How often each side is measured
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// The profile of the build. Only that of releases, which takes a quarter of an hour, is what is installed
    #[arg(long, default_value = "bench")]
    profile: String,
}

/// What `host/benches/peers.rs` prints.
#[derive(Deserialize)]
struct Callgate {
    #[serde(flatten)]
    figures: Figures,
    /// The command that was built with it.
    command: String,
}

impl Peers {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        ensure!(self.rounds > 0, "no round, no figure");
        let folder = workspace.target().join("peers");
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let modebox = step::timed("modebox", || Modebox::find_or_install(&folder))?;
        let bench = ["bench", "--workspace", "--profile", &self.profile, "--bench", "peers"];
        step::timed("build", || step::run(workspace.cargo().args(bench).arg("--no-run")))?;
        let mut rounds = Vec::new();
        for number in 0..self.rounds {
            println!("round {} of {}", number + 1, self.rounds);
            let callgate = step::output(workspace.cargo().args(bench).arg("--quiet"))?;
            let callgate: Callgate = serde_json::from_slice(&callgate)
                .context("reading the figures of the benchmark")?;
            let peer = modebox.figures()?;
            let processes = Processes::measure(&folder, &callgate.command, &modebox)?;
            rounds.push(Round { callgate: callgate.figures, peer, processes });
        }
        println!("\n{}", table::table(&rounds));
        Ok(())
    }
}
