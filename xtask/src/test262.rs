//! `cargo xtask test262`: the official tests of ECMAScript on scripts.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use crate::{step, workspace::Workspace};

/// Run the official tests of ECMAScript (tc39/test262) as scripts, through the host.
///
/// Prints how many tests of which folder passed, and writes those that failed, with the reasons, to target/test262/failures.txt.
/// Fails when fewer pass than docs/scripts.md says, or when the host panics or hangs at one.
#[derive(clap::Args)]
pub(crate) struct Test262 {
    /// A checkout of the suite
    #[arg(value_name = "DIR")]
    checkout: PathBuf,
    /// Only tests with this in their path; of a part of the suite no pass rate is asked for
    #[arg(long, default_value = "")]
    filter: String,
    /// Print the tests that failed, too
    #[arg(long)]
    list_failures: bool,
}

impl Test262 {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let Self { checkout, filter, list_failures } = self;
        is_suite(&checkout)?;
        let folder = workspace.target().join("test262");
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let failures = folder.join("failures.txt");
        step::run(workspace.cargo().args(["build", "--workspace", "--bins"]))?;
        let mut test262 = workspace.binary("test262");
        test262.arg(&checkout).arg("--failures").arg(&failures);
        test262.arg("--cache").arg(folder.join("compiled")).arg("--filter").arg(&filter);
        let ended = step::run(&mut test262);
        let told = fs::read_to_string(&failures).unwrap_or_default();
        if list_failures {
            print!("{told}");
        }
        println!("{} that failed: {}", told.lines().count(), failures.display());
        ended
    }
}

/// Fails before the build where there is nothing to run.
fn is_suite(checkout: &Path) -> Result<()> {
    let is_one = checkout.join("test").is_dir() && checkout.join("harness").is_dir();
    ensure!(
        is_one,
        "{} is no checkout of test262: git clone --depth 1 https://github.com/tc39/test262",
        checkout.display()
    );
    Ok(())
}
