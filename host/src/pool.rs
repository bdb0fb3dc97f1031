//! Sessions by connection and credentials: opened once, shared, replaced when they end, closed together.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use futures::future::join_all;
use tokio::time::Instant;

use crate::{
    auth::AuthRecord,
    call::{
        CallError, Cause, ConnectionId, Failure, Json, Refusal, RefusalReason, ToolCall,
        ToolCallResult,
    },
    session::{Connector, Session, SessionOptions, Trace},
};

/// How to reach one server, and how to treat it.
#[derive(Clone, Debug)]
pub struct PooledConnection {
    /// What to start or where to connect.
    pub connector: Connector,
    /// The credentials of calls that bring none of their own.
    pub auth: AuthRecord,
    /// Ordering and bounds of its sessions; the pool sets the epoch.
    pub options: SessionOptions,
}

/// The sessions of a set of connections. Clones share them.
#[derive(Clone, Debug)]
pub struct SessionPool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    connections: BTreeMap<ConnectionId, Result<PooledConnection, String>>,
    /// Locked to look up or to start a session, never across an await.
    sessions: Mutex<Sessions>,
}

#[derive(Debug, Default)]
struct Sessions {
    by_key: HashMap<(ConnectionId, AuthRecord), Session>,
    /// Replaced, and perhaps still ending a child process.
    retiring: Vec<Session>,
    closed: bool,
}

impl SessionPool {
    /// A pool of these connections. Nothing is opened until the first call.
    pub fn new(connections: impl IntoIterator<Item = (ConnectionId, PooledConnection)>) -> Self {
        Self::with_unusable(connections.into_iter().map(|(id, connection)| (id, Ok(connection))))
    }

    /// A pool in which some connections are known to be unusable; a call of one says why.
    pub fn with_unusable(
        connections: impl IntoIterator<Item = (ConnectionId, Result<PooledConnection, String>)>,
    ) -> Self {
        Self(Arc::new(Inner {
            connections: connections.into_iter().collect(),
            sessions: Mutex::default(),
        }))
    }

    /// Calls one tool over the session of its connection, which is opened if there is none.
    ///
    /// # Errors
    ///
    /// See [`CallError`]: its cases are the things that a caller can do.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future before the call is sent means that it never is; later, the server is told. The session lives on.
    pub async fn call_tool(
        &self,
        connection: &ConnectionId,
        tool: &str,
        arguments: Json,
    ) -> Result<ToolCallResult, CallError> {
        let call = ToolCall { connection: connection.clone(), tool: tool.into(), arguments };
        self.call_traced(call).await.0
    }

    /// [`call_tool`](Self::call_tool) with the credentials of the one who calls: such calls have sessions of their own.
    ///
    /// # Errors
    ///
    /// As for [`call_tool`](Self::call_tool).
    pub async fn call_tool_as(
        &self,
        connection: &ConnectionId,
        auth: AuthRecord,
        tool: &str,
        arguments: Json,
    ) -> Result<ToolCallResult, CallError> {
        let session = self.session_as(connection, auth)?;
        session.call_tool(tool, arguments).await
    }

    pub(crate) async fn call_traced(
        &self,
        call: ToolCall,
    ) -> (Result<ToolCallResult, CallError>, Option<Trace>) {
        let session = match self.session(&call.connection) {
            Ok(session) => session,
            Err(error) => return (Err(error), None),
        };
        let deadline = Instant::now() + session.call_timeout();
        let (result, trace) = session.call_tool_traced(call.tool, call.arguments, deadline).await;
        (result, Some(trace))
    }

    /// The session of a connection under its configured credentials.
    pub(crate) fn session(&self, id: &ConnectionId) -> Result<Session, CallError> {
        let connection = self.connection(id)?;
        self.live_session(id, connection.auth.clone(), connection)
    }

    fn session_as(&self, id: &ConnectionId, auth: AuthRecord) -> Result<Session, CallError> {
        self.live_session(id, auth, self.connection(id)?)
    }

    fn connection(&self, id: &ConnectionId) -> Result<&PooledConnection, CallError> {
        match self.0.connections.get(id) {
            Some(Ok(connection)) => Ok(connection),
            Some(Err(why)) => {
                Err(CallError::NotSent(Failure::new(Cause::ConnectFailed, why.clone())))
            }
            None => {
                let known: Vec<_> = self.0.connections.keys().map(ConnectionId::as_str).collect();
                let detail =
                    format!("no connection is named {id:?}; there are: {}", known.join(", "));
                Err(CallError::Refused(Refusal {
                    reason: RefusalReason::UnknownConnection,
                    detail,
                }))
            }
        }
    }

    /// The open session, or a new one. Starting one only spawns its owner task: what is submitted waits for it there.
    fn live_session(
        &self,
        id: &ConnectionId,
        auth: AuthRecord,
        connection: &PooledConnection,
    ) -> Result<Session, CallError> {
        let mut sessions = self.0.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.closed {
            let failure = Failure::new(Cause::SessionStopped, "the pool is closed");
            return Err(CallError::NotSent(failure));
        }
        let key = (id.clone(), auth.clone());
        let earlier = sessions.by_key.get(&key);
        if let Some(session) = earlier.filter(|session| !session.is_closed()) {
            return Ok(session.clone());
        }
        let epoch = earlier.map_or(1, |session| session.epoch() + 1);
        let options = SessionOptions { epoch, ..connection.options.clone() };
        let session = Session::start(id.clone(), auth, connection.connector.clone(), options);
        if let Some(earlier) = sessions.by_key.insert(key, session.clone()) {
            sessions.retiring.retain(|session| !session.is_cleaned_up());
            sessions.retiring.push(earlier);
        }
        Ok(session)
    }

    /// The connections that can be called, and those that can't with the reason.
    pub fn connections(&self) -> impl Iterator<Item = (&ConnectionId, Result<(), &str>)> {
        self.0
            .connections
            .iter()
            .map(|(id, connection)| (id, connection.as_ref().map(|_| ()).map_err(String::as_str)))
    }

    /// Closes every session, all at the same time, and opens no more. Each drains under its own deadline.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future doesn't stop the closing.
    pub async fn close(&self) {
        let sessions: Vec<Session> = {
            let mut sessions = self.0.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            sessions.closed = true;
            sessions.by_key.values().chain(&sessions.retiring).cloned().collect()
        };
        join_all(sessions.iter().map(Session::close)).await;
    }
}
