//! `callgate check`: what a component asks for, and whether it may run.

use std::{fmt::Write, path::PathBuf};

use anyhow::Context;

use super::{Done, exit::Exit, output};
use crate::{
    component::{Workflow, WorkflowError},
    engine::Engine,
};

/// Say what a component imports and exports, and whether it may run
///
/// Nothing of it is run. Exits with 0 when it may run and with 2 when it may not.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The component
    #[arg(value_name = "FLOW.wasm")]
    workflow: PathBuf,
}

pub(super) fn check(arguments: &Arguments) -> Done {
    let path = &arguments.workflow;
    let bytes = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let verdict = Workflow::check(&Engine::new()?, &bytes)
        .with_context(|| format!("{} can't be run", path.display()))?;

    let mut text = format!("{}: {} bytes\n", path.display(), bytes.len());
    list(&mut text, "imports", &verdict.imports);
    list(&mut text, "exports", &verdict.exports);
    text.push_str(if verdict.reasons.is_empty() { "verdict: may run" } else { "verdict: refused" });
    output::result(&text).context("can't write the verdict to stdout")?;
    if verdict.reasons.is_empty() {
        return Ok(Exit::Done);
    }
    Err(WorkflowError::Refused(verdict.reasons).into())
}

fn list(text: &mut String, title: &str, names: &[String]) {
    if names.is_empty() {
        let _a_string_takes_everything = writeln!(text, "{title}: none");
    } else {
        let _a_string_takes_everything = writeln!(text, "{title}: {}", names.join(", "));
    }
}
