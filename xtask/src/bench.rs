//! `cargo xtask bench`: the benchmarks.

mod table;

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

use crate::{step, workspace::Workspace};

/// Run the benchmarks, all or one.
///
/// Runs `cargo bench` on the host crate; each benchmark builds the guests it needs. Criterion keeps its figures in target/criterion; the
/// table at the end has the medians of what was measured, now or before: the figure, its floor, their ratio and what is aimed at.
/// Absolute numbers are those of a machine; trust ratios measured in one run. docs/performance.md says what each line is.
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
        let known = names(&workspace.root().join("host/benches"))?;
        if let Some(name) = &self.name
            && !known.contains(name)
        {
            bail!("there is no benchmark {name}, but: {}", known.join(", "));
        }
        let mut cargo = workspace.cargo();
        cargo.args(["bench", "--workspace"]);
        for name in
            known.iter().filter(|known| self.name.as_ref().is_none_or(|name| name == *known))
        {
            cargo.args(["--bench", name]);
        }
        step::run(cargo.arg("--").args(&self.criterion))?;
        let criterion = workspace.target().join("criterion");
        println!("\n{}", table::table(&criterion)?);
        Ok(())
    }
}

/// What has a verb of its own: it isn't criterion's.
const ELSEWHERE: [&str; 2] = ["density", "peers"];

/// The benchmarks that there are: one file each.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("no benchmarks in {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("reading {}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    if names.is_empty() {
        bail!("no benchmarks in {}", folder.display());
    }
    names.retain(|name| !ELSEWHERE.contains(&name.as_str()));
    names.sort();
    Ok(names)
}
