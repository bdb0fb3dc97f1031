//! The names that a rule covers: `CONNECTION/TOOL`, with `*` for any characters in each of the two.
//!
//! Names are compared as they are: upper and lower case differ, and nothing is normalised.

use super::RuleFault;

/// Which tools of which connections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    connection: Glob,
    tool: Glob,
}

/// A name, or all names of one shape.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Glob {
    Exact(Box<str>),
    /// What stands before the first star, between the stars, and behind the last one.
    Starred {
        first: Box<str>,
        between: Vec<Box<str>>,
        last: Box<str>,
    },
}

/// Characters that mean something in a rule, and that a backslash turns into themselves. `=` ends a rule on the command line.
const SPECIAL: [char; 4] = ['*', '/', '=', '\\'];

impl Pattern {
    pub(super) fn parse(text: &str) -> Result<Self, RuleFault> {
        let (mut parts, mut pieces, mut piece) = (Vec::new(), Vec::new(), String::new());
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => match characters.next() {
                    Some(escaped) if SPECIAL.contains(&escaped) => piece.push(escaped),
                    _ => return Err(RuleFault::Backslash),
                },
                '*' => pieces.push(std::mem::take(&mut piece)),
                '/' => {
                    pieces.push(std::mem::take(&mut piece));
                    parts.push(Glob::new(std::mem::take(&mut pieces))?);
                }
                plain => piece.push(plain),
            }
        }
        pieces.push(piece);
        parts.push(Glob::new(pieces)?);
        let mut parts = parts.into_iter();
        match (parts.next(), parts.next(), parts.next()) {
            (Some(connection), Some(tool), None) => Ok(Self { connection, tool }),
            (_, None, _) => Err(RuleFault::NoSlash),
            (..) => Err(RuleFault::SecondSlash),
        }
    }

    /// How a rule for this one tool is written.
    pub(crate) fn spell(connection: &str, tool: &str) -> String {
        let escaped = |name: &str| {
            let mut escaped = String::new();
            for character in name.chars() {
                if SPECIAL.contains(&character) {
                    escaped.push('\\');
                }
                escaped.push(character);
            }
            escaped
        };
        format!("{}/{}", escaped(connection), escaped(tool))
    }

    pub(super) fn covers(&self, connection: &str, tool: &str) -> bool {
        self.connection.covers(connection) && self.tool.covers(tool)
    }

    pub(super) fn covers_connection(&self, connection: &str) -> bool {
        self.connection.covers(connection)
    }

    /// The only connection that it can mean.
    pub(super) fn exact_connection(&self) -> Option<&str> {
        self.connection.exact()
    }

    /// The only name of a tool that it can mean.
    pub(super) fn exact_tool(&self) -> Option<&str> {
        self.tool.exact()
    }
}

impl Glob {
    /// `pieces` is what the stars separate, so there is at least one.
    fn new(mut pieces: Vec<String>) -> Result<Self, RuleFault> {
        let last = pieces.pop().unwrap_or_default();
        if pieces.is_empty() {
            return if last.is_empty() {
                Err(RuleFault::EmptyName)
            } else {
                Ok(Self::Exact(last.into()))
            };
        }
        let first = pieces.remove(0);
        let between = pieces.into_iter().filter(|piece| !piece.is_empty());
        Ok(Self::Starred {
            first: first.into(),
            between: between.map(Into::into).collect(),
            last: last.into(),
        })
    }

    fn exact(&self) -> Option<&str> {
        match self {
            Self::Exact(name) => Some(name),
            Self::Starred { .. } => None,
        }
    }

    /// The first place of each piece is as good as any later one, so there is nothing to go back to.
    fn covers(&self, name: &str) -> bool {
        let (first, between, last) = match self {
            Self::Exact(exact) => return **exact == *name,
            Self::Starred { first, between, last } => (first, between, last),
        };
        let inner = name.strip_prefix(&**first).and_then(|rest| rest.strip_suffix(&**last));
        let Some(mut rest) = inner else { return false };
        for piece in between {
            let Some(at) = rest.find(&**piece) else { return false };
            rest = &rest[at + piece.len()..];
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_characters_and_everything_else_is_itself() {
        for (pattern, covered, others) in [
            ("files/read", vec![("files", "read")], vec![("files", "Read"), ("file", "read")]),
            (
                "files/read_*",
                vec![("files", "read_"), ("files", "read_a/b*")],
                vec![("files", "read"), ("files", "xread_"), ("Files", "read_a")],
            ),
            ("*/*", vec![("a", "b"), ("", "")], vec![]),
            ("g*t/*", vec![("gt", "x"), ("git", "y"), ("gitt", "")], vec![("gi", "x")]),
            (
                "c/a*b*c",
                vec![("c", "abc"), ("c", "a-b-b-c"), ("c", "abbc")],
                vec![("c", "ac"), ("c", "acb"), ("c", "ab")],
            ),
            ("c/ab*ba", vec![("c", "abba")], vec![("c", "aba"), ("c", "ab")]),
            ("c/**", vec![("c", "anything")], vec![("d", "anything")]),
            (
                r"a\/b/\*\\\=*",
                vec![("a/b", r"*\="), ("a/b", r"*\=x")],
                vec![("a/b", "x"), (r"a\/b", r"*\=")],
            ),
            ("c/*é*", vec![("c", "é"), ("c", "caféx")], vec![("c", "e\u{301}")]),
        ] {
            let parsed = Pattern::parse(pattern).unwrap();

            for (connection, tool) in covered {
                assert!(parsed.covers(connection, tool), "{pattern} {connection} {tool}");
            }
            for (connection, tool) in others {
                assert!(!parsed.covers(connection, tool), "{pattern} {connection} {tool}");
            }
        }
    }

    #[test]
    fn what_is_no_pattern_is_told_apart() {
        for (text, fault) in [
            ("", RuleFault::EmptyName),
            ("files", RuleFault::NoSlash),
            (r"files\/read", RuleFault::NoSlash),
            ("/read", RuleFault::EmptyName),
            ("files/", RuleFault::EmptyName),
            ("a/b/c", RuleFault::SecondSlash),
            (r"a/b\", RuleFault::Backslash),
            (r"a/b\n", RuleFault::Backslash),
        ] {
            assert_eq!(Pattern::parse(text).unwrap_err(), fault, "{text}");
        }
    }
}
