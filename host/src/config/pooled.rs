//! From what a file says to a pool of connections. Nothing is opened here.

use std::time::Duration;

use crate::{
    call::ConnectionId,
    config::{Config, Configured, ConnectionConfig, Server},
    limits::SessionLimits,
    pool::{PooledConnection, Recovery, SessionPool},
    session::{AllowedTools, Connector, SessionOptions},
};

impl Config {
    /// A pool of all connections of the file. Those that can't be used are in it too: a call of one says why.
    ///
    /// `call_timeout` is for connections of which the file says nothing; without it they have
    /// [`call_timeout`](crate::SessionLimits::call_timeout).
    pub fn into_pool(self, call_timeout: Option<Duration>) -> SessionPool {
        let Self { file, connections, .. } = self;
        SessionPool::with_unusable(connections.into_iter().map(|(id, configured)| {
            let connection = match configured {
                Configured::Ready(connection) => Ok(connection.into_pooled(call_timeout)),
                Configured::Disabled => {
                    let file = file.display();
                    Err(format!("{file}: server {:?} is disabled there", id.as_str()))
                }
                Configured::Unusable(problems) => {
                    let told: Vec<_> = problems.iter().map(ToString::to_string).collect();
                    Err(told.join("; "))
                }
            };
            (id, connection)
        }))
    }

    /// The connections that can be opened.
    pub(crate) fn enabled(&self) -> impl Iterator<Item = &ConnectionId> {
        let enabled = self.connections.iter().filter(|(_, it)| **it != Configured::Disabled);
        enabled.map(|(id, _)| id)
    }

    /// The connections that a run is no use without.
    pub fn required(&self) -> impl Iterator<Item = &ConnectionId> {
        self.connections.iter().filter_map(|(id, configured)| match configured {
            Configured::Ready(connection) if connection.required => Some(id),
            _ => None,
        })
    }
}

impl ConnectionConfig {
    fn into_pooled(self, call_timeout: Option<Duration>) -> PooledConnection {
        let limits = SessionLimits::default();
        let total = self.tool_timeout.or(call_timeout);
        let limits = SessionLimits {
            connect_timeout: self.startup_timeout.unwrap_or(limits.connect_timeout),
            call_timeout: total.unwrap_or(limits.call_timeout),
            // Whoever allows a call so much time, and says nothing else, means all of it.
            idle_timeout: self.idle_timeout.or(total).unwrap_or(limits.idle_timeout),
            ..limits
        };
        let tools = match self.enabled_tools {
            Some(enabled) => AllowedTools::all().only(enabled),
            None => AllowedTools::all(),
        }
        .except(self.disabled_tools);
        let options = SessionOptions {
            ordering: self.ordering,
            era: self.era,
            elicitation: self.elicitation,
            tools,
            checks_arguments: self.checks_arguments,
            limits,
            ..SessionOptions::default()
        };
        let connector = match self.server {
            Server::Stdio(server) => Connector::stdio(server),
            Server::Http(server) => Connector::http(server),
        };
        let recovery = Recovery {
            replay: self.replay,
            on_session_loss: self.on_session_loss,
            ..Recovery::default()
        };
        PooledConnection { connector, auth: self.auth, options, recovery }
    }
}
