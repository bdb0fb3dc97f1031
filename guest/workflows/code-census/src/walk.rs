//! The walk over the tree: which calls to make next, with a bound on how many are in flight.

use std::num::NonZeroUsize;

use callgate_guest::{
    CallError,
    futures::stream::{FuturesUnordered, StreamExt},
};

use crate::{
    files::{Entry, Files, reason_to_skip},
    report::Census,
};

/// Directories that hold what tools made or fetched. They aren't entered, and not told of either.
const PASSED_BY: [&str; 3] = [".git", "node_modules", "target"];

/// A census about to begin.
pub(crate) struct Walk {
    pub(crate) files: Files,
    pub(crate) max_depth: usize,
    pub(crate) max_in_flight: NonZeroUsize,
}

/// One call that has to be made. Paths are below the root, which is the empty path itself.
#[derive(PartialEq, Eq, Debug)]
enum Step {
    List { path: String, depth: usize },
    Read { path: String },
}

/// What a call found.
enum Found {
    Entries { path: String, depth: usize, entries: Vec<Entry> },
    Text { path: String, text: String },
    Nothing { path: String, reason: String },
}

impl Walk {
    /// Walks the whole tree.
    ///
    /// # Errors
    ///
    /// An error that isn't the matter of one file, or any error of the root itself.
    pub(crate) async fn finish(self) -> Result<Census, CallError> {
        let mut census = Census::default();
        // A stack: files of the last directory come before the next directory, so the list of what waits stays short.
        let mut waiting = vec![Step::List { path: String::new(), depth: 0 }];
        let mut in_flight = FuturesUnordered::new();
        loop {
            let free = self.max_in_flight.get() - in_flight.len();
            let started = waiting.len().saturating_sub(free)..;
            in_flight.extend(waiting.drain(started).rev().map(|step| self.take(step)));
            match in_flight.next().await.transpose()? {
                None => return Ok(census),
                Some(Found::Text { path, text }) => census.add_file(path, &text),
                Some(Found::Nothing { path, reason }) => census.skip(path, reason),
                Some(Found::Entries { path, depth, entries }) => {
                    waiting.extend(self.steps(&path, depth, entries, &mut census));
                }
            }
        }
    }

    async fn take(&self, step: Step) -> Result<Found, CallError> {
        match step {
            Step::List { path, depth } => match self.files.list(&path).await {
                Ok(entries) => Ok(Found::Entries { path, depth, entries }),
                Err(error) if depth == 0 => Err(error),
                Err(error) => reason_to_skip(error).map(|reason| Found::Nothing { path, reason }),
            },
            Step::Read { path } => match self.files.read(&path).await {
                Ok(text) => Ok(Found::Text { path, text }),
                Err(error) => reason_to_skip(error).map(|reason| Found::Nothing { path, reason }),
            },
        }
    }

    /// What a listing asks for: directories first, since the end of the list is taken from first.
    fn steps(
        &self,
        parent: &str,
        depth: usize,
        entries: Vec<Entry>,
        census: &mut Census,
    ) -> Vec<Step> {
        let mut directories = Vec::new();
        let mut files = Vec::new();
        for entry in entries {
            match entry {
                Entry::Directory(name) if PASSED_BY.contains(&name.as_str()) => {}
                Entry::Directory(name) if depth == self.max_depth => {
                    census.skip(below(parent, &name), "deeper than max_depth".to_owned());
                }
                Entry::Directory(name) => {
                    directories.push(Step::List { path: below(parent, &name), depth: depth + 1 });
                }
                Entry::File(name) => files.push(Step::Read { path: below(parent, &name) }),
            }
        }
        directories.append(&mut files);
        directories
    }
}

fn below(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") }
}

#[cfg(test)]
mod tests {
    use callgate_guest::serde_json;

    use super::*;

    fn walk(max_depth: usize) -> Walk {
        Walk {
            files: Files::new("files".to_owned(), "/tree"),
            max_depth,
            max_in_flight: NonZeroUsize::MIN,
        }
    }

    fn entries() -> Vec<Entry> {
        let directory = |name: &str| Entry::Directory(name.to_owned());
        vec![
            directory("target"),
            Entry::File("a.rs".to_owned()),
            directory("src"),
            Entry::File("target".to_owned()),
            directory(".git"),
        ]
    }

    #[test]
    fn made_and_fetched_directories_are_passed_by() {
        let steps = walk(9).steps("lib", 1, entries(), &mut Census::default());

        assert_eq!(
            steps,
            [
                Step::List { path: "lib/src".to_owned(), depth: 2 },
                Step::Read { path: "lib/a.rs".to_owned() },
                Step::Read { path: "lib/target".to_owned() },
            ]
        );
    }

    #[test]
    fn directories_below_the_depth_are_skipped_and_told() {
        let mut census = Census::default();

        let steps = walk(1).steps("lib", 1, entries(), &mut census);

        assert_eq!(steps.len(), 2);
        let report = serde_json::to_string(&census.into_report(String::new())).unwrap();
        assert!(
            report.ends_with(r#""skipped":[{"path":"lib/src","reason":"deeper than max_depth"}]}"#)
        );
    }
}
