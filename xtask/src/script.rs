//! `cargo xtask script`: the runner of scripts, by itself.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use callgate_guest_build::{CCompiler, ScriptRunner, sources_of};

use crate::{step, workspace::Workspace};

/// Build the runner of scripts and print size and path of the component.
///
/// Every build of the host does this too (`guest/script/build.rs`). Here it goes to `target/guests/script/runner.wasm`; beside the
/// manifest of `guest/script`, that file is taken in place of a build.
#[derive(clap::Args)]
pub(crate) struct Script {
    /// Build it a second time, of copies of all sources in another folder and with nothing kept from the first time, and fail
    /// when one byte differs
    #[arg(long)]
    pub(crate) check: bool,
}

impl Script {
    /// Builds it, and says where the component is.
    pub(crate) fn build(workspace: &Workspace) -> Result<PathBuf> {
        Self { check: false }.run(workspace)?;
        Ok(workspace.target().join("guests/script/runner.wasm"))
    }

    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let guests = workspace.target().join("guests");
        let compiler = CCompiler::find_or_install(&guests.join("c-compiler"))?;
        let package = workspace.root().join("guest/script");
        let wit = workspace.root().join("wit");
        let engine = sources_of(&package, "rquickjs-sys")?.join("quickjs");
        let runner = ScriptRunner { package: &package, wit: &wit, engine: &engine };

        let work = emptied(guests.join("script"))?;
        let component = step::timed("runner", || runner.build(&compiler, &work))?;
        let path = work.join("runner.wasm");
        fs::write(&path, &component).with_context(|| format!("writing {}", path.display()))?;
        if self.check {
            let again = emptied(guests.join("script-again/some/where/else"))?;
            let second =
                step::timed("runner once more", || build_copy(&runner, &compiler, &again))?;
            ensure!(second == component, "two builds of the runner differ");
            println!("both builds have the same bytes");
        }
        println!("{:>9} bytes  {}", component.len(), path.display());
        Ok(())
    }
}

/// Builds copies of the sources, below `folder`.
fn build_copy(runner: &ScriptRunner<'_>, compiler: &CCompiler, folder: &Path) -> Result<Vec<u8>> {
    let package = folder.join("package");
    for room in ["c", "js"] {
        copy(&runner.package.join(room), &package.join(room))?;
    }
    let (wit, engine) = (folder.join("wit"), folder.join("engine"));
    copy(runner.wit, &wit)?;
    copy(runner.engine, &engine)?;
    let compiler = compiler.clone().with_cache(folder.join("cache"));
    let runner = ScriptRunner { package: &package, wit: &wit, engine: &engine };
    runner.build(&compiler, &folder.join("work"))
}

/// Copies the files of a folder, without those below.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("making {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let path = entry?.path();
        let name = path.file_name().context("a file has a name")?;
        if path.is_file() {
            fs::copy(&path, to.join(name))
                .with_context(|| format!("copying {}", path.display()))?;
        }
    }
    Ok(())
}

/// A folder with nothing in it.
fn emptied(folder: PathBuf) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}
