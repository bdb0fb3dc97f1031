//! Puts middleware components into the host: every `NAME.wasm` of the folder that `CALLGATE_EMBED` names, or of `library` beside
//! the manifest, and none without either.
//!
//! Building them here would make every build of the host a build of the guests, and an installation from source need their
//! compiler. `cargo xtask dist` builds both and names the folder; `cargo xtask package` puts `library` into the crate.

#![expect(
    clippy::disallowed_methods,
    reason = "the rules of the host bind the host, not what builds it"
)]

use std::{
    env,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// The folder that only the crate for a registry has.
const PACKED: &str = "library";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CALLGATE_EMBED");
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("this is a build script")?);
    let mut table = String::from("&[\n");
    let packed = Path::new(PACKED).is_dir().then(|| PACKED.into());
    if let Some(folder) = env::var_os("CALLGATE_EMBED").or(packed) {
        let folder = fs::canonicalize(folder)?;
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder)? {
            files.push(entry?.path());
        }
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "wasm")) {
            let name = file.file_stem().and_then(|name| name.to_str()).ok_or("a name in UTF-8")?;
            let path = file.to_str().ok_or("a path in UTF-8")?;
            writeln!(table, "    ({name:?}, include_bytes!({path:?}).as_slice()),")?;
        }
    }
    table.push_str("]\n");
    fs::write(out_dir.join("embedded.rs"), table)?;
    Ok(())
}
