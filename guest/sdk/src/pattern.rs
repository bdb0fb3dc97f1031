//! Naming tools in settings: `CONNECTION/TOOL`, exactly or with `*`.

use std::fmt;

use serde::{Deserialize, Deserializer, de::Error};

use crate::Call;

/// Which tools a setting is about: `files/read_text_file`, `files/read_*`, `*/search`, `*/*`.
///
/// The first `/` stands between the pattern of the connection and that of the tool; a `*` is any text, none included. A
/// `*` of the connection never reaches into the tool's name or back.
///
/// ```
/// use callgate_guest::{Call, ToolPattern};
///
/// let reading: ToolPattern = "files/read_*".parse()?;
/// let call = Call {
///     connection: "files".to_owned(),
///     tool: "read_text_file".to_owned(),
///     arguments: "{}".to_owned(),
/// };
/// assert!(reading.matches(&call));
/// # Ok::<(), callgate_guest::NotATool>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolPattern {
    connection: String,
    tool: String,
}

/// One tool of one connection, written `CONNECTION/TOOL`. A `*` is nothing special in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ToolName {
    /// The name of the connection: all before the first `/`.
    pub connection: String,
    /// The name of the tool.
    pub tool: String,
}

/// A text that isn't of the form `CONNECTION/TOOL`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not of the form CONNECTION/TOOL")]
pub struct NotATool(String);

impl ToolPattern {
    /// Whether the call is of a tool that is meant.
    pub fn matches(&self, call: &Call) -> bool {
        self.matches_names(&call.connection, &call.tool)
    }

    /// Whether a tool of a connection is meant.
    pub fn matches_names(&self, connection: &str, tool: &str) -> bool {
        is_match(&self.connection, connection) && is_match(&self.tool, tool)
    }
}

impl ToolName {
    /// Whether the call is of this tool.
    pub fn is_of(&self, call: &Call) -> bool {
        self.connection == call.connection && self.tool == call.tool
    }
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.connection, self.tool)
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.connection, self.tool)
    }
}

impl std::str::FromStr for ToolPattern {
    type Err = NotATool;

    fn from_str(text: &str) -> Result<Self, NotATool> {
        let ToolName { connection, tool } = text.parse()?;
        Ok(Self { connection, tool })
    }
}

impl std::str::FromStr for ToolName {
    type Err = NotATool;

    fn from_str(text: &str) -> Result<Self, NotATool> {
        match text.split_once('/') {
            Some((connection, tool)) if !connection.is_empty() && !tool.is_empty() => {
                Ok(Self { connection: connection.to_owned(), tool: tool.to_owned() })
            }
            _ => Err(NotATool(text.to_owned())),
        }
    }
}

impl<'de> Deserialize<'de> for ToolPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for ToolName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Whether `text` is what `pattern` says, where each `*` stands for any text.
///
/// ```
/// assert!(callgate_guest::is_match("read_*_file", "read_text_file"));
/// assert!(!callgate_guest::is_match("read_*_file", "read_file"));
/// ```
pub fn is_match(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(head) else { return false };
    let (middle, tail) = rest.rsplit_once('*').map_or(("", rest), |(middle, tail)| (middle, tail));
    // Each part at its first place: what follows has the most room then.
    for part in middle.split('*').filter(|part| !part.is_empty()) {
        match text.split_once(part) {
            Some((_, after)) => text = after,
            None => return false,
        }
    }
    text.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text_and_nothing_else_is_special() {
        for (pattern, text) in [
            ("*", ""),
            ("*", "a/b"),
            ("a*", "a"),
            ("*b", "aab"),
            ("a*c*e", "abcde"),
            ("a**b", "ab"),
            ("*a*a*", "aa"),
            ("a.c?", "a.c?"),
            ("*ab", "aab"),
        ] {
            assert!(is_match(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("", "a"), ("a*a", "a"), ("a.c", "abc"), ("*a*a*", "a"), ("a*c*e", "abde"), ("A", "a")]
        {
            assert!(!is_match(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn a_pattern_keeps_connection_and_tool_apart() {
        let pattern: ToolPattern = "a/*".parse().unwrap();

        assert!(pattern.matches_names("a", "b/c"));
        assert!(!pattern.matches_names("a/b", "c"));
    }

    #[test]
    fn what_names_no_tool_is_refused() {
        for text in ["", "files", "/read", "files/"] {
            assert!(text.parse::<ToolPattern>().is_err(), "{text}");
            assert!(serde_json::from_value::<ToolName>(text.into()).is_err(), "{text}");
        }
        assert_eq!("a/b/c".parse::<ToolName>().unwrap().tool, "b/c");
    }
}
