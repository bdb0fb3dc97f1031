//! The real MCP servers that tests run against: installed once by `tests/servers/install.sh`, started by whoever needs one.
//!
//! Nothing here speaks MCP. A test gives a [`StdioCommand`] to the code under test, as a configuration or as a command.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use callgate::{Connector, StdioServer};
use serde::Serialize;

use crate::installed;

/// A server as a child process. It serialises to an entry of `mcpServers` in a configuration file.
#[derive(Clone, Debug, Serialize)]
pub struct StdioCommand {
    /// The program, by its whole path.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// What is added to the environment it is given.
    pub env: BTreeMap<String, String>,
}

impl StdioCommand {
    /// How the code under test starts it: with these variables and the few that programs need to find each other.
    pub fn connector(self) -> Connector {
        let passed_on = ["PATH", "HOME", "TMPDIR"];
        let host = passed_on
            .iter()
            .filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
        let own = self.env.into_iter().map(|(name, value)| (name.into(), value.into()));
        Connector::stdio(StdioServer {
            command: self.command.into(),
            args: self.args.into_iter().map(OsString::from).collect(),
            env: host.chain(own).collect(),
            cwd: None,
        })
    }

    /// The same server, started through a shell that first appends one line to `log`: its lines count the starts.
    #[must_use]
    pub fn counting_starts(self, log: &Path) -> Self {
        // The shell replaces itself, so that the server is the child that the host sees and ends.
        let script = r#"echo started >> "$0"; exec "$@""#.to_owned();
        let words = [log, &self.command].map(|path| path.to_string_lossy().into_owned());
        Self {
            command: "/bin/sh".into(),
            args: ["-c".to_owned(), script].into_iter().chain(words).chain(self.args).collect(),
            env: self.env,
        }
    }
}

/// `@modelcontextprotocol/server-everything`: a tool for every kind of content.
pub fn everything() -> StdioCommand {
    node("server-everything", &["stdio"])
}

/// `@modelcontextprotocol/server-filesystem`, which may read and write below `root`.
pub fn filesystem(root: &Path) -> StdioCommand {
    node("server-filesystem", &[&root.to_string_lossy()])
}

/// `@modelcontextprotocol/server-memory`, which keeps its graph in `file`.
pub fn memory(file: &Path) -> StdioCommand {
    let mut server = node("server-memory", &[]);
    server.env.insert("MEMORY_FILE_PATH".to_owned(), file.to_string_lossy().into_owned());
    server
}

/// `@modelcontextprotocol/server-sequential-thinking`, whose state is that of its process.
pub fn sequential_thinking() -> StdioCommand {
    node("server-sequential-thinking", &[])
}

/// `mcp-server-git` on one repository.
pub fn git(repository: &Path) -> StdioCommand {
    python("mcp_server_git", &["--repository", &repository.to_string_lossy()])
}

/// `mcp-server-time`, in one time zone, whatever the machine's is.
pub fn time() -> StdioCommand {
    python("mcp_server_time", &["--local-timezone", "UTC"])
}

/// `server-everything` over streamable HTTP; it ends when this is dropped.
#[derive(Debug)]
pub struct HttpEverything {
    child: Child,
    url: String,
}

impl HttpEverything {
    /// Starts it on a free port and returns when it listens.
    ///
    /// # Panics
    ///
    /// When it ends before it listens; the message holds what it printed.
    pub fn start() -> Self {
        let server = node("server-everything", &["streamableHttp"]);
        // The port is free until the listener is dropped, and the kernel does not hand it out again at once.
        let port = TcpListener::bind(("127.0.0.1", 0))
            .and_then(|listener| listener.local_addr())
            .expect("the loopback interface has a free port")
            .port();
        let mut child = Command::new(&server.command)
            .args(&server.args)
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("node starts, because the install script ran it");
        let stderr = child.stderr.take().expect("stderr was piped above");
        let url = format!("http://127.0.0.1:{port}/mcp");
        // Owned from here on, so that a panic below ends the child.
        let this = Self { child, url };

        let mut printed = String::new();
        let mut lines = BufReader::new(stderr).lines();
        loop {
            let Some(Ok(line)) = lines.next() else {
                panic!("server-everything ended before it listened:\n{printed}");
            };
            if line.contains("listening on port") {
                break;
            }
            printed.push_str(&line);
            printed.push('\n');
        }
        // A pipe that nobody reads would stop the server once it is full; the thread ends with the server.
        std::thread::spawn(move || lines.for_each(drop));
        this
    }

    /// The address of its MCP endpoint.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for HttpEverything {
    fn drop(&mut self) {
        let _it_may_have_ended_by_itself = self.child.kill();
        let _nobody_needs_its_status = self.child.wait();
    }
}

/// A server from npm, run by node itself: no launcher stands between.
fn node(package: &str, args: &[&str]) -> StdioCommand {
    let script =
        folder().join("node_modules/@modelcontextprotocol").join(package).join("dist/index.js");
    let script = script.to_string_lossy().into_owned();
    StdioCommand {
        command: find_in_path("node"),
        args: std::iter::once(script).chain(args.iter().map(|&arg| arg.to_owned())).collect(),
        env: BTreeMap::new(),
    }
}

/// A server from PyPI.
fn python(module: &str, args: &[&str]) -> StdioCommand {
    let module = ["-m", module].into_iter();
    StdioCommand {
        command: folder().join("venv/bin/python"),
        args: module.chain(args.iter().copied()).map(str::to_owned).collect(),
        env: BTreeMap::new(),
    }
}

/// The folder with `tsc`, the compiler of TypeScript.
pub fn typescript() -> PathBuf {
    folder().join("node_modules/.bin")
}

/// The folder with the servers, installed if need be.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| installed::by("tests/servers/install.sh", &[]))
}

fn find_in_path(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("the install script found programs through PATH");
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
        .unwrap_or_else(|| panic!("{program} is not in PATH"))
}
