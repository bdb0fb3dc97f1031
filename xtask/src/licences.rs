//! `cargo xtask licences`: every dependency's licence and origin against the policy in `deny.toml`.
//!
//! `deny.toml` is the policy file of cargo-deny, and where that is installed it is asked too. This check needs nothing
//! installed, knows only the part of the policy that it names, and refuses what it does not understand.

mod expression;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::{step, workspace::Workspace};
use expression::Expression;

/// Check the licences and origins of all dependencies.
///
/// Fails on a licence that `deny.toml` does not allow or that is missing or not a licence expression, on a dependency from
/// anywhere but the registry that `deny.toml` names, and on a version requirement that takes anything. Crates that are there
/// in several versions are listed, without failing. Uses `cargo deny` as well where it is installed.
#[derive(clap::Args)]
pub(crate) struct Licences {}

impl Licences {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        check(workspace)
    }
}

/// The part of `deny.toml` that is applied here.
#[derive(Deserialize)]
struct Policy {
    licenses: LicensePolicy,
    sources: SourcePolicy,
}

#[derive(Deserialize)]
struct LicensePolicy {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct SourcePolicy {
    allow_registry: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// Where it comes from; none is a folder of this repository.
    source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    req: String,
    path: Option<String>,
}

/// Checks all packages of all platforms that the lock file names.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let path = workspace.root().join("deny.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let policy: Policy = toml::from_str(&text).context("reading the policy in deny.toml")?;
    let mut cargo = workspace.cargo();
    cargo.args(["metadata", "--locked", "--format-version", "1"]);
    let metadata: Metadata = serde_json::from_slice(&step::output(&mut cargo)?)
        .context("reading the answer of cargo metadata")?;

    let faults: Vec<String> =
        metadata.packages.iter().flat_map(|package| faults(package, &policy)).collect();
    if !faults.is_empty() {
        bail!("{} dependencies break the policy:\n  {}", faults.len(), faults.join("\n  "));
    }
    report_duplicates(&metadata.packages);
    println!("The licences and origins of {} packages are in order.", metadata.packages.len());

    if step::answers(workspace.cargo().args(["deny", "--version"])) {
        let sections = ["licenses", "bans", "sources"];
        step::run(workspace.cargo().args(["deny", "--all-features", "check"]).args(sections))?;
    }
    Ok(())
}

/// What is wrong with one package.
fn faults(package: &Package, policy: &Policy) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault =
        |what: String| faults.push(format!("{} {}: {what}", package.name, package.version));
    match package.license.as_deref().map(Expression::parse) {
        None => fault("it names no licence".to_owned()),
        Some(Err(why)) => fault(format!("its licence cannot be read: {why}")),
        Some(Ok(licence)) if !licence.is_met_by(&policy.licenses.allow) => {
            fault(format!(
                "its licence is not allowed: {}",
                package.license.as_deref().unwrap_or("")
            ));
        }
        Some(Ok(_)) => {}
    }
    match &package.source {
        Some(source) => {
            let registry = source.strip_prefix("registry+");
            if !registry.is_some_and(|registry| policy.sources.allow_registry.contains(registry)) {
                fault(format!("it comes from {source}"));
            }
        }
        None => {
            let anything =
                package.dependencies.iter().filter(|it| it.req == "*" && it.path.is_none());
            anything.for_each(|it| fault(format!("it takes any version of {}", it.name)));
        }
    }
    faults
}

/// Lists the crates that are there in several versions: each costs build time, none is a fault.
fn report_duplicates(packages: &[Package]) {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    for (name, versions) in versions.into_iter().filter(|(_, versions)| versions.len() > 1) {
        let versions: Vec<&str> = versions.into_iter().collect();
        println!("In several versions: {name} {}", versions.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTRY: &str = "https://example.test/index";

    fn policy() -> Policy {
        Policy {
            licenses: LicensePolicy { allow: BTreeSet::from(["MIT".to_owned()]) },
            sources: SourcePolicy { allow_registry: BTreeSet::from([REGISTRY.to_owned()]) },
        }
    }

    fn package() -> Package {
        Package {
            name: "example".to_owned(),
            version: "1.0.0".to_owned(),
            license: Some("MIT OR Apache-2.0".to_owned()),
            source: Some(format!("registry+{REGISTRY}")),
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn an_allowed_licence_from_the_registry_is_in_order() {
        assert_eq!(faults(&package(), &policy()), Vec::<String>::new());
    }

    #[test]
    fn a_licence_that_is_not_allowed_missing_or_unreadable_is_a_fault() {
        for license in [Some("GPL-3.0-only"), Some("MIT AND GPL-3.0-only"), None, Some("MIT OR")] {
            let package = Package { license: license.map(str::to_owned), ..package() };

            assert_eq!(faults(&package, &policy()).len(), 1, "{license:?}");
        }
    }

    #[test]
    fn another_registry_and_a_git_source_are_faults() {
        for source in ["registry+https://example.test/other", "git+https://example.test/index"] {
            let package = Package { source: Some(source.to_owned()), ..package() };

            assert_eq!(faults(&package, &policy()).len(), 1, "{source}");
        }
    }

    #[test]
    fn taking_any_version_is_a_fault_of_ours() {
        let any = |path: Option<&str>| Dependency {
            name: "other".to_owned(),
            req: "*".to_owned(),
            path: path.map(str::to_owned),
        };
        let ours =
            Package { source: None, dependencies: vec![any(None), any(Some("x"))], ..package() };

        assert_eq!(faults(&ours, &policy()), ["example 1.0.0: it takes any version of other"]);
    }
}
