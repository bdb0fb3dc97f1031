//! Builds every guest that the tests run, and names them for Rust: see `guests` in `src/lib.rs`.

use std::{
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use callgate_guest_build::{CCompiler, CGuest, Guests, build, build_c, folder};

/// The workflows and the middleware that the repository ships.
const SHIPPED: [Guests<'_>; 15] = [
    Guests::Library("allow-list"),
    Guests::Library("audit"),
    Guests::Library("budget"),
    Guests::Library("cache"),
    Guests::Library("code-census"),
    Guests::Library("dedupe"),
    Guests::Library("deny-writes"),
    Guests::Library("error-handling"),
    Guests::Library("fan-out"),
    Guests::Library("fault"),
    Guests::Library("hello"),
    Guests::Library("mock"),
    Guests::Library("redact"),
    Guests::Library("rename"),
    Guests::Library("retry"),
];

/// The guests in C: the name of each, and its world.
const IN_C: [(&str, &str); 2] = [("flow", "workflow"), ("layer", "middleware")];

/// Everything that a guest is made of.
const SOURCES: [&str; 5] = ["../guest", "../wit", "guests", "../Cargo.toml", "../Cargo.lock"];

fn main() -> Result<()> {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").context("this is a build script")?);
    let shipped = build(&SHIPPED, &out_dir.join("shipped"))?;
    let tiny = build(&[Guests::Examples("test-guests")], &out_dir.join("tiny"))?;
    check_that_all_are_built(&tiny)?;

    let mut code = String::new();
    let in_c = build_in_c(&out_dir.join("c"))?;
    for component in shipped.iter().chain(&tiny).chain(&in_c) {
        write_constant(&mut code, component)?;
    }
    write_for_each(&mut code, &tiny)?;
    fs::write(out_dir.join("guests.rs"), code).context("can't write guests.rs")
}

/// Compiles them as `guest/elsewhere/README.md` does.
fn build_in_c(folder_of_all: &Path) -> Result<Vec<PathBuf>> {
    let compiler = CCompiler::find_or_install(&folder()?.join("c-compiler"))?;
    let mut components = Vec::new();
    for (name, world) in IN_C {
        let guest = CGuest {
            wit: Path::new("../wit"),
            world,
            sources: &[Path::new("../guest/elsewhere/c").join(name).with_extension("c")],
            foreign: &[],
            definitions: &["_GNU_SOURCE"],
            stack_bytes: 64 << 10,
            start: None,
        };
        let work = folder_of_all.join(name);
        fs::create_dir_all(&work)?;
        let component = build_c(&guest, &compiler, &work)
            .with_context(|| format!("{name}.c can't be built"))?;
        let path = folder_of_all.join(format!("c-{name}.wasm"));
        fs::write(&path, component).with_context(|| format!("can't write {}", path.display()))?;
        components.push(path);
    }
    Ok(components)
}

/// An example that no `[[example]]` names is passed over by cargo without a word.
fn check_that_all_are_built(tiny: &[PathBuf]) -> Result<()> {
    for source in fs::read_dir("guests/examples")? {
        let source = source?.path();
        let is_built = tiny.iter().any(|component| component.file_stem() == source.file_stem());
        ensure!(is_built, "guests/Cargo.toml has no `[[example]]` for {}", source.display());
    }
    Ok(())
}

fn write_constant(code: &mut String, component: &Path) -> Result<()> {
    let name = name_of(component)?;
    let constant = name.replace('-', "_").to_uppercase();
    writeln!(code, "/// The component `{name}`.")?;
    writeln!(code, "pub const {constant}: &str = {:?};", component.display().to_string())?;
    Ok(())
}

/// A macro that calls another one with the name of each tiny guest.
fn write_for_each(code: &mut String, tiny: &[PathBuf]) -> Result<()> {
    writeln!(
        code,
        "/// Calls the macro `$use` with the name of each tiny guest. With one that names a test of that name,"
    )?;
    writeln!(code, "/// a guest that no test runs is a compile error.")?;
    writeln!(code, "#[macro_export]\nmacro_rules! for_each_test_guest {{\n    ($use:ident) => {{")?;
    for component in tiny {
        writeln!(code, "        $use!({});", name_of(component)?)?;
    }
    writeln!(code, "    }};\n}}")?;
    Ok(())
}

fn name_of(component: &Path) -> Result<&str> {
    component.file_stem().and_then(|stem| stem.to_str()).context("a guest has a name")
}
