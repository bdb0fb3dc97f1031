//! `cargo xtask soak`: the host under load for a while, as its servers are killed, stalled and started again.

use anyhow::Result;

use crate::{step, workspace::Workspace};

/// Make load on the host for a while, as its servers fail at random, and account for every call at the end.
///
/// docs/reliability.md says what it checks. It needs Linux, and it isn't part of CI, because it takes its time.
#[derive(clap::Args)]
pub(crate) struct Soak {
    /// How long it makes load.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// What chance starts from; another one each time if it isn't given.
    #[arg(long)]
    seed: Option<u64>,
    /// Further options, after `--`: `cargo xtask soak -- --help` tells them.
    #[arg(last = true)]
    options: Vec<String>,
}

impl Soak {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        step::run(workspace.cargo().args(["build", "--workspace", "--bins"]))?;
        let mut soak = workspace.binary("soak");
        soak.arg(format!("--minutes={}", self.minutes));
        if let Some(seed) = self.seed {
            soak.arg(format!("--seed={seed}"));
        }
        step::run(soak.args(&self.options))
    }
}
