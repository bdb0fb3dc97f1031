//! One open connection: the raw MCP client, and what was agreed on with its server.

use std::sync::Arc;

use rmcp::{
    ErrorData, Peer, RoleClient,
    model::{
        ClientCapabilities, ElicitRequestParams, ElicitResult, ElicitationCapability,
        ExtensionCapabilities, FormElicitationCapability, Implementation, InitializeRequestParams,
        JsonObject, ProtocolVersion, TASKS_EXTENSION_ID,
    },
    service::{
        ClientCacheConfig, ClientInitializeError, ClientServiceExt, NotificationContext,
        RequestContext, RunningService,
    },
    transport::Transport,
};
use tokio::sync::Notify;

use super::{
    client::chain,
    connect::{Asked, Unopened},
    elicitation::Elicitation,
    era::{Era, Opening},
    story::{Obstacle, SessionInfo},
    transport::Ended,
};
use crate::limits::SessionLimits;

/// One open connection, with the raw client in it. It is created in the owner task and dropped there.
pub(super) struct Connection {
    service: RunningService<RoleClient, Handler>,
    pub(super) ended: Ended,
    /// Whether the server was started, or connected to, once before, and failed at being asked the newer way.
    pub(super) is_second_start: bool,
}

impl Connection {
    /// Begins a session over the transport.
    pub(super) async fn agree<T>(
        transport: T,
        handler: Handler,
        opening: Opening,
        ended: Ended,
    ) -> Result<Self, Unopened>
    where
        T: Transport<RoleClient> + 'static,
    {
        let service = match handler.serve_with_lifecycle(transport, opening.lifecycle()).await {
            Ok(service) => service,
            Err(error) => {
                let (error, asked) = match error {
                    ClientInitializeError::LegacyFallbackFailed { discover, fallback } => {
                        tracing::debug!(discover = chain(&*discover), "the newer way was refused");
                        (*fallback, Asked::BothWays)
                    }
                    error => (error, Asked::OneWay),
                };
                let (obstacle, error) = match &error {
                    // Without the names of types that rmcp puts around it.
                    ClientInitializeError::TransportError { error, .. } => {
                        (Obstacle::Exited, chain(&*error.error))
                    }
                    error => (Obstacle::Handshake, chain(error)),
                };
                let (obstacle, detail) = match (ended.obstacle(), ended.get()) {
                    (Some(noted), _) => noted,
                    (None, Some(why)) => {
                        let detail = format!("the handshake failed: {} ({error})", why.detail);
                        (Obstacle::Handshake, detail)
                    }
                    (None, None) => (obstacle, format!("the handshake failed: {error}")),
                };
                return Err(Unopened { obstacle, detail, asked });
            }
        };
        if let Some(info) = service.peer().peer_info()
            && !ProtocolVersion::KNOWN_VERSIONS.contains(&info.protocol_version)
        {
            let version = &info.protocol_version;
            let detail =
                format!("the handshake failed: the server speaks the unknown version {version}");
            return Err(Unopened { obstacle: Obstacle::Handshake, detail, asked: Asked::BothWays });
        }
        service.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
        Ok(Self { service, ended, is_second_start: false })
    }

    pub(super) fn peer(&self) -> &Peer<RoleClient> {
        self.service.peer()
    }

    /// Wakes when the server says that its tools changed.
    pub(super) fn tools_changed(&self) -> Arc<Notify> {
        self.service.service().tools_changed.clone()
    }

    pub(super) fn era(&self) -> Era {
        match self.peer().peer_info() {
            Some(info) if !info.protocol_version.has_initialize() => Era::Stateless,
            _ => Era::Legacy,
        }
    }

    /// What was agreed on.
    pub(super) fn info(&self) -> Option<SessionInfo> {
        let info = self.peer().peer_info()?;
        let server = info.server_info.as_ref();
        Some(SessionInfo {
            protocol_version: info.protocol_version.to_string(),
            era: self.era(),
            is_second_start: self.is_second_start,
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

/// What the server may ask of the client: input, which a policy answers. And it may say that its tools changed.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    elicitation: Elicitation,
    /// The owner task waits on it.
    tools_changed: Arc<Notify>,
}

impl Handler {
    pub(super) fn new(elicitation: Elicitation) -> Self {
        Self { elicitation, tools_changed: Arc::default() }
    }
}

impl rmcp::ClientHandler for Handler {
    fn get_info(&self) -> InitializeRequestParams {
        let mut capabilities = ClientCapabilities::default();
        let tasks = (TASKS_EXTENSION_ID.to_owned(), JsonObject::new());
        capabilities.extensions = Some(ExtensionCapabilities::from([tasks]));
        if self.elicitation != Elicitation::Decline {
            let form = ElicitationCapability::new().with_form(FormElicitationCapability::default());
            capabilities.elicitation = Some(form);
        }
        let callgate = Implementation::new("callgate", env!("CARGO_PKG_VERSION"));
        InitializeRequestParams::new(capabilities, callgate)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.tools_changed.notify_one();
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let params = serde_json::to_value(request)
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        Ok(self.elicitation.elicit(&params))
    }
}
