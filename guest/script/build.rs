//! Builds the runner of scripts, or takes `runner.wasm` where it was built already.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use callgate_guest_build::{CCompiler, ScriptRunner, folder, sources_of};

/// The component beside the manifest, in a package that was made for installation.
const BUILT: &str = "runner.wasm";

fn main() -> Result<()> {
    // The folder, and not `runner.wasm` itself: a file that isn't there is one that has changed, at every build.
    println!("cargo::rerun-if-changed=.");
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").context("this is a build script")?);
    let component = if Path::new(BUILT).exists() {
        fs::read(BUILT).context("can't read runner.wasm")?
    } else {
        println!("cargo::rerun-if-changed=../../wit");
        build(&out_dir).context("the runner of scripts can't be built")?
    };
    fs::write(out_dir.join(BUILT), component).context("can't write the runner of scripts")
}

fn build(work: &Path) -> Result<Vec<u8>> {
    let package = Path::new(".");
    let compiler = CCompiler::find_or_install(&folder()?.join("c-compiler"))?;
    let engine = sources_of(package, "rquickjs-sys")?.join("quickjs");
    let runner = ScriptRunner { package, wit: Path::new("../../wit"), engine: &engine };
    runner.build(&compiler, work)
}
