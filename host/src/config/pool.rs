//! From a checked configuration to a pool of its connections.

use std::time::Duration;

use super::{Config, Configured, ConnectionConfig, Problem, Server};
use crate::{
    call::ConnectionId,
    pool::{PooledConnection, SessionPool, ToolFilter},
    session::{Connector, SessionOptions},
};

impl Config {
    /// A pool of every connection of the file. Nothing is opened; a call of one that can't be used says why.
    ///
    /// `call_timeout` is for connections whose entry has no `tool_timeout_sec`.
    pub fn into_pool(self, call_timeout: Option<Duration>) -> SessionPool {
        SessionPool::with_unusable(self.connections.into_iter().map(|(id, configured)| {
            let connection = match configured {
                Configured::Ready(connection) => Ok(pooled(*connection, call_timeout)),
                Configured::Disabled => Err(format!("{id} is disabled in the configuration")),
                Configured::Unusable(problems) => Err(why(&problems)),
            };
            (id, connection)
        }))
    }

    /// The connections that a run is no use without.
    pub fn required(&self) -> Vec<ConnectionId> {
        let is_required = |configured: &Configured| match configured {
            Configured::Ready(connection) => connection.required,
            Configured::Disabled | Configured::Unusable(_) => false,
        };
        let required = self.connections.iter().filter(|(_, configured)| is_required(configured));
        required.map(|(id, _)| id.clone()).collect()
    }
}

fn pooled(connection: ConnectionConfig, call_timeout: Option<Duration>) -> PooledConnection {
    let mut options = SessionOptions { ordering: connection.ordering, ..SessionOptions::default() };
    let limits = &mut options.limits;
    limits.connect_timeout = connection.startup_timeout.unwrap_or(limits.connect_timeout);
    limits.call_timeout =
        connection.tool_timeout.or(call_timeout).unwrap_or(limits.call_timeout);
    PooledConnection {
        connector: match connection.server {
            Server::Stdio(server) => Connector::stdio(server),
            Server::Http(server) => Connector::http(server),
        },
        auth: connection.auth,
        options,
        tools: ToolFilter {
            enabled: connection.enabled_tools,
            disabled: connection.disabled_tools,
        },
    }
}

fn why(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("; ")
}
