//! What `tsc` prints, as faults of the script.

use std::path::Path;

use super::{
    super::diagnostic::{Diagnostic, Subject},
    Wrapped,
};
use crate::limits::CheckLimits;

/// The output of one check, and what it is about.
pub(super) struct Report<'r> {
    pub(super) output: &'r str,
    /// The script's name for the compiler.
    pub(super) name: &'r str,
    pub(super) source: &'r str,
    pub(super) wrapped: &'r Wrapped,
    pub(super) file: &'r Path,
    pub(super) limits: &'r CheckLimits,
}

impl Report<'_> {
    /// The faults that have a place: `script.ts(3,5): error TS2345: ...`. Indented lines belong to the one before.
    pub(super) fn faults(&self) -> Vec<Diagnostic> {
        let mut found: Vec<(usize, usize, String)> = Vec::new();
        for line in self.output.lines() {
            match self.place(line) {
                Some((line, column, message)) => found.push((line, column, message.to_owned())),
                None if line.starts_with(' ') => {
                    if let Some((_, _, message)) = found.last_mut() {
                        message.push(' ');
                        message.push_str(line.trim());
                    }
                }
                None => {}
            }
        }
        let file = self.file.display().to_string();
        let limits = &self.limits.source;
        let subject = Subject { source: self.source, file: &file, limits };
        let found = found.into_iter().take(limits.max_diagnostics);
        found
            .map(|(line, column, message)| {
                let at = offset(self.source, line, column);
                subject.fault(at, at + word_length(&self.source[at..]), &message, None)
            })
            .collect()
    }

    /// Its words where no fault has a place.
    pub(super) fn words(&self) -> String {
        let most = self.limits.source.max_message_chars;
        self.output
            .trim()
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(most)
            .collect()
    }

    /// Line and column in the source, from 1, and the message.
    fn place<'l>(&self, line: &'l str) -> Option<(usize, usize, &'l str)> {
        let rest = line.strip_prefix(self.name)?.strip_prefix('(')?;
        let (place, rest) = rest.split_once("): ")?;
        let (line, column) = place.split_once(',')?;
        let (line, column) = (line.parse::<usize>().ok()?, column.parse().ok()?);
        let message = rest.strip_prefix("error ").unwrap_or(rest);
        // What is said of the frame around the source is a fault of its last line.
        let most = self.source.lines().count().max(1);
        Some((line.saturating_sub(self.wrapped.lines_before).clamp(1, most), column, message))
    }
}

/// The byte at which a line and a column (in UTF-16 units) are; the end of the line where it is shorter.
fn offset(source: &str, line: usize, column: usize) -> usize {
    let start: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let text = source[start..].lines().next().unwrap_or_default();
    let mut units = 1;
    for (at, c) in text.char_indices() {
        if units >= column {
            return start + at;
        }
        units += c.len_utf16();
    }
    start + text.len()
}

/// How many bytes of a word a text begins with.
fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(text.len())
}
