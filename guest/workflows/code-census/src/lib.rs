//! Counts files, lines, and the words TODO and FIXME of a directory tree, by language, through a filesystem server's tools.
//!
//! The walk needs two tools, `list_directory` and `read_text_file`, in the shapes of the MCP filesystem server. Many calls
//! are in flight at once; the answers' order doesn't show in the result.

mod count;
mod files;
mod language;
mod report;
mod walk;

use std::num::NonZeroUsize;

use callgate_guest::Failure;
use serde::Deserialize;

use crate::{files::Files, report::Report, walk::Walk};

/// How many calls are in flight unless the input says otherwise: enough to keep a server busy, few enough that their
/// answers fit in memory together.
const DEFAULT_MAX_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(32).expect("32 isn't zero");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    /// The connection with the filesystem server.
    connection: String,
    /// The directory to count, in the server's spelling.
    root: String,
    /// How many levels of directories below the root to enter; without it, all.
    max_depth: Option<usize>,
    /// How many calls may be in flight at once.
    max_in_flight: Option<NonZeroUsize>,
}

async fn run(input: Input) -> Result<Report, Failure> {
    let walk = Walk {
        files: Files::new(input.connection, &input.root),
        max_depth: input.max_depth.unwrap_or(usize::MAX),
        max_in_flight: input.max_in_flight.unwrap_or(DEFAULT_MAX_IN_FLIGHT),
    };
    let census = walk.finish().await?;
    Ok(census.into_report(input.root))
}

callgate_guest::workflow!(run);
