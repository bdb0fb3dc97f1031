//! The runner of scripts: what its build script and the check of its reproducibility share.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};

use crate::{
    c::{CCompiler, CGuest, build_c},
    snapshot::Start,
};

/// More than a script may use of it (`MOST_BYTES` in `guest/script/c/stack.c`).
const STACK_BYTES: u32 = 1 << 20;

/// Bytes that the component may have; it goes with every installation of the host.
const MAX_BYTES: usize = 1 << 20;

/// Where the parts of the runner are.
#[derive(Clone, Copy, Debug)]
pub struct ScriptRunner<'a> {
    /// The folder with the folders `c` and `js`.
    pub package: &'a Path,
    /// The folder of the WIT package.
    pub wit: &'a Path,
    /// The folder with the C sources of QuickJS-NG.
    pub engine: &'a Path,
}

impl ScriptRunner<'_> {
    /// Builds the component. `work` is a folder for what comes up on the way.
    ///
    /// # Errors
    ///
    /// As for [`build_c`], and when the component is over one MiB.
    pub fn build(&self, compiler: &CCompiler, work: &Path) -> Result<Vec<u8>> {
        let mut sources = Vec::new();
        let folder = self.package.join("c");
        let cannot_read = || format!("can't read {}", folder.display());
        for entry in fs::read_dir(&folder).with_context(cannot_read)? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "c") {
                sources.push(path);
            }
        }
        // The linker puts them one after the other, and a folder has no order.
        sources.sort();
        let guest = CGuest {
            wit: self.wit,
            world: "workflow",
            sources: &sources,
            foreign: &[self.engine.to_owned()],
            definitions: &["_GNU_SOURCE", "NDEBUG"],
            stack_bytes: STACK_BYTES,
            start: Some(Start { function: "boot", rehearsal: Some("rehearse") }),
        };
        let component = build_c(&guest, compiler, work)?;
        let bytes = component.len();
        ensure!(bytes <= MAX_BYTES, "the component has {bytes} bytes, and may have {MAX_BYTES}");
        Ok(component)
    }
}
