//! Guests in C: bindings from the WIT, one compiler on every machine, and a component.
//!
//! The compiler is that of the Python package `ziglang`: clang, lld and wasi-libc in one, which make the same bytes wherever they
//! run. See [`CCompiler`].

mod compiler;

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use wit_bindgen_core::{Files, wit_parser::Resolve};

pub use self::compiler::CCompiler;
use crate::{
    componentize,
    snapshot::{Start, snapshot},
    write_if_changed,
};

/// A guest in C.
#[derive(Clone, Debug)]
pub struct CGuest<'a> {
    /// The folder of the WIT package.
    pub wit: &'a Path,
    /// The world that it is written for. Its bindings are the header `<world>.h`.
    pub world: &'a str,
    /// The files to compile, in C23 with all warnings as errors.
    pub sources: &'a [PathBuf],
    /// Folders of sources and headers by others, in which warnings don't count.
    pub foreign: &'a [PathBuf],
    /// Definitions for the preprocessor: `NAME` or `NAME=VALUE`.
    pub definitions: &'a [&'a str],
    /// Bytes of the stack in memory.
    pub stack_bytes: u32,
    /// What is called now, so that no run has to.
    pub start: Option<Start<'a>>,
}

/// Compiles a guest and makes a component of it.
///
/// `work` is a folder for what comes up on the way: bindings and objects.
///
/// No WASI may be left in it: what libc needs of that, a guest defines itself, as `guest/script/c/wasi.c` does.
///
/// # Errors
///
/// When the world isn't in the package, when the sources don't compile (the compiler has told on stderr why), when `start`
/// traps, and when the result isn't a component of that world.
pub fn build_c(guest: &CGuest<'_>, compiler: &CCompiler, work: &Path) -> Result<Vec<u8>> {
    let bindings = work.join("bindings");
    write_bindings(guest, &bindings)
        .with_context(|| format!("there are no bindings of the world {}", guest.world))?;
    let output = work.join("module.wasm");
    compiler.run(&arguments(guest, &bindings, &output))?;
    let module = fs::read(&output).with_context(|| format!("can't read {}", output.display()))?;
    let module = match guest.start {
        Some(start) => {
            let function = start.function;
            snapshot(&module, start).with_context(|| format!("can't start it with {function}"))?
        }
        None => module,
    };
    componentize(&module).context("can't make a component of it")
}

/// Writes `<world>.h`, `<world>.c` and the object that describes the world.
fn write_bindings(guest: &CGuest<'_>, folder: &Path) -> Result<()> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(guest.wit)?;
    let world = resolve.select_world(&[package], Some(guest.world))?;
    let mut files = Files::default();
    let mut generator = wit_bindgen_c::Opts::default().build();
    generator.generate(&mut resolve, world, &mut files)?;
    fs::create_dir_all(folder)?;
    for (name, bytes) in files.iter() {
        write_if_changed(&folder.join(name), bytes)?;
    }
    Ok(())
}

fn arguments(guest: &CGuest<'_>, bindings: &Path, output: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        "-target",
        "wasm32-wasi",
        "-mexec-model=reactor",
        "-std=gnu23",
        "-Os",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wl,--strip-debug",
    ]
    .map(OsString::from)
    .to_vec();
    arguments.push(format!("-Wl,-z,stack-size={}", guest.stack_bytes).into());
    arguments.extend(guest.definitions.iter().map(|definition| format!("-D{definition}").into()));
    for folder in guest.foreign.iter().map(PathBuf::as_path).chain([bindings]) {
        arguments.extend(["-isystem".into(), folder.into()]);
    }
    arguments.extend(guest.sources.iter().map(OsString::from));
    arguments.push(bindings.join(format!("{}.c", guest.world)).into());
    arguments.push(bindings.join(format!("{}_component_type.o", guest.world)).into());
    arguments.extend(["-o".into(), output.into()]);
    arguments
}
