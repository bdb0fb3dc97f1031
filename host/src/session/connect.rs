//! How a session's owner task gets its connection: what to start or where to connect.

use std::{collections::BTreeMap, ffi::OsString, fmt, path::PathBuf};

/// A server that is a child process and speaks over its standard input and output.
#[derive(Clone, PartialEq, Eq)]
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
#[derive(Clone, PartialEq, Eq)]
pub struct HttpServer {
    /// The address of its MCP endpoint.
    pub url: url::Url,
}

impl fmt::Debug for StdioServer {
    /// Names of variables without their values, and no arguments: both may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdioServer")
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field("env", &self.env.keys())
            .field("cwd", &self.cwd)
            .finish()
    }
}

impl fmt::Debug for HttpServer {
    /// Without the query, which may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut url = self.url.clone();
        url.set_query(self.url.query().map(|_| "..."));
        f.debug_struct("HttpServer").field("url", &url.as_str()).finish()
    }
}
