//! Builds the runner of scripts, or takes `runner.wasm` where it was built already.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use callgate_guest_build::{CCompiler, CGuest, build_c, folder, sources_of};

/// The component beside the manifest of a package that was made for installation.
const BUILT: &str = "runner.wasm";

/// The crate with the sources of QuickJS-NG.
const ENGINE: &str = "rquickjs-sys";

fn main() -> Result<()> {
    for source in ["build.rs", BUILT, "c", "js", "../../wit", "Cargo.toml"] {
        println!("cargo::rerun-if-changed={source}");
    }
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").context("this is a build script")?);
    let component = if Path::new(BUILT).exists() {
        fs::read(BUILT).context("can't read runner.wasm")?
    } else {
        build(&out_dir)?
    };
    fs::write(out_dir.join(BUILT), component).context("can't write the runner of scripts")
}

fn build(work: &Path) -> Result<Vec<u8>> {
    let compiler = CCompiler::find_or_install(&folder()?.join("c-compiler"))?;
    let mut sources = Vec::new();
    for entry in fs::read_dir("c")? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "c") {
            sources.push(path);
        }
    }
    // The linker puts them one after the other, and a folder has no order.
    sources.sort();
    let guest = CGuest {
        wit: Path::new("../../wit"),
        world: "workflow",
        sources: &sources,
        foreign: &[sources_of(ENGINE)?.join("quickjs")],
        definitions: &["_GNU_SOURCE", "NDEBUG"],
        stack_bytes: STACK_BYTES,
        start: Some("boot"),
    };
    build_c(&guest, &compiler, work).context("the runner of scripts can't be built")
}

/// More than a script may use of it (`MAX_STACK_BYTES` in `c/runner.c`).
const STACK_BYTES: u32 = 1 << 20;
