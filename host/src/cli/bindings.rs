//! `callgate bindings`: code that calls the tools, for workflows that are compiled.

use std::path::PathBuf;

use super::{Done, catalogues, connections, exit::Exit, types::write};
use crate::{limits::TypesLimits, types::rust};

/// Write functions and types for servers' tools, for workflows that are compiled
///
/// Connects to the servers, reads their lists of tools, and ends them again; no tool is called. The same lists make the same
/// text.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The language
    #[arg(value_enum)]
    language: Language,
    /// The connections' names in the configuration [default: all]
    #[arg(value_name = "CONNECTION")]
    connections: Vec<String>,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    file: connections::File,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Language {
    /// A module for crates that use callgate-guest, serde and serde_json
    Rust,
}

pub(super) async fn bindings(arguments: Arguments) -> Done {
    let limits = TypesLimits::default();
    let servers = catalogues::servers(&arguments.file, &arguments.connections, &limits).await?;
    let text = match arguments.language {
        Language::Rust => rust(&servers, &limits)?,
    };
    write(&text, arguments.output.as_deref())?;
    Ok(Exit::Done)
}
