//! `cargo xtask demo`: one workflow over this repository, from nothing to a printed result.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use serde_json::json;

use crate::{guests, step, workspace::Workspace};

/// Build everything and run one workflow on this repository.
///
/// Builds the guests and the `callgate` command, writes a configuration with one connection, `files`, whose server is
/// `callgate demo-server` on this repository, and runs the workflow `code-census`: it counts files and lines per language
/// with tool calls only. The command line that it runs is printed; copy it to try variations. Needs no network beyond what
/// cargo fetches, and no MCP server from elsewhere.
#[derive(clap::Args)]
pub(crate) struct Demo {}

/// All that the workflow needs of its server's ten tools.
const GRANTS: [&str; 4] = ["--allow", "files/list_directory", "--allow", "files/read_text_file"];

impl Demo {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let components = step::timed("guests", || guests::build(workspace))?;
        let census = components
            .iter()
            .find(|component| component.file_stem().is_some_and(|stem| stem == "code-census"))
            .context("no guest is called code-census")?;
        let callgate = step::timed("callgate", || build_callgate(workspace))?;
        let config = write_config(workspace, &callgate)?;
        let input = json!({ "connection": "files", "root": workspace.root() });

        let mut run = Command::new(&callgate);
        run.arg("run")
            .arg(census)
            .args(GRANTS)
            .arg("--config")
            .arg(&config)
            .arg("--input")
            .arg(input.to_string());
        println!(
            "== {} run {} {} --config {} --input '{input}'",
            callgate.display(),
            census.display(),
            GRANTS.join(" "),
            config.display()
        );
        step::run(&mut run)
    }
}

/// Builds the command and says where it is. With the features that the whole workspace asks of its dependencies, so that
/// the tests find them built.
fn build_callgate(workspace: &Workspace) -> Result<PathBuf> {
    step::run(workspace.cargo().args(["build", "--workspace", "--bin", "callgate"]))?;
    let name = format!("callgate{}", env::consts::EXE_SUFFIX);
    Ok(workspace.target().join("debug").join(name))
}

/// Writes the configuration of the demo: this very command as the server of the only connection.
fn write_config(workspace: &Workspace, callgate: &Path) -> Result<PathBuf> {
    let folder = workspace.target().join("demo");
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let path = folder.join("callgate.json");
    let config = json!({
        "mcpServers": {
            "files": { "command": callgate, "args": ["demo-server", workspace.root()] }
        }
    });
    fs::write(&path, format!("{config:#}\n"))
        .with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}
