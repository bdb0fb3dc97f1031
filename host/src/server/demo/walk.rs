//! Looking through folders: lists, trees and searches. Symbolic links are shown and not followed.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::Path,
};

use glob::{MatchOptions, Pattern};
use rustix::fs::{AtFlags, Dir, FileType, statat};
use serde::Serialize;

use super::{Files, error::FileError, root::Inside};

/// As in a shell with `globstar` and `dotglob`.
const MATCHING: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// One name in a folder.
struct FolderEntry {
    name: OsString,
    is_folder: bool,
}

/// One node of the answer of `directory_tree`.
#[derive(Serialize)]
struct Node {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    children: Option<Vec<Node>>,
}

/// One walk: where it started, what it leaves out and how much it may still look at.
struct Walk<'a> {
    files: &'a Files,
    start: Inside,
    excluded: Vec<Pattern>,
    entries_left: usize,
}

impl Files {
    pub(super) fn list(&self, path: &str) -> Result<String, FileError> {
        let mut walk = Walk::new(self, path, &[])?;
        let entries = walk.entries(&walk.start.clone())?;
        let line = |entry: &FolderEntry| {
            let kind = if entry.is_folder { "[DIR]" } else { "[FILE]" };
            format!("{kind} {}", entry.name.display())
        };
        Ok(entries.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn tree(&self, path: &str, excluded: &[String]) -> Result<String, FileError> {
        let mut walk = Walk::new(self, path, excluded)?;
        let nodes = walk.nodes(&walk.start.clone())?;
        Ok(serde_json::to_string_pretty(&nodes).expect("names and lists have a JSON form"))
    }

    pub(super) fn search(
        &self,
        path: &str,
        pattern: &str,
        excluded: &[String],
    ) -> Result<String, FileError> {
        let pattern = compile(pattern)?;
        let mut walk = Walk::new(self, path, excluded)?;
        let mut found = Vec::new();
        let mut folders = vec![walk.start.clone()];
        while let Some(folder) = folders.pop() {
            let entries = walk.entries(&folder)?;
            for entry in entries.iter().rev().filter(|entry| entry.is_folder) {
                folders.push(folder.join(&entry.name));
            }
            for entry in &entries {
                let inside = folder.join(&entry.name);
                if pattern.matches_path_with(walk.relative(&inside), MATCHING) {
                    found.push(self.root.absolute(&inside).display().to_string());
                }
            }
        }
        if found.is_empty() {
            return Ok("No matches found".to_owned());
        }
        found.sort();
        Ok(found.join("\n"))
    }
}

impl<'a> Walk<'a> {
    fn new(files: &'a Files, path: &str, excluded: &[String]) -> Result<Self, FileError> {
        let start = files.root.inside(path)?;
        let excluded = excluded.iter().map(|pattern| compile(pattern)).collect::<Result<_, _>>()?;
        Ok(Self { files, start, excluded, entries_left: files.limits.max_entries })
    }

    fn nodes(&mut self, folder: &Inside) -> Result<Vec<Node>, FileError> {
        let entries = self.entries(folder)?;
        let node = |entry: FolderEntry| {
            let children = match entry.is_folder {
                true => Some(self.nodes(&folder.join(&entry.name))?),
                false => None,
            };
            let kind = if entry.is_folder { "directory" } else { "file" };
            Ok(Node { name: entry.name.display().to_string(), kind, children })
        };
        entries.into_iter().map(node).collect()
    }

    /// What is in a folder and not left out, sorted by name.
    fn entries(&mut self, folder: &Inside) -> Result<Vec<FolderEntry>, FileError> {
        let failed = |errno| folder.error("listed", errno);
        let opened = self.files.root.open_folder(folder).map_err(failed)?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(&opened).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            self.entries_left = self.entries_left.checked_sub(1).ok_or_else(|| self.too_many())?;
            if self.is_excluded(&folder.join(name)) {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems don't say.
                FileType::Unknown => statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW)
                    .map(|status| FileType::from_raw_mode(status.st_mode))
                    .map_err(failed)?,
                kind => kind,
            };
            let is_folder = kind == FileType::Directory;
            entries.push(FolderEntry { name: name.to_owned(), is_folder });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn is_excluded(&self, inside: &Inside) -> bool {
        let relative = self.relative(inside);
        self.excluded.iter().any(|pattern| pattern.matches_path_with(relative, MATCHING))
    }

    /// The path from where the walk started.
    fn relative<'p>(&self, inside: &'p Inside) -> &'p Path {
        inside.names().strip_prefix(self.start.names()).unwrap_or(inside.names())
    }

    fn too_many(&self) -> FileError {
        let max_entries = self.files.limits.max_entries;
        FileError::TooManyEntries { path: self.start.spelled.clone(), max_entries }
    }
}

fn compile(pattern: &str) -> Result<Pattern, FileError> {
    Pattern::new(pattern)
        .map_err(|source| FileError::BadPattern { pattern: pattern.to_owned(), source })
}
