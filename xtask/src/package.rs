//! `cargo xtask package`: the crates for a registry, with everything inside that takes a compiler for guests.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};

use crate::{guests, script::Script, step, workspace::Workspace};

/// Pack the command and what it needs as crates, so that `cargo install` needs no compiler for guests.
///
/// `callgate-script` has the built runner of scripts in place of its sources, and `callgate` the library of middleware. The
/// sources are laid out in `target/package/source`, from where `cargo publish --workspace` would send them off, and the crates are
/// written to `target/package`.
#[derive(clap::Args)]
pub(crate) struct Package {
    /// Let cargo build each of the crates from what is packed in it, and from nothing
    #[arg(long)]
    check: bool,
}

/// A crate.
struct Crate {
    name: &'static str,
    /// Where its sources are.
    folder: &'static str,
    /// Some of what it has beside them.
    built: &'static [&'static str],
}

const PACKAGES: [Crate; 3] = [
    Crate { name: "callgate-guest-build", folder: "guest/build", built: &[] },
    Crate { name: "callgate-script", folder: "guest/script", built: &["runner.wasm"] },
    Crate { name: "callgate", folder: "host", built: &["library/retry.wasm", "wit/tools.wit"] },
];

impl Package {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let folder = workspace.target().join("package");
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("emptying {}", folder.display()))?;
        }
        let source = folder.join("source");
        step::timed("sources", || lay_out(workspace, &source))?;
        step::timed("library of middleware", || {
            copy(&guests::library(workspace)?, &source.join("host/library"))
        })?;
        step::timed("runner of scripts", || {
            let runner = Script::build(workspace)?;
            copy(&runner, &source.join("guest/script/runner.wasm"))
        })?;
        step::timed("crates", || self.pack(workspace, &source))?;
        for package in PACKAGES {
            let path = package.look_inside(&folder)?;
            let bytes = fs::metadata(&path)
                .with_context(|| format!("looking at {}", path.display()))?
                .len();
            println!("{bytes:>9} bytes  {}", path.display());
        }
        println!("to install the command from what is laid out:");
        println!("  cargo install --locked --path {}", source.join("host").display());
        Ok(())
    }

    fn pack(&self, workspace: &Workspace, source: &Path) -> Result<()> {
        let mut cargo = workspace.cargo();
        cargo.current_dir(source).env("CARGO_TARGET_DIR", workspace.target());
        // What is laid out is under no version control, and needn't be.
        cargo.args(["package", "--workspace", "--allow-dirty"]);
        if !self.check {
            cargo.arg("--no-verify");
        }
        step::run(&mut cargo)
    }
}

/// Copies what git knows of the packages into a workspace of its own.
fn lay_out(workspace: &Workspace, source: &Path) -> Result<()> {
    let mut git = Command::new("git");
    git.arg("-C").arg(workspace.root()).args(["ls-files", "-z", "--"]);
    git.args(PACKAGES.map(|package| package.folder));
    let listed = String::from_utf8(step::output(&mut git)?).context("a path that is not UTF-8")?;
    for path in listed.split_terminator('\0') {
        copy(&workspace.root().join(path), &source.join(path))?;
    }
    copy(&workspace.root().join("Cargo.lock"), &source.join("Cargo.lock"))?;
    let manifest = fs::read_to_string(workspace.root().join("Cargo.toml"))
        .context("reading the manifest of the workspace")?;
    fs::write(source.join("Cargo.toml"), manifest_of_packages(&manifest)?)
        .context("writing the manifest of the packages")
}

/// The manifest of the workspace for these packages alone, which may be published.
fn manifest_of_packages(manifest: &str) -> Result<String> {
    let members = PACKAGES.map(|package| package.folder);
    let mut replaced = 0;
    let lines = manifest.lines().map(|line| {
        if line.starts_with("members = ") {
            replaced += 1;
            format!("members = {members:?}\n")
        } else if line == "publish = false" {
            replaced += 1;
            "publish = true\n".to_owned()
        } else {
            format!("{line}\n")
        }
    });
    let text: String = lines.collect();
    ensure!(replaced == 2, "the manifest of the workspace has no line of members and of publish");
    Ok(text)
}

/// Copies a file, or the files of a folder. Links are followed: a package has no outside.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    let parent = to.parent().context("a copy is in a folder")?;
    fs::create_dir_all(parent).with_context(|| format!("making {}", parent.display()))?;
    fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
    Ok(())
}

impl Crate {
    /// Whether everything that takes a compiler for guests is in the crate; says which file that is.
    fn look_inside(&self, folder: &Path) -> Result<PathBuf> {
        let versioned = format!("{}-{}", self.name, env!("CARGO_PKG_VERSION"));
        let path = folder.join(format!("{versioned}.crate"));
        let listed = step::output(Command::new("tar").arg("-tzf").arg(&path))?;
        let listed = String::from_utf8(listed).context("a path that is not UTF-8")?;
        for built in self.built {
            let is_there = listed.lines().any(|line| line == format!("{versioned}/{built}"));
            ensure!(is_there, "{} has no {built}", path.display());
        }
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_are_the_only_members_and_may_be_published() {
        let text = manifest_of_packages(
            "[workspace]\nmembers = [\"host\", \"x/*\"]\npublish = false\nz = 1\n",
        );
        let expected = "[workspace]\nmembers = [\"guest/build\", \"guest/script\", \"host\"]\npublish = true\nz = 1\n";
        assert_eq!(text.unwrap(), expected);
    }

    #[test]
    fn a_manifest_of_another_form_is_an_error() {
        let error = manifest_of_packages("[workspace]\npublish = false\n").unwrap_err();
        assert!(error.to_string().contains("members"), "{error}");
    }
}
