//! Sources that come from the registry with a checksum and are not compiled by cargo.
//!
//! A crate is listed as a dependency for a target that nothing is built for, `cfg(target_os = "none")`. So cargo fetches it,
//! and its version and checksum are in `Cargo.lock`; its build script and its code never run.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::cargo::cargo;

/// A target without a system that every compiler knows.
const NOWHERE: &str = "x86_64-unknown-none";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

/// The folder of the crate `name` among the dependencies of the package in this folder, fetched if it isn't there yet.
///
/// # Errors
///
/// When cargo can't fetch it, when `Cargo.lock` isn't up to date, and when it is no dependency for a target without a system.
pub fn sources_of(package: &Path, name: &str) -> Result<PathBuf> {
    let output = cargo()
        .current_dir(package)
        .args(["metadata", "--locked", "--format-version=1", "--filter-platform", NOWHERE])
        .stderr(Stdio::inherit())
        .output()
        .context("can't run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", output.status);
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .context("can't read the output of cargo metadata")?;
    let found = metadata.packages.into_iter().find(|it| it.name == name);
    let manifest = found.with_context(|| format!("{name} is no dependency"))?.manifest_path;
    Ok(manifest.parent().context("a manifest is in a folder")?.to_owned())
}
