//! Running cargo for guests: where the workspace is, what to build, and which modules came out.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::{Guests, toolchain::Toolchain};

/// The only target that guests are built for: it has no system interface at all, so nothing foreign can be imported.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Variables that an outer cargo, a build script or the user has set for the host's code, and that would change the guest's
/// or rebuild it. (`RUSTC_WRAPPER` stays: a compiler cache serves both.)
const LEAKING_VARIABLES: [&str; 8] = [
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_ENCODED_RUSTDOCFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_TARGET_DIR",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTFLAGS",
];

/// A core module that cargo has built.
#[derive(Debug)]
pub(crate) struct Module {
    /// The guest's name.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// What cargo says of the workspace.
#[derive(Deserialize)]
pub(crate) struct Workspace {
    target_directory: PathBuf,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

/// The messages that `cargo build` prints, as far as they matter here.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact(Artifact),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Artifact {
    manifest_path: PathBuf,
    target: ArtifactTarget,
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
    kind: Vec<String>,
    crate_types: Vec<String>,
}

impl Workspace {
    /// The workspace that the current directory is in.
    pub(crate) fn around_here() -> Result<Self> {
        let output = cargo()
            .args(["metadata", "--no-deps", "--format-version=1"])
            .stderr(Stdio::inherit())
            .output()
            .context("can't run cargo metadata")?;
        ensure!(output.status.success(), "cargo metadata failed: {}", output.status);
        serde_json::from_slice(&output.stdout).context("can't read the output of cargo metadata")
    }

    /// Where cargo puts what it builds.
    pub(crate) fn target(&self) -> &Path {
        &self.target_directory
    }

    /// Builds `guests` in one go.
    pub(crate) fn build(
        &self,
        guests: &[Guests<'_>],
        toolchain: &Toolchain,
    ) -> Result<Vec<Module>> {
        let wanted = self.manifests(guests)?;
        let mut build = cargo();
        build.args(["build", "--profile=guest", "--message-format=json-render-diagnostics"]);
        build.arg("--target").arg(TARGET);
        build.arg("--target-dir").arg(self.target_directory.join("guests"));
        for guest in guests {
            build.arg("--package").arg(guest.package());
        }
        // A package without examples doesn't mind `--examples`, but one without a library minds `--lib`.
        build.args(["--lib", "--examples"]);
        for variable in LEAKING_VARIABLES {
            build.env_remove(variable);
        }
        toolchain.apply_to(&mut build);
        let output = build.stderr(Stdio::inherit()).output().context("can't run cargo build")?;
        ensure!(output.status.success(), "the guests don't build: {}", output.status);
        let modules = modules(&output.stdout, &wanted)?;
        for guest in guests {
            let is_found = modules.iter().any(|(of, _)| of == guest);
            ensure!(is_found, "{guest:?} has no guest: is its crate type cdylib?");
        }
        Ok(modules.into_iter().map(|(_, module)| module).collect())
    }

    fn manifests<'a>(&self, guests: &[Guests<'a>]) -> Result<BTreeMap<&Path, Guests<'a>>> {
        let manifest = |guest: &Guests<'a>| {
            let package = self.packages.iter().find(|package| package.name == guest.package());
            let package = package
                .with_context(|| format!("no package of the workspace is {}", guest.package()))?;
            Ok((package.manifest_path.as_path(), *guest))
        };
        guests.iter().map(manifest).collect()
    }
}

/// The guests among the artifacts of a build.
fn modules<'a>(
    messages: &[u8],
    wanted: &BTreeMap<&Path, Guests<'a>>,
) -> Result<Vec<(Guests<'a>, Module)>> {
    let mut modules = Vec::new();
    for message in serde_json::Deserializer::from_slice(messages).into_iter() {
        let message = message.context("can't read the messages of cargo build")?;
        let Message::CompilerArtifact(artifact) = message else { continue };
        let Some(&guests) = wanted.get(artifact.manifest_path.as_path()) else { continue };
        modules.extend(artifact.module_of(guests)?.map(|module| (guests, module)));
    }
    Ok(modules)
}

impl Artifact {
    /// This artifact as a guest, if it is one of `guests`.
    fn module_of(self, guests: Guests<'_>) -> Result<Option<Module>> {
        let is_example = self.target.kind.iter().any(|kind| kind == "example");
        let name = match guests {
            Guests::Library(package) if !is_example => package.to_owned(),
            Guests::Examples(_) if is_example => self.target.name,
            _ => return Ok(None),
        };
        if !self.target.crate_types.iter().any(|crate_type| crate_type == "cdylib") {
            bail!("the guest {name} needs `crate-type = [\"cdylib\"]` in its Cargo.toml");
        }
        let is_module = |path: &PathBuf| path.extension().is_some_and(|end| end == "wasm");
        let path = self.filenames.into_iter().find(is_module);
        let path = path.with_context(|| format!("cargo made no module of the guest {name}"))?;
        Ok(Some(Module { name, path }))
    }
}

/// The cargo that runs this build script, if it is one.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "/t/hello/Cargo.toml";

    fn artifact(kind: &str, crate_type: &str, file: &str) -> String {
        serde_json::json!({
            "reason": "compiler-artifact",
            "manifest_path": MANIFEST,
            "target": { "name": "hello_there", "kind": [kind], "crate_types": [crate_type] },
            "filenames": ["/t/libhello_there.rlib", file],
        })
        .to_string()
    }

    fn modules_of(guests: Guests<'static>, messages: &str) -> Result<Vec<Module>> {
        let wanted = BTreeMap::from([(Path::new(MANIFEST), guests)]);
        let modules = modules(messages.as_bytes(), &wanted)?;
        Ok(modules.into_iter().map(|(_, module)| module).collect())
    }

    #[test]
    fn a_library_guest_is_named_after_its_package() {
        let messages = [
            r#"{"reason":"build-script-executed","package_id":"x"}"#.to_owned(),
            artifact("cdylib", "cdylib", "/t/hello_there.wasm"),
            artifact("example", "cdylib", "/t/examples/other.wasm"),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];

        let modules = modules_of(Guests::Library("hello-there"), &messages.join("\n")).unwrap();

        assert_eq!(modules.len(), 1);
        assert_eq!(modules[0].name, "hello-there");
        assert_eq!(modules[0].path, Path::new("/t/hello_there.wasm"));
    }

    #[test]
    fn an_example_that_is_a_program_is_not_a_guest() {
        let messages = artifact("example", "bin", "/t/examples/hello_there.wasm");

        let error = modules_of(Guests::Examples("hello-there"), &messages).unwrap_err();

        assert!(error.to_string().contains("cdylib"), "{error}");
    }
}
