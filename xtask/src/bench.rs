//! `cargo xtask bench`: the benchmarks.

use anyhow::Result;

use crate::{guests, step, workspace::Workspace};

/// Run the benchmarks, all or one.
///
/// Builds the guests, then runs `cargo bench` on the host crate. Criterion compares with the run before and keeps its
/// figures in target/criterion. Absolute numbers are those of a machine; trust ratios measured in one run.
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// The file in host/benches, without its ending; all of them where there is none.
    name: Option<String>,
    /// What follows `--` goes to criterion: a filter on names, `--save-baseline NAME`, ...
    #[arg(last = true)]
    criterion: Vec<String>,
}

impl Bench {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        step::timed("guests", || guests::build(workspace))?;
        let mut cargo = workspace.cargo();
        cargo.args(["bench", "--package", "callgate"]);
        match &self.name {
            Some(name) => cargo.args(["--bench", name]),
            None => cargo.arg("--benches"),
        };
        step::run(cargo.arg("--").args(&self.criterion))
    }
}
