//! How a session's owner task gets its connection: what to start or where to connect.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

/// A server that is a child process and speaks over its standard input and output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StdioServer {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub command: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment; nothing of the host's is added.
    pub env: BTreeMap<OsString, OsString>,
    /// Its working directory; the host's where there is none.
    pub cwd: Option<PathBuf>,
}

/// A server that is reached by streamable HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpServer {
    /// The address of its MCP endpoint.
    pub url: url::Url,
}
