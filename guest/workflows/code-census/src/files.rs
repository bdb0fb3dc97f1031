//! The filesystem server, as far as a census needs it: listing a directory and reading a text.

use callgate_guest::{CallError, Cause, Json, RefusalReason, call, serde_json};
use serde::{Deserialize, Serialize};

/// A connection to a filesystem server, and the directory that paths are relative to.
pub(crate) struct Files {
    connection: String,
    root: String,
}

/// One line of a listing.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    Directory(String),
    File(String),
}

impl Files {
    pub(crate) fn new(connection: String, root: &str) -> Self {
        let root = root.strip_suffix('/').unwrap_or(root).to_owned();
        Self { connection, root }
    }

    /// What is in a directory. The empty path is the root.
    pub(crate) async fn list(&self, directory: &str) -> Result<Vec<Entry>, CallError> {
        let listing = self.ask("list_directory", directory).await?;
        Ok(entries(&listing))
    }

    /// The text of a file.
    pub(crate) async fn read(&self, file: &str) -> Result<String, CallError> {
        self.ask("read_text_file", file).await
    }

    /// Both tools take a path, answer a text, and change nothing: a call whose outcome got lost is made once more.
    async fn ask(&self, tool: &str, path: &str) -> Result<String, CallError> {
        #[derive(Serialize)]
        struct Arguments {
            path: String,
        }

        let arguments = Arguments { path: self.full_path(path) };
        let ask = async || call::<Json>(&self.connection, tool, &arguments).await;
        let output = match ask().await {
            Err(error) if is_worth_another_try(&error) => ask().await?,
            first => first?,
        };
        Ok(text_of(&output))
    }

    fn full_path(&self, path: &str) -> String {
        match path {
            // The root of the file system is the one directory whose name ends with the separator.
            "" if self.root.is_empty() => "/".to_owned(),
            "" => self.root.clone(),
            _ => format!("{}/{path}", self.root),
        }
    }
}

/// Whether an error may be a matter of the moment, and not of the call.
fn is_worth_another_try(error: &CallError) -> bool {
    match error {
        CallError::OutcomeUnknown(failure) => {
            matches!(failure.cause, Cause::SessionStopped | Cause::Timeout)
        }
        other => other.is_retryable(),
    }
}

/// Why a file or directory is left out, when `error` is a matter of this one path; otherwise the census ends with it.
pub(crate) fn reason_to_skip(error: CallError) -> Result<String, CallError> {
    match &error {
        CallError::Refused(refusal) if refusal.reason == RefusalReason::Denied => {}
        CallError::NotSent(failure) | CallError::OutcomeUnknown(failure)
            if failure.cause == Cause::TooLarge => {}
        CallError::Tool(_) | CallError::Rejected(_) => {}
        _ => return Err(error),
    }
    Ok(match error {
        CallError::NotSent(_) | CallError::OutcomeUnknown(_) => "too large".to_owned(),
        other => other.to_string(),
    })
}

/// The text in an output: the output itself, or its `content` where the server structures its answers.
fn text_of(output: &Json) -> String {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Structured {
        content: String,
    }

    let output = output.get();
    match output.as_bytes().first() {
        Some(b'"') => serde_json::from_str(output).ok(),
        Some(b'{') => serde_json::from_str(output).ok().map(|Structured { content }| content),
        // A server that sends no block says that there is no text.
        Some(b'n') => Some(String::new()),
        _ => None,
    }
    // A JSON file from a server that doesn't structure its answers: the output is what the file says.
    .unwrap_or_else(|| output.to_owned())
}

/// The entries of a listing: a line is `[DIR] name` or `[FILE] name`. Other lines are for people.
fn entries(listing: &str) -> Vec<Entry> {
    let entry = |line: &str| {
        let directory = line.strip_prefix("[DIR] ").map(|name| Entry::Directory(name.to_owned()));
        directory.or_else(|| line.strip_prefix("[FILE] ").map(|name| Entry::File(name.to_owned())))
    };
    listing.lines().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use callgate_guest::{CallFailure, ToolCallResult};

    use super::*;

    fn json(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    fn lost(cause: Cause) -> CallError {
        CallError::OutcomeUnknown(CallFailure { cause, detail: String::new() })
    }

    #[test]
    fn a_text_is_found_in_both_forms_of_an_answer() {
        assert_eq!(text_of(&json(r#""a\nb""#)), "a\nb");
        assert_eq!(text_of(&json(r#"{"content": "a\nb"}"#)), "a\nb");
        assert_eq!(text_of(&json("null")), "");
    }

    #[test]
    fn a_json_file_without_structure_around_it_is_its_own_text() {
        assert_eq!(text_of(&json("{\n \"name\": 1\n}")), "{\n \"name\": 1\n}");
        assert_eq!(text_of(&json("[1]")), "[1]");
    }

    #[test]
    fn a_listing_tells_directories_from_files() {
        let listing = "[DIR] src\n[FILE] a [DIR] b.rs\n\nNothing else\n";

        let entries = entries(listing);

        assert_eq!(
            entries,
            [Entry::Directory("src".to_owned()), Entry::File("a [DIR] b.rs".to_owned())]
        );
    }

    #[test]
    fn paths_are_below_the_root_whatever_its_spelling() {
        let path = |root: &str, path: &str| Files::new(String::new(), root).full_path(path);

        assert_eq!(path("/tree", ""), "/tree");
        assert_eq!(path("/tree/", "src/a.rs"), "/tree/src/a.rs");
        assert_eq!(path("/", ""), "/");
        assert_eq!(path("/", "etc"), "/etc");
    }

    #[test]
    fn one_bad_file_is_skipped_and_a_broken_connection_is_not() {
        let mut failed = ToolCallResult::from_output("EISDIR").unwrap();
        failed.outcome = callgate_guest::Outcome::Error;

        assert!(reason_to_skip(CallError::Tool(failed)).unwrap().contains("EISDIR"));
        assert_eq!(reason_to_skip(lost(Cause::TooLarge)).unwrap(), "too large");
        assert!(reason_to_skip(lost(Cause::SessionStopped)).is_err());
        assert!(reason_to_skip(CallError::refused(RefusalReason::LimitReached, "")).is_err());
    }

    #[test]
    fn a_lost_answer_is_asked_for_again_and_a_large_one_is_not() {
        assert!(is_worth_another_try(&lost(Cause::SessionStopped)));
        assert!(!is_worth_another_try(&lost(Cause::TooLarge)));
        assert!(!is_worth_another_try(&CallError::refused(RefusalReason::Denied, "")));
    }
}
