//! How to reach a server: what to start or where to connect, and the ways to begin a session there.

use std::{collections::BTreeMap, ffi::OsString, fmt, io, path::PathBuf, sync::Arc};

use futures::{FutureExt, future::BoxFuture};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, timeout},
};

use super::{
    client::chain,
    connection::{Connection, Handler},
    elicitation::Elicitation,
    era::{EraMemory, EraPolicy, Opening},
    story::Obstacle,
    transport::{Ended, framing::FramedTransport, http, process::ServerProcess, stdio},
};
use crate::{auth::AuthRecord, limits::SessionLimits};

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

/// The two directions of an in-process server.
pub type Streams = (Box<dyn AsyncRead + Send + Unpin>, Box<dyn AsyncWrite + Send + Unpin>);

/// How to reach one server. The owner task of a session uses it once; a pool uses it again for the next session.
#[derive(Clone)]
pub struct Connector {
    kind: Kind,
    /// Clones share it, so that the next session begins as the last one did.
    memory: EraMemory,
}

#[derive(Clone)]
enum Kind {
    Stdio(StdioServer),
    Http(HttpServer),
    Streams(Arc<dyn Fn() -> BoxFuture<'static, io::Result<Streams>> + Send + Sync>),
}

/// What one session wants of its connection.
#[derive(Clone)]
pub(super) struct Wishes {
    pub(super) auth: AuthRecord,
    pub(super) limits: SessionLimits,
    pub(super) era: EraPolicy,
    pub(super) elicitation: Elicitation,
}

/// Why a connection could not be opened.
#[derive(Debug)]
pub(super) struct Unopened {
    pub(super) obstacle: Obstacle,
    pub(super) detail: String,
    /// Whether the server was asked both ways on this connection.
    pub(super) asked: Asked,
}

/// How far the question which era the server speaks has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    OneWay,
    /// It refused the newer way in good order, and then the older.
    BothWays,
}

impl Connector {
    /// Starts a child process.
    pub fn stdio(server: StdioServer) -> Self {
        Self::new(Kind::Stdio(server))
    }

    /// Connects by streamable HTTP.
    pub fn http(server: HttpServer) -> Self {
        Self::new(Kind::Http(server))
    }

    /// Gets a pair of byte streams for each session: a server in this process, or any transport of the embedder's own. It
    /// may be asked twice for one session, when the server speaks the older era only and fails at the question which.
    pub fn streams<F>(open: F) -> Self
    where
        F: Fn() -> BoxFuture<'static, io::Result<Streams>> + Send + Sync + 'static,
    {
        Self::new(Kind::Streams(Arc::new(open)))
    }

    fn new(kind: Kind) -> Self {
        Self { kind, memory: EraMemory::default() }
    }

    /// Opens the connection and agrees with the server on how to speak. Only HTTP has a place for credentials. A child
    /// process is left in `process` as soon as it is started, so that its owner can end it whatever becomes of this future.
    pub(super) async fn connect(
        self,
        wishes: &Wishes,
        process: &mut Option<ServerProcess>,
    ) -> Result<Connection, Unopened> {
        let mut failed: Option<Unopened> = None;
        for opening in self.memory.openings(wishes.era) {
            if let Some(process) = process.take() {
                process.shutdown().await;
            }
            let opened = match opening {
                Opening::Probe => self.probe(wishes, process).await,
                Opening::Handshake | Opening::Discovery => {
                    self.open(*opening, wishes, process).await
                }
            };
            match opened {
                Ok(mut connection) => {
                    self.memory.learn(connection.era());
                    connection.is_second_start = failed.is_some();
                    return Ok(connection);
                }
                Err(unopened) => {
                    tracing::debug!(?opening, detail = unopened.detail, "no session in this way");
                    let may_be_the_era = unopened.may_be_the_era();
                    failed = Some(unopened.after(failed));
                    if !may_be_the_era {
                        break;
                    }
                }
            }
        }
        self.memory.forget();
        Err(failed.expect("there is a way to begin"))
    }

    /// Asks the newer way under a deadline of its own, so that there is time left for the older.
    async fn probe(
        &self,
        wishes: &Wishes,
        process: &mut Option<ServerProcess>,
    ) -> Result<Connection, Unopened> {
        let limit = wishes.limits.probe_timeout;
        let open = self.open(Opening::Probe, wishes, process);
        timeout(limit, open).await.unwrap_or_else(|_elapsed| {
            let detail =
                format!("no answer to server/discover after {limit:?} (limit probe_timeout)");
            Err(Unopened::new(Obstacle::Late, detail))
        })
    }

    async fn open(
        &self,
        opening: Opening,
        wishes: &Wishes,
        process: &mut Option<ServerProcess>,
    ) -> Result<Connection, Unopened> {
        let (ended, limits) = (Ended::default(), &wishes.limits);
        let handler = Handler::new(wishes.elicitation);
        match &self.kind {
            Kind::Stdio(server) => {
                let (transport, started) = stdio::open(server, limits, ended.clone())
                    .map_err(|failure| Unopened::new(failure.obstacle, failure.detail))?;
                let mut last_words = started.last_words();
                *process = Some(started);
                let agreed = Connection::agree(transport, handler, opening, ended).boxed().await;
                match agreed {
                    // The transport was gone before it could tell.
                    Err(mut unopened) if unopened.obstacle == Obstacle::Exited => {
                        let until = Instant::now() + limits.exit_drain;
                        unopened.detail.push_str(&last_words.hear(until).await);
                        Err(unopened)
                    }
                    agreed => agreed,
                }
            }
            Kind::Http(server) => {
                let transport = http::open(server, &wishes.auth, limits, ended.clone())
                    .map_err(|unusable| Unopened::new(Obstacle::Tls, chain(&unusable)))?;
                Connection::agree(transport, handler, opening, ended).boxed().await
            }
            Kind::Streams(open) => {
                let (reader, writer) = open().await.map_err(|error| {
                    let detail = format!("the streams could not be opened: {error}");
                    Unopened::new(Obstacle::NotStarted, detail)
                })?;
                let transport = FramedTransport::new(reader, writer, limits, ended.clone());
                Connection::agree(transport, handler, opening, ended).boxed().await
            }
        }
    }
}

impl Unopened {
    pub(super) fn new(obstacle: Obstacle, detail: String) -> Self {
        Self { obstacle, detail, asked: Asked::OneWay }
    }

    /// Whether the server may have failed at being asked the newer way, and not at being reached.
    fn may_be_the_era(&self) -> bool {
        if self.asked == Asked::BothWays {
            return false;
        }
        match self.obstacle {
            Obstacle::Exited | Obstacle::Late | Obstacle::NotMcp | Obstacle::Handshake => true,
            // The first three are about who asks; a gateway or an overload is no reason to ask at once again.
            Obstacle::Status(status) => !matches!(status, 401 | 403 | 407 | 429 | 502..=504),
            Obstacle::NoProgram
            | Obstacle::NotExecutable
            | Obstacle::NoInterpreter
            | Obstacle::NoFolder
            | Obstacle::NotStarted
            | Obstacle::Refused
            | Obstacle::Unreachable
            | Obstacle::Tls => false,
        }
    }

    /// The same, said after what went wrong before it.
    fn after(self, before: Option<Self>) -> Self {
        match before {
            Some(before) if before.detail != self.detail => Self {
                detail: format!("{}; asked the newer way before: {}", self.detail, before.detail),
                ..self
            },
            _ => self,
        }
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Stdio(server) => f.debug_tuple("Stdio").field(&server.command).finish(),
            Kind::Http(server) => f.debug_tuple("Http").field(server).finish(),
            Kind::Streams(_) => f.debug_tuple("Streams").finish(),
        }
    }
}
