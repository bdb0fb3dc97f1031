//! `callgate types`: declarations of the tools that scripts may call.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{
    Done, catalogues, connections,
    exit::{Exit, Failed},
    output,
};
use crate::{
    call::ConnectionId,
    config::Environment,
    limits::{CheckLimits, TypesLimits},
    pool::SessionPool,
    script,
    shutdown::unless_interrupted,
    types::{compact, typescript},
};

/// Write the types of servers' tools, for scripts and for those who write them
///
/// Connects to the servers, reads their lists of tools, and ends them again; no tool is called. The same lists make the same
/// text. Its size goes to standard error.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The connections' names in the configuration [default: all]
    #[arg(value_name = "CONNECTION")]
    connections: Vec<String>,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value = "dts")]
    format: Format,
    /// Type-check this script against them with `tsc`, and write nothing
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["output", "format"])]
    check: Option<PathBuf>,
    #[command(flatten)]
    file: connections::File,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// TypeScript declarations (`.d.ts`), for editors and for `tsc`
    Dts,
    /// One line for each tool, for prompts
    Compact,
}

/// How many bytes make a token, about: a rule of thumb for English and code, not any model's count.
const BYTES_PER_TOKEN: usize = 4;

pub(super) async fn types(arguments: Arguments) -> Done {
    let limits = TypesLimits::default();
    let servers = catalogues::servers(&arguments.file, &arguments.connections, &limits).await?;
    if let Some(script) = &arguments.check {
        return check(script, &typescript(&servers, &limits)?).await;
    }
    let text = match arguments.format {
        Format::Dts => typescript(&servers, &limits)?,
        Format::Compact => compact(&servers, &limits)?,
    };
    let bytes = text.len();
    let tokens = bytes.div_ceil(BYTES_PER_TOKEN);
    write(&text, arguments.output.as_deref())?;
    output::note(&format!("{bytes} bytes, about {tokens} tokens ({BYTES_PER_TOKEN} bytes each)"));
    Ok(Exit::Done)
}

/// Checks a script against what the connections list.
///
/// # Errors
///
/// As for [`check`], and when a connection can't be opened.
pub(super) async fn check_with(
    pool: &SessionPool,
    connections: &[ConnectionId],
    script: &Path,
) -> Result<(), Failed> {
    let limits = TypesLimits::default();
    let servers = catalogues::listed(pool, connections, &limits).await?;
    check(script, &typescript(&servers, &limits)?).await.map(|_done| ())
}

/// Checks a script before it runs. It ends with 2 when something is wrong, like a component that may not run.
///
/// # Errors
///
/// When there is no `tsc`, or the script has faults: all of them, with their places.
pub(super) async fn check(script: &Path, declarations: &str) -> Done {
    let limits = CheckLimits::default();
    let source = std::fs::read_to_string(script)
        .with_context(|| format!("can't read {}", script.display()))?;
    let search = Environment::of_process().get("PATH").unwrap_or_default().to_owned();
    let checked = script::check(&source, script, declarations, &search, &limits);
    unless_interrupted(checked).await??;
    Ok(Exit::Done)
}

/// Writes a text that ends with a line feed.
pub(super) fn write(text: &str, file: Option<&Path>) -> anyhow::Result<()> {
    match file {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("can't write {}", file.display()))
        }
        None => output::result(text.trim_end_matches('\n'))
            .context("can't write the declarations to stdout"),
    }
}
