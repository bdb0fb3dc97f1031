//! `callgate demo-server`: the small filesystem server that comes with the binary.

use std::path::PathBuf;

use anyhow::Context;

use super::{Done, exit::Exit};

/// Serve the files below a directory over MCP on stdin and stdout
///
/// The tools are named and shaped like those of @modelcontextprotocol/server-filesystem. Paths outside the directory are
/// refused, those behind symbolic links too. It ends when stdin closes.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The directory
    directory: PathBuf,
}

pub(super) async fn serve(arguments: Arguments) -> Done {
    let directory = arguments.directory;
    let served = crate::server::demo::serve_stdio(directory.clone()).await;
    served.with_context(|| format!("can't serve {}", directory.display()))?;
    Ok(Exit::Done)
}
