//! The connections of a soak: one for each mixture of settings that calls may meet.

use std::{collections::BTreeMap, ffi::OsString, path::Path, time::Duration};

use callgate::{
    AuthRecord, Connector, HttpServer, OnSessionLoss, Ordering, PooledConnection, Recovery, Replay,
    SessionOptions, StdioServer,
};

use super::processes::MARK;

/// One connection.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) id: &'static str,
    pub(super) server: Server,
    pub(super) ordering: Ordering,
    pub(super) replay: Replay,
    pub(super) on_session_loss: OnSessionLoss,
    pub(super) call_timeout: Duration,
    max_queued: usize,
    max_in_flight: usize,
}

/// What is at its other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Server {
    /// A child process.
    Stdio,
    /// A child process with a helper that doesn't end by itself.
    StdioWithHelper,
    /// The HTTP server with this number.
    Http(usize),
    /// A program that ends at once.
    Broken,
    /// Nothing: no connection has this name.
    Absent,
}

/// The HTTP servers that the lines lead to.
pub(super) const HTTP_SERVERS: usize = 2;

/// A tool of the servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    Add,
    Look,
    Put,
    Slow,
}

impl Tool {
    /// Every tool, the one that counts more often than the others.
    pub(super) const DRAWN: [Self; 6] =
        [Self::Add, Self::Add, Self::Add, Self::Look, Self::Put, Self::Slow];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Look => "look",
            Self::Put => "put",
            Self::Slow => "slow",
        }
    }
}

const fn line(
    id: &'static str,
    server: Server,
    ordering: Ordering,
    replay: Replay,
    call_timeout_ms: u64,
) -> Line {
    Line {
        id,
        server,
        ordering,
        replay,
        on_session_loss: OnSessionLoss::Continue,
        call_timeout: Duration::from_millis(call_timeout_ms),
        max_queued: 64,
        max_in_flight: 16,
    }
}

impl Line {
    const fn failing(mut self) -> Self {
        self.on_session_loss = OnSessionLoss::Fail;
        self
    }

    const fn narrow(mut self) -> Self {
        self.max_queued = 4;
        self.max_in_flight = 2;
        self
    }
}

pub(super) static LINES: [Line; 9] = [
    line("serial", Server::Stdio, Ordering::Serial, Replay::Never, 1500).narrow().failing(),
    line("readers", Server::Stdio, Ordering::Annotated, Replay::Annotated, 2000),
    line("helped", Server::StdioWithHelper, Ordering::Parallel, Replay::Annotated, 1200),
    line("narrow", Server::Stdio, Ordering::Parallel, Replay::Never, 800).narrow(),
    line("always", Server::Stdio, Ordering::Parallel, Replay::Always, 1500),
    line("web", Server::Http(0), Ordering::Parallel, Replay::Annotated, 1500),
    line("web-once", Server::Http(1), Ordering::Annotated, Replay::Never, 1000).failing(),
    line("broken", Server::Broken, Ordering::Parallel, Replay::Annotated, 1000),
    line("absent", Server::Absent, Ordering::Parallel, Replay::Never, 1000),
];

impl Line {
    /// How often a call of the tool may be carried out.
    pub(super) fn most_executions(&self, tool: Tool) -> u32 {
        match (self.replay, tool) {
            (Replay::Never, _) | (Replay::Annotated, Tool::Add) => 1,
            (Replay::Annotated, _) | (Replay::Always, _) => 2,
        }
    }

    /// The connection, if it is one. The ports are those of the HTTP servers.
    pub(super) fn connection(&self, servers: &Servers<'_>) -> Option<PooledConnection> {
        let connector = match self.server {
            Server::Absent => return None,
            Server::Http(number) => {
                let url = format!("http://127.0.0.1:{}/mcp", servers.ports[number]);
                Connector::http(HttpServer { url: url.parse().expect("it is an address") })
            }
            Server::Stdio => Connector::stdio(servers.stdio(servers.command())),
            Server::StdioWithHelper => {
                let script = [r"sh", "-c", r#"sleep 600 & exec "$0" "$@""#].map(OsString::from);
                Connector::stdio(servers.stdio(script.into_iter().chain(servers.command())))
            }
            Server::Broken => {
                Connector::stdio(servers.stdio([servers.program.into(), OsString::from("broken")]))
            }
        };
        Some(PooledConnection {
            connector,
            auth: AuthRecord::none(),
            options: self.options(),
            recovery: self.recovery(),
        })
    }

    /// Bounds that pass soon: what takes long happens seldom in a soak.
    fn options(&self) -> SessionOptions {
        let mut options = SessionOptions::default();
        options.ordering = self.ordering;
        let limits = &mut options.limits;
        limits.call_timeout = self.call_timeout;
        limits.max_queued = self.max_queued;
        limits.max_in_flight = self.max_in_flight;
        limits.connect_timeout = Duration::from_secs(3);
        limits.write_timeout = Duration::from_secs(1);
        limits.drain_timeout = Duration::from_millis(300);
        limits.close_timeout = Duration::from_secs(1);
        limits.kill_grace = Duration::from_millis(200);
        limits.http.control_timeout = Duration::from_millis(500);
        options
    }

    fn recovery(&self) -> Recovery {
        let mut recovery = Recovery::default();
        recovery.replay = self.replay;
        recovery.on_session_loss = self.on_session_loss;
        recovery.limits.first_delay = Duration::from_millis(20);
        recovery.limits.max_delay = Duration::from_millis(200);
        recovery.limits.circuit_failures = 3;
        recovery.limits.short_life = Duration::from_millis(300);
        recovery
    }
}

/// How the servers of one round are started.
#[derive(Debug)]
pub(super) struct Servers<'r> {
    /// The binary `soak-server`.
    pub(super) program: &'r Path,
    pub(super) ledger: &'r Path,
    pub(super) seed: u64,
    /// By it the processes of the round are found.
    pub(super) mark: &'r str,
    pub(super) spoil: &'r str,
    /// Of the HTTP servers.
    pub(super) ports: &'r [u16],
}

impl Servers<'_> {
    /// What follows the program when it is to serve over `transport`.
    pub(super) fn arguments(&self, transport: &str, port: u16) -> [OsString; 5] {
        let (seed, port) = (self.seed.to_string(), port.to_string());
        [transport.into(), self.ledger.into(), seed.into(), port.into(), self.spoil.into()]
    }

    pub(super) fn environment(&self) -> BTreeMap<OsString, OsString> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        BTreeMap::from([("PATH".into(), path), (MARK.into(), self.mark.into())])
    }

    fn command(&self) -> impl Iterator<Item = OsString> {
        std::iter::once(self.program.into()).chain(self.arguments("stdio", 0))
    }

    fn stdio(&self, words: impl IntoIterator<Item = OsString>) -> StdioServer {
        let mut words = words.into_iter();
        StdioServer {
            command: words.next().unwrap_or_default(),
            args: words.collect(),
            env: self.environment(),
            cwd: None,
        }
    }
}
