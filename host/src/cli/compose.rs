//! `callgate compose`: a workflow and its layers as one component.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};

use super::{Done, exit::Exit, output, with};
use crate::{compose::Stack, script::Script};

/// Make one component of a workflow and the middleware in front of it
///
/// A call passes the layers in the order of --with, from the workflow to the host, and its answer in reverse. The settings of
/// each are checked and built in; the result imports what a workflow imports, the tools, and runs like any other.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("made").required(true).multiple(true))]
pub(super) struct Arguments {
    /// The workflow, a component; a script is run with its layers, by `callgate run --with`
    #[arg(value_name = "FLOW.wasm")]
    workflow: PathBuf,
    #[command(flatten)]
    with: with::Arguments,
    /// Where to write the component
    #[arg(long, short, value_name = "OUT", group = "made")]
    output: Option<PathBuf>,
    /// Print the way of a call through the layers
    #[arg(long, group = "made")]
    plan: bool,
    /// Write a folder from which `wac compose` makes the same
    #[arg(long, value_name = "DIR", group = "made")]
    wac: Option<PathBuf>,
}

pub(super) fn compose(arguments: &Arguments) -> Done {
    let path = &arguments.workflow;
    let cannot = || format!("{} can't be composed", path.display());
    if Script::is_named(path) {
        // What runs scripts takes the source with the input and gives the logs with the result. A component with the source inside
        // would have to do both for itself.
        let what = anyhow::anyhow!(
            "a script is no component; run it with its layers: callgate run {} --with MIDDLEWARE[=SETTINGS]",
            path.display()
        );
        return Err(what.context(cannot()).into());
    }
    let stack = arguments.with.stack(path).with_context(cannot)?;
    let component = stack.compose().with_context(cannot)?;
    if let Some(out) = &arguments.output {
        std::fs::write(out, &component)
            .with_context(|| format!("can't write {}", out.display()))?;
    }
    if let Some(folder) = &arguments.wac {
        write_wac(&stack, folder)?;
    }
    if arguments.plan {
        let plan = plan(&stack, path, component.len());
        output::result(&plan).context("can't write the plan to stdout")?;
    }
    Ok(Exit::Done)
}

/// The chain, a line each, in the order in which a call passes it.
fn plan(stack: &Stack, workflow: &Path, bytes: usize) -> String {
    let mut lines = vec![(workflow.display().to_string(), "makes the calls".to_owned())];
    let mut end = ("the host".to_owned(), "carries them out".to_owned());
    if stack.calls_tools() {
        for layer in stack.layers() {
            let settings = match layer.settings_origin() {
                Some(origin) => format!("settings: {origin}"),
                None => "no settings".to_owned(),
            };
            lines.push((layer.name().to_owned(), settings));
            if !layer.passes_calls_on() {
                end = ("the end".to_owned(), "no call reaches the host".to_owned());
            }
        }
    } else {
        end = ("the end".to_owned(), "it makes none".to_owned());
    }
    lines.push(end);
    let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let mut text = String::new();
    for (index, (name, what)) in lines.iter().enumerate() {
        let arrow = if index == 0 { "  " } else { "->" };
        let _a_string_takes_everything = writeln!(text, "{arrow} {name:width$}  {what}");
    }
    let _a_string_takes_everything = write!(text, "{bytes} bytes");
    text
}

fn write_wac(stack: &Stack, folder: &Path) -> anyhow::Result<()> {
    for file in stack.wac() {
        let path = folder.join(&file.path);
        let parent = path.parent().context("every file of it is in a folder")?;
        std::fs::create_dir_all(parent)
            .with_context(|| format!("can't make {}", parent.display()))?;
        // What another stack left here would be taken for a part of this one.
        ensure!(!path.exists(), "{} is there already: name a new folder", path.display());
        std::fs::write(&path, &file.bytes)
            .with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}
