//! Where things are: the repository, its build folder and its guest packages, as cargo itself says.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::step;

/// The workspace that this task runner belongs to.
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
    guests: Vec<String>,
    middleware: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    workspace_root: PathBuf,
    target_directory: PathBuf,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

impl Workspace {
    /// Asks cargo. The manifest is named, so that the verbs do the same from any working folder.
    pub(crate) fn find() -> Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let mut cargo = Command::new(step::cargo_path());
        cargo
            .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
            .arg(manifest);
        let metadata: Metadata = serde_json::from_slice(&step::output(&mut cargo)?)
            .context("reading the answer of cargo metadata")?;

        let in_room = |package: &Package, room: &str| {
            package.manifest_path.starts_with(metadata.workspace_root.join("guest").join(room))
        };
        let names = |rooms: &[&str]| {
            let packages = metadata.packages.iter();
            let packages = packages.filter(|package| rooms.iter().any(|it| in_room(package, it)));
            let mut names: Vec<String> = packages.map(|package| package.name.clone()).collect();
            names.sort();
            names
        };
        let guests = names(&["workflows", "middleware"]);
        let middleware = names(&["middleware"]);
        let Metadata { workspace_root: root, target_directory: target, .. } = metadata;
        Ok(Self { root, target, guests, middleware })
    }

    /// The folder of the repository.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The build folder.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// A program that was built here, to be run. Not by `cargo run`, which would build it for its package alone, again.
    pub(crate) fn binary(&self, name: &str) -> Command {
        Command::new(self.target.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
    }

    /// The packages under `guest/workflows` and `guest/middleware`, in alphabetical order.
    pub(crate) fn guests(&self) -> &[String] {
        &self.guests
    }

    /// The packages under `guest/middleware`, in alphabetical order.
    pub(crate) fn middleware(&self) -> &[String] {
        &self.middleware
    }

    /// A cargo command in the repository.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = Command::new(step::cargo_path());
        cargo.current_dir(&self.root);
        // What the cargo that runs this one says of this package. Some build scripts look at it, and crates would be built again
        // whenever somebody runs cargo by hand in between.
        let of_package = ["CARGO_PKG_", "CARGO_MANIFEST_"];
        for (name, _) in env::vars_os() {
            let is_of_package = |name: &str| of_package.iter().any(|it| name.starts_with(it));
            if name.to_str().is_some_and(is_of_package) {
                cargo.env_remove(&name);
            }
        }
        cargo
    }
}
