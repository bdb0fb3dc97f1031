//! Why a configuration file can't be used: [`ConfigError`].

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{call::ConnectionId, config::fault::Fault};

/// A configuration file that can't be used as a whole.
///
/// What concerns one connection alone, such as a variable that isn't set, isn't an error here but
/// [`Configured::Unusable`](crate::Configured::Unusable).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file isn't there, or may not be read.
    #[error("the configuration file {} can't be read", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is over a limit, so it's likely not a configuration.
    #[error("the configuration file {} is over max_file_bytes ({max_file_bytes} bytes)", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// The limit.
        max_file_bytes: usize,
    },
    /// The file isn't JSON, with or without comments.
    #[error("{}:{at}: {detail}", file.display())]
    NotJson {
        /// The file.
        file: PathBuf,
        /// Where reading stopped.
        at: Position,
        /// What was wrong there.
        detail: String,
    },
    /// The file is JSON and says something that can't be followed. All that is wrong with it is told at once.
    #[error("{}", Lines(problems))]
    Invalid {
        /// The file.
        file: PathBuf,
        /// At least one problem, in the order of the file.
        problems: Vec<Problem>,
    },
}

/// One thing that is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What.
    pub fault: Fault,
}

/// One thing that is odd, and where. The file is used all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Where.
    pub place: Place,
    /// What.
    pub remark: Remark,
}

/// A place in a configuration file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub file: Arc<Path>,
    /// Line and column.
    pub at: Position,
    /// The server's name, unless the place is outside all of them.
    pub server: Option<ConnectionId>,
    /// The path of keys inside the server's entry (or inside the file), such as `env.TOKEN` or `args[2]`.
    pub key: Option<String>,
}

/// Line and column, both counted from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// What a [`Warning`] says.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Remark {
    /// Nothing here reads that key.
    #[error("this key isn't known and is ignored")]
    UnknownKey,
    /// Another program's key, which has an equivalent here.
    #[error("this key isn't known and is ignored; {instead}")]
    ForeignKey {
        /// What to do instead.
        instead: &'static str,
    },
    /// The key belongs to the other kind of server.
    #[error("this key has no effect on {kind}")]
    NoEffect {
        /// The kind of server that the entry describes.
        kind: &'static str,
    },
    /// Credentials would go over the network in the clear.
    #[error("credentials go unencrypted to a host that isn't this one: use https")]
    Cleartext,
    /// A secret for an authorization server that the file doesn't name.
    #[error(
        "this goes to the authorization server that the MCP server names first: name the right one as \"issuer\""
    )]
    NoIssuer,
}

impl Position {
    /// The position of a byte in a text.
    pub(super) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.at)?;
        if let Some(server) = &self.server {
            write!(f, ": server {:?}", server.as_str())?;
        }
        if let Some(key) = &self.key {
            write!(f, ": key {key:?}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.remark)
    }
}

/// One problem a line.
struct Lines<'a>(&'a [Problem]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}
