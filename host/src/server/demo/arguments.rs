//! The arguments of the file server's tools; the doc comments are what a client reads in their schemas.

use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

/// A path.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PathOnly {
    /// Relative to the served folder, or absolute and inside of it.
    pub(super) path: String,
}

/// Which part of which file.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ReadTextFile {
    /// The file.
    pub(super) path: String,
    /// Only so many lines from the start.
    pub(super) head: Option<usize>,
    /// Only so many lines from the end.
    pub(super) tail: Option<usize>,
}

/// Which files.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ReadMultipleFiles {
    /// The files, at least one.
    #[schemars(length(min = 1))]
    pub(super) paths: Vec<String>,
}

/// What to write where.
#[derive(Deserialize, JsonSchema)]
pub(super) struct WriteFile {
    /// The file; the folder that it is in has to be there.
    pub(super) path: String,
    /// Its whole new text.
    pub(super) content: String,
}

/// From where to where.
#[derive(Deserialize, JsonSchema)]
pub(super) struct MoveFile {
    /// The file or folder.
    pub(super) source: String,
    /// Its new path.
    pub(super) destination: String,
}

/// Which tree.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DirectoryTree {
    /// The folder.
    pub(super) path: String,
    /// Leaves out what matches one of these patterns, and all below it.
    #[serde(default)]
    pub(super) exclude_patterns: Vec<String>,
}

/// What to search where.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SearchFiles {
    /// The folder.
    pub(super) path: String,
    /// `?`, `*` (within one name), `**` (any number of folders) and `[a-z]`.
    pub(super) pattern: String,
    /// Leaves out what matches one of these patterns, and all below it.
    #[serde(default)]
    pub(super) exclude_patterns: Vec<String>,
}

/// What every tool answers.
#[derive(Serialize, JsonSchema)]
pub(super) struct TextAnswer {
    /// The text, as in the text block.
    content: String,
}
