//! The rules of this repository that no compiler checks.
//!
//! Every check here comes with a test that breaks its rule in a made-up file and sees the check notice.

mod files;
mod surface;
mod tokens;
mod wit;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// One text file of the repository.
struct Source {
    /// Its path from the root of the repository, with `/`.
    path: String,
    text: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it belongs to a room: `x` is `x.rs` and all below `x/`.
    fn is_in(&self, room: &str) -> bool {
        self.path == room
            || self
                .path
                .strip_prefix(room)
                .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// All text files that are in the repository, or would be with the next commit.
fn sources() -> Vec<Source> {
    let root = root();
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let paths = String::from_utf8(output.stdout).unwrap();
    // A file that is deleted but still in the index, and one that is not text, are of no interest here.
    let sources: Vec<Source> = paths
        .split_terminator('\0')
        .filter_map(|path| Some(Source::new(path, &fs::read_to_string(root.join(path)).ok()?)))
        .collect();
    assert!(sources.iter().any(|source| source.path == "host/src/lib.rs"), "git lists no sources");
    sources
}

/// Fails with all faults, a line each.
#[track_caller]
fn assert_none(faults: impl IntoIterator<Item = String>) {
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{} faults:\n  {}", faults.len(), faults.join("\n  "));
}
