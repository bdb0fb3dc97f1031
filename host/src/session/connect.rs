//! How a session's owner task gets its connection: what to start or where to connect, and the MCP handshake.

use std::{collections::BTreeMap, ffi::OsString, fmt, io, path::PathBuf, sync::Arc};

use futures::{FutureExt, future::BoxFuture};
use rmcp::{
    Peer, RoleClient, ServiceExt,
    model::{ClientCapabilities, Implementation, InitializeRequestParams, ProtocolVersion},
    service::{ClientCacheConfig, NotificationContext, RunningService},
    transport::Transport,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::Notify,
};

use super::{
    client::chain,
    story::{Era, Obstacle, SessionInfo},
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
pub struct Connector(Kind);

#[derive(Clone)]
enum Kind {
    Stdio(StdioServer),
    Http(HttpServer),
    Streams(Arc<dyn Fn() -> BoxFuture<'static, io::Result<Streams>> + Send + Sync>),
}

impl Connector {
    /// Starts a child process.
    pub fn stdio(server: StdioServer) -> Self {
        Self(Kind::Stdio(server))
    }

    /// Connects by streamable HTTP.
    pub fn http(server: HttpServer) -> Self {
        Self(Kind::Http(server))
    }

    /// Gets a pair of byte streams for each session: a server in this process, or any transport of the embedder's own.
    pub fn streams<F>(open: F) -> Self
    where
        F: Fn() -> BoxFuture<'static, io::Result<Streams>> + Send + Sync + 'static,
    {
        Self(Kind::Streams(Arc::new(open)))
    }

    /// Opens the connection and does the handshake. Only HTTP has a place for credentials. A child process is left in
    /// `process` as soon as it is started, so that its owner can end it whatever becomes of this future.
    pub(super) async fn connect(
        self,
        auth: AuthRecord,
        limits: SessionLimits,
        ended: Ended,
        process: &mut Option<ServerProcess>,
    ) -> Result<Connection, ConnectFailure> {
        match self.0 {
            Kind::Stdio(server) => {
                let (transport, started) = stdio::open(&server, &limits, ended.clone())
                    .inspect_err(|failure| ended.note(failure.obstacle, &failure.detail))
                    .map_err(|failure| ConnectFailure::Spawn(failure.detail))?;
                *process = Some(started);
                shake_hands(transport, ended).boxed().await
            }
            Kind::Http(server) => {
                let transport = http::open(&server, &auth, &limits, ended.clone())
                    .inspect_err(|unusable| ended.note(Obstacle::Tls, &chain(unusable)))
                    .map_err(|unusable| ConnectFailure::Http(chain(&unusable)))?;
                shake_hands(transport, ended).boxed().await
            }
            Kind::Streams(open) => {
                let (reader, writer) = open().await.map_err(ConnectFailure::Open)?;
                let transport = FramedTransport::new(reader, writer, &limits, ended.clone());
                shake_hands(transport, ended).boxed().await
            }
        }
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Stdio(server) => f.debug_tuple("Stdio").field(&server.command).finish(),
            Kind::Http(server) => f.debug_tuple("Http").field(server).finish(),
            Kind::Streams(_) => f.debug_tuple("Streams").finish(),
        }
    }
}

/// Why a connection could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectFailure {
    /// The child process could not be started.
    #[error("{0}")]
    Spawn(String),
    /// The streams could not be had.
    #[error("the streams could not be opened")]
    Open(#[source] io::Error),
    /// The address or the credentials can't be used.
    #[error("{0}")]
    Http(String),
    /// The server didn't agree on a session.
    #[error("the handshake failed: {0}")]
    Handshake(String),
}

/// One open connection, with the raw client in it. It is created in the owner task and dropped there.
pub(super) struct Connection {
    service: RunningService<RoleClient, Handler>,
    pub(super) ended: Ended,
}

impl Connection {
    pub(super) fn peer(&self) -> &Peer<RoleClient> {
        self.service.peer()
    }

    /// Wakes when the server says that its tools changed.
    pub(super) fn tools_changed(&self) -> Arc<Notify> {
        self.service.service().tools_changed.clone()
    }

    /// What the handshake agreed on.
    pub(super) fn info(&self) -> Option<SessionInfo> {
        let info = self.peer().peer_info()?;
        let server = info.server_info.as_ref();
        let is_stateless = info.protocol_version >= ProtocolVersion::STANDARD_HEADERS;
        Some(SessionInfo {
            protocol_version: info.protocol_version.to_string(),
            era: if is_stateless { Era::Stateless } else { Era::Legacy },
            server_name: server.map(|server| server.name.clone()),
            server_version: server.map(|server| server.version.clone()),
            instructions: info.instructions.clone(),
        })
    }

    /// Closes the transport in bounded time. The child process is its owner's to end.
    pub(super) async fn shutdown(mut self, limits: &SessionLimits) {
        if self.service.close_with_timeout(limits.close_timeout).await.is_err() {
            tracing::warn!("the client's own task panicked while it closed");
        }
    }
}

/// What the server may ask of the client: nothing, and it may say that its tools changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Handler {
    /// The owner task waits on it.
    tools_changed: Arc<Notify>,
}

impl rmcp::ClientHandler for Handler {
    fn get_info(&self) -> InitializeRequestParams {
        InitializeRequestParams::new(
            ClientCapabilities::default(),
            Implementation::new("callgate", env!("CARGO_PKG_VERSION")),
        )
        .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.tools_changed.notify_one();
    }
}

async fn shake_hands<T>(transport: T, ended: Ended) -> Result<Connection, ConnectFailure>
where
    T: Transport<RoleClient> + 'static,
{
    let service = match Handler::default().serve(transport).await {
        Ok(service) => service,
        Err(error) => {
            let detail = match ended.get() {
                Some(why) => format!("{} ({})", why.detail, chain(&error)),
                None => chain(&error),
            };
            return Err(ConnectFailure::Handshake(detail));
        }
    };
    if let Some(info) = service.peer().peer_info()
        && !ProtocolVersion::KNOWN_VERSIONS.contains(&info.protocol_version)
    {
        let detail = format!("the server speaks the unknown version {}", info.protocol_version);
        return Err(ConnectFailure::Handshake(detail));
    }
    service.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
    Ok(Connection { service, ended })
}
