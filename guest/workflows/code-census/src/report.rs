//! Adding up what was found, and the form in which it is told.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{count::Counts, language};

/// What was found so far. It is a sum, so the order of adding doesn't matter.
#[derive(Debug, Default)]
pub(crate) struct Census {
    languages: BTreeMap<&'static str, Counts>,
    skipped: Vec<Skipped>,
}

/// The output of the workflow.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    root: String,
    #[serde(flatten)]
    total: Counts,
    languages: BTreeMap<&'static str, Counts>,
    skipped: Vec<Skipped>,
}

/// Something that isn't counted.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
struct Skipped {
    /// Below the root.
    path: String,
    reason: String,
}

impl Census {
    /// Counts a file. A text with a NUL, or with the mark that stands for undecodable bytes, isn't one.
    pub(crate) fn add_file(&mut self, path: String, text: &str) {
        if text.contains(['\0', char::REPLACEMENT_CHARACTER]) {
            return self.skip(path, "not a text".to_owned());
        }
        let name = path.rsplit('/').next().unwrap_or(&path);
        *self.languages.entry(language::of(name)).or_default() += Counts::of(text);
    }

    /// Notes that something wasn't counted, and why.
    pub(crate) fn skip(&mut self, path: String, reason: String) {
        self.skipped.push(Skipped { path, reason });
    }

    /// The whole, in an order that only the tree decides.
    pub(crate) fn into_report(mut self, root: String) -> Report {
        let mut total = Counts::default();
        self.languages.values().for_each(|&counts| total += counts);
        self.skipped.sort();
        Report { root, total, languages: self.languages, skipped: self.skipped }
    }
}

#[cfg(test)]
mod tests {
    use callgate_guest::serde_json;

    use super::*;

    fn report(files: &[(&str, &str)]) -> String {
        let mut census = Census::default();
        for &(path, text) in files {
            census.add_file(path.to_owned(), text);
        }
        serde_json::to_string(&census.into_report("/tree".to_owned())).unwrap()
    }

    #[test]
    fn the_order_of_the_answers_does_not_show() {
        let mut files = [
            ("b.rs", "// TODO\n"),
            ("a.py", "x"),
            ("src/c.rs", "\n\n"),
            ("z.bin", "\0"),
            ("d", "\0"),
        ];

        let one = report(&files);
        files.reverse();
        let other = report(&files);

        assert_eq!(one, other);
        assert_eq!(
            one,
            concat!(
                r#"{"root":"/tree","files":3,"lines":4,"todo":1,"fixme":0,"languages":{"#,
                r#""Python":{"files":1,"lines":1,"todo":0,"fixme":0},"#,
                r#""Rust":{"files":2,"lines":3,"todo":1,"fixme":0}},"#,
                r#""skipped":[{"path":"d","reason":"not a text"},{"path":"z.bin","reason":"not a text"}]}"#,
            )
        );
    }

    #[test]
    fn an_empty_tree_has_a_report() {
        assert_eq!(
            report(&[]),
            r#"{"root":"/tree","files":0,"lines":0,"todo":0,"fixme":0,"languages":{},"skipped":[]}"#
        );
    }
}
