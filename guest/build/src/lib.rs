//! Builds guest crates and makes components of them, from a build script or a task runner.
//!
//! Guests in Rust are built by cargo, with a target folder of its own ([`build`]); guests in C by a compiler that is the same on
//! every machine ([`build_c`]). It knows nothing of running a component.

mod c;
mod cargo;
mod runner;
mod snapshot;
mod sources;
mod toolchain;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use wit_component::{ComponentEncoder, metadata};

pub use self::{
    c::{CCompiler, CGuest, build_c},
    runner::ScriptRunner,
    snapshot::Start,
    sources::sources_of,
};
use crate::{cargo::Workspace, toolchain::Toolchain};

/// Which guests to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guests<'a> {
    /// The library of this package: one guest, named after the package.
    Library(&'a str),
    /// Every example of this package: one guest each, named after the example.
    Examples(&'a str),
}

impl Guests<'_> {
    fn package(&self) -> &str {
        match self {
            Self::Library(package) | Self::Examples(package) => package,
        }
    }
}

/// Builds guests of the workspace that the current directory is in, and writes a component `<name>.wasm` for each into
/// `out_dir`.
///
/// The cargo profile is `guest`, the target `wasm32-unknown-unknown`; where that target is missing, it is added with
/// rustup, or Debian's packages are used if they are installed. The target folder is `guests` inside the workspace's own, so
/// that this can run beside another cargo, or below one, without waiting for its lock.
///
/// A file that wouldn't change isn't written, so that its time doesn't change either.
///
/// ```no_run
/// use callgate_guest_build::{Guests, build};
///
/// fn main() -> anyhow::Result<()> {
///     let out_dir = std::path::PathBuf::from(std::env::var("OUT_DIR")?);
///     for component in build(&[Guests::Library("hello"), Guests::Examples("test-guests")], &out_dir)? {
///         println!("cargo::rustc-env=HELLO={}", component.display());
///     }
///     Ok(())
/// }
/// ```
///
/// Returned are the paths of the components, sorted by name.
///
/// # Errors
///
/// When the target is missing and can't be had (the message says what to run), when a guest doesn't compile (cargo has told
/// on stderr why), and when one isn't a component of the world that it was written for.
pub fn build(guests: &[Guests<'_>], out_dir: &Path) -> Result<Vec<PathBuf>> {
    let toolchain = Toolchain::find()?;
    let workspace = Workspace::around_here()?;
    fs::create_dir_all(out_dir).with_context(|| format!("can't make {}", out_dir.display()))?;
    let mut components = Vec::new();
    for module in workspace.build(guests, &toolchain)? {
        let bytes = fs::read(&module.path)
            .with_context(|| format!("can't read {}", module.path.display()))?;
        let component = componentize(&bytes)
            .with_context(|| format!("can't make a component of {}", module.path.display()))?;
        let path = out_dir.join(module.name).with_extension("wasm");
        write_if_changed(&path, &component)
            .with_context(|| format!("can't write {}", path.display()))?;
        components.push(path);
    }
    components.sort();
    Ok(components)
}

/// The folder for what is neither built for the host nor a result: `guests` in the target folder of the workspace that the
/// current directory is in.
///
/// # Errors
///
/// When cargo can't tell.
pub fn folder() -> Result<PathBuf> {
    Ok(Workspace::around_here()?.target().join("guests"))
}

/// Makes a component of a core module that was built with the bindings of this project's WIT, and checks it.
///
/// # Errors
///
/// When `module` isn't a WebAssembly module, has no description of its world inside, lacks something that its world says it
/// exports, or imports something that isn't in its world.
pub fn componentize(module: &[u8]) -> Result<Vec<u8>> {
    // The encoder would make an empty component of it, and the mistake would show only when that is run.
    let (described, _) = metadata::decode(module)?;
    ensure!(described.is_some(), "the module has no description of its world inside");
    ComponentEncoder::default().validate(true).module(module)?.encode()
}

fn write_if_changed(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::read(path) {
        Ok(old) if old == bytes => Ok(()),
        _ => fs::write(path, bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_would_not_change_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("guest.wasm");
        write_if_changed(&path, b"one").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();

        write_if_changed(&path, b"one").unwrap();

        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    }

    #[test]
    fn a_module_that_names_no_world_is_not_a_guest() {
        let empty_module = b"\0asm\x01\0\0\0";

        let error = componentize(empty_module).unwrap_err();

        assert!(error.to_string().contains("no description of its world"), "{error}");
        assert!(componentize(b"not a module").is_err());
    }
}
