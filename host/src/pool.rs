//! Sessions by connection and credentials: opened once, shared, replaced when they end, closed together.
//!
//! A connection that fails is tried again after a pause ([`backoff`]), by the next call that comes: nothing here runs by
//! itself. What may be made again when a session is lost is decided in [`carrying`].

mod answered;
mod backoff;
mod carrying;
mod recovery;
mod slot;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use futures::future::join_all;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

pub(crate) use self::recovery::{Carried, Unanswered, Witness};
pub use self::recovery::{OnSessionLoss, Recovery, Replay, SessionLoss};
use self::{
    answered::Answers,
    backoff::Circuit,
    carrying::Carrying,
    recovery::Nobody,
    slot::{Found, Slot},
};
use crate::{
    auth::AuthRecord,
    call::{
        CallError, Cause, ConnectionId, Failure, Json, Refusal, RefusalReason, ToolCall,
        ToolCallResult,
    },
    session::{Catalogue, Connector, Session, SessionOptions, Trace},
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
    /// What happens when a session of it ends.
    pub recovery: Recovery,
}

impl PooledConnection {
    /// One without credentials and with the defaults of all settings.
    pub fn new(connector: Connector) -> Self {
        Self {
            connector,
            auth: AuthRecord::none(),
            options: SessionOptions::default(),
            recovery: Recovery::default(),
        }
    }
}

/// The sessions of a set of connections. Clones share them.
#[derive(Clone, Debug)]
pub struct SessionPool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    connections: BTreeMap<ConnectionId, Result<PooledConnection, String>>,
    /// In place of all connections.
    answers: Option<Answers>,
    /// Locked to look up or to start a session, never across an await.
    sessions: Mutex<Sessions>,
    /// Cancelled by `close`; calls that wait for the end of a pause listen.
    closing: CancellationToken,
}

#[derive(Debug, Default)]
struct Sessions {
    by_key: HashMap<Key, Slot>,
    /// Replaced, and perhaps still ending a child process.
    retiring: Vec<Session>,
}

/// Whose session it is.
type Key = (ConnectionId, AuthRecord);

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
            answers: None,
            sessions: Mutex::default(),
            closing: CancellationToken::new(),
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
        if let Some(answers) = &self.0.answers {
            let connection = connection.clone();
            return answers.answer(ToolCall { connection, tool: tool.into(), arguments }).await;
        }
        let auth = self.connection(connection)?.auth.clone();
        self.call_tool_as(connection, auth, tool, arguments).await
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
        let call = ToolCall { connection: connection.clone(), tool: tool.into(), arguments };
        let pooled = self.connection(connection)?;
        let (answer, _trace) = self.carry(call, pooled, auth, Arc::new(Nobody)).await;
        Ok(answer?)
    }

    /// Carries out one call under the configured credentials, in front of a witness.
    pub(crate) async fn call_witnessed<W: Witness>(
        &self,
        call: ToolCall,
        witness: Arc<W>,
    ) -> (Carried, Option<Trace>) {
        if let Some(answers) = &self.0.answers {
            return (answers.answer(call).await.map_err(Unanswered::Failed), None);
        }
        match self.connection(&call.connection) {
            Ok(connection) => self.carry(call, connection, connection.auth.clone(), witness).await,
            Err(error) => (Err(Unanswered::Failed(error)), None),
        }
    }

    async fn carry<W: Witness>(
        &self,
        call: ToolCall,
        connection: &PooledConnection,
        auth: AuthRecord,
        witness: Arc<W>,
    ) -> (Carried, Option<Trace>) {
        // Here too, so that a call that is refused opens nothing and waits for nothing.
        if let Err(refusal) = connection.options.tools.check(&call.connection, &call.tool) {
            return (Err(Unanswered::Failed(CallError::Refused(refusal))), None);
        }
        let key = (call.connection.clone(), auth);
        Carrying::new(self, connection, key, call, witness).run().await
    }

    /// What the configuration says of runs that lose a session of this connection.
    pub(crate) fn on_session_loss(&self, id: &ConnectionId) -> OnSessionLoss {
        match self.0.connections.get(id) {
            Some(Ok(connection)) => connection.recovery.on_session_loss,
            _ => OnSessionLoss::default(),
        }
    }

    /// The session of a connection under its configured credentials. It doesn't wait for the end of a pause.
    pub(crate) fn session(&self, id: &ConnectionId) -> Result<Session, CallError> {
        let connection = self.connection(id)?;
        let key = (id.clone(), connection.auth.clone());
        match self.find(&key, connection)? {
            Found::Session(session) => Ok(session),
            Found::Pause(pause) => Err(pause.refusal(Instant::now())),
        }
    }

    /// The open session or a new one. A call that comes in a pause waits for its end if its deadline is later and the circuit
    /// is closed, else it fails at once. It waits for one pause only, so it takes part in one attempt.
    async fn session_until(
        &self,
        key: &Key,
        connection: &PooledConnection,
        deadline: Instant,
    ) -> Result<Session, CallError> {
        let pause = match self.find(key, connection)? {
            Found::Session(session) => return Ok(session),
            Found::Pause(pause) => pause,
        };
        if pause.circuit == Circuit::Open || deadline <= pause.until {
            return Err(pause.refusal(Instant::now()));
        }
        tokio::select! {
            biased;
            () = self.0.closing.cancelled() => {}
            () = sleep_until(pause.until) => {}
        }
        match self.find(key, connection)? {
            Found::Session(session) => Ok(session),
            Found::Pause(pause) => Err(pause.refusal(Instant::now())),
        }
    }

    fn connection(&self, id: &ConnectionId) -> Result<&PooledConnection, CallError> {
        match self.0.connections.get(id) {
            Some(Ok(connection)) => Ok(connection),
            Some(Err(why)) => {
                Err(CallError::NotSent(Failure::new(Cause::ConnectFailed, why.clone())))
            }
            None => {
                let known: Vec<_> = self.0.connections.keys().map(ConnectionId::as_str).collect();
                let known = match known.as_slice() {
                    [] => "there are none".to_owned(),
                    known => format!("there are: {}", known.join(", ")),
                };
                let detail = format!("no connection is named {:?}; {known}", id.as_str());
                Err(CallError::Refused(Refusal {
                    reason: RefusalReason::UnknownConnection,
                    detail,
                }))
            }
        }
    }

    /// Looks into the slot. Starting a session only spawns its owner task: what is submitted waits for it there.
    fn find(&self, key: &Key, connection: &PooledConnection) -> Result<Found, CallError> {
        let mut sessions = self.0.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        // Under the lock, so that no session starts once `close` has looked for them.
        if self.0.closing.is_cancelled() {
            let failure = Failure::new(Cause::SessionStopped, "the pool is closed");
            return Err(CallError::NotSent(failure));
        }
        let Sessions { by_key, retiring } = &mut *sessions;
        let slot = by_key.entry(key.clone()).or_default();
        if let Some(earlier) = slot.retire(&connection.recovery.limits) {
            retiring.retain(|session| !session.is_cleaned_up());
            retiring.push(earlier);
        }
        Ok(slot.session(|epoch| {
            let (id, auth) = key.clone();
            let options = SessionOptions { epoch, ..connection.options.clone() };
            Session::start(id, auth, connection.connector.clone(), options)
        }))
    }

    /// The connections that can be called, and those that can't with the reason.
    pub fn connections(&self) -> impl Iterator<Item = (&ConnectionId, Result<(), &str>)> {
        self.0
            .connections
            .iter()
            .map(|(id, connection)| (id, connection.as_ref().map(|_| ()).map_err(String::as_str)))
    }

    /// What the open sessions under the configured credentials know of their servers' tools, by connection.
    pub(crate) fn catalogues(&self) -> Vec<(ConnectionId, Arc<Catalogue>)> {
        let sessions = self.0.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let connections = self.0.connections.iter();
        let usable = connections.filter_map(|(id, it)| it.as_ref().ok().map(|it| (id, it)));
        let open = usable.filter_map(|(id, connection)| {
            let slot = sessions.by_key.get(&(id.clone(), connection.auth.clone()))?;
            let session = slot.current().filter(|session| !session.is_closed())?;
            Some((id.clone(), session.catalogue()))
        });
        open.collect()
    }

    /// Closes every session, all at the same time, and opens no more. Each drains under its own deadline.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future doesn't stop the closing.
    pub async fn close(&self) {
        let sessions: Vec<Session> = {
            let sessions = self.0.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            self.0.closing.cancel();
            let current = sessions.by_key.values().filter_map(Slot::current);
            current.chain(&sessions.retiring).cloned().collect()
        };
        join_all(sessions.iter().map(Session::close)).await;
    }
}
