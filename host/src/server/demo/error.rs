//! Why the file server can't do what it's asked: [`FileError`], which becomes the text of a tool error.

use std::{error::Error, io};

/// Each case says what the one who called can do about it.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    /// The path itself leads out.
    #[error("access denied: {path} is outside {root}, the only folder that is served")]
    Outside { path: String, root: String },
    /// A symbolic link leads out.
    #[error(
        "access denied: a symbolic link in {path} leads outside the served folder, or is an absolute one"
    )]
    LinkOutside { path: String },
    /// A symbolic link would be written through.
    #[error("access denied: {path} is a symbolic link; write to the file that it leads to")]
    WriteThroughLink { path: String },
    /// The tool needs something inside the folder.
    #[error("{path} is the served folder itself; name something in it")]
    IsRoot { path: String },
    #[error("{path} can't be {deed}")]
    Io { path: String, deed: &'static str, source: io::Error },
    #[error("{path} isn't a regular file")]
    NotAFile { path: String },
    #[error("{path} isn't text in UTF-8, and only text can be read here")]
    NotText { path: String },
    #[error(
        "{path} has more than {max_text_bytes} bytes to read (max_text_bytes); ask for fewer lines with head or tail"
    )]
    FileTooLarge { path: String, max_text_bytes: usize },
    #[error("the content has more than {max_text_bytes} bytes (max_text_bytes)")]
    ContentTooLarge { max_text_bytes: usize },
    #[error(
        "the answer has more than {max_text_bytes} bytes (max_text_bytes); ask for less at once"
    )]
    AnswerTooLarge { max_text_bytes: usize },
    #[error(
        "there are more than {max_entries} files and folders in {path} (max_entries); start deeper down"
    )]
    TooManyEntries { path: String, max_entries: usize },
    #[error("{destination} is there already; move that away first")]
    DestinationExists { destination: String },
    #[error("head and tail can't be given both")]
    HeadAndTail,
    #[error("paths is empty; name at least one file")]
    NoPaths,
    #[error("{pattern:?} isn't a pattern")]
    BadPattern { pattern: String, source: glob::PatternError },
}

impl FileError {
    /// This error and what caused it, in one line.
    pub(super) fn to_text(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text.push_str(&format!(": {error}"));
            cause = error.source();
        }
        text
    }
}
