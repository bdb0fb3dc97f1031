//! One live MCP session: [`Session`] is the handle that callers clone, and the task behind it owns the client.
//!
//! The task ends when every handle is dropped, when it is told to close, or when the connection ends; [`Exit`] says which.
//! Whatever happens, every operation that was submitted gets one answer.

mod allowed;
mod calling;
mod catalogue;
mod client;
mod connect;
mod connection;
mod convert;
mod elicitation;
mod era;
mod exit;
mod life;
mod operation;
mod options;
mod ordering;
mod steps;
mod story;
mod task;
mod transport;

use std::{
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError, RwLock},
    time::Duration,
};

use futures::future::BoxFuture;
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

pub use self::{
    allowed::AllowedTools,
    client::McpClient,
    connect::{Connector, HttpServer, StdioServer, Streams},
    elicitation::Elicitation,
    era::EraPolicy,
    exit::Exit,
    operation::Operation,
    options::SessionOptions,
    ordering::Ordering,
};
pub(crate) use self::{
    calling::ArgumentCheck,
    catalogue::{Catalogue, ToolHints, clashes, identifier},
    era::Era,
    life::SessionEnd,
    operation::Trace,
    story::{Farewell, LeftOver, Obstacle, ProcessEnd, SessionInfo, Story},
};
use self::{
    connect::Wishes,
    exit::ExitCell,
    life::Opened,
    operation::{OperationRequest, Reply, Ticket},
    task::SessionTask,
};
use crate::{
    auth::AuthRecord,
    call::{CallError, Cause, ConnectionId, Failure},
    limits::SessionLimits,
    task::spawn,
};

/// The handle of one session. Clones share it; the session closes when the last one is dropped.
#[derive(Clone)]
pub struct Session {
    shared: Arc<Shared>,
    /// The owner task holds the other end; it is closed once the session takes nothing more.
    queue: mpsc::Sender<OperationRequest>,
}

/// What the handles and the owner task share.
struct Shared {
    connection_id: ConnectionId,
    epoch: u64,
    ordering: Ordering,
    tools: AllowedTools,
    limits: SessionLimits,
    /// The last sequence number that was given out. Locked while an operation enters the queue, so that numbers rise in
    /// queue order; never across an await.
    sequence: Mutex<u64>,
    /// Cancelled by the owner task when operations can run.
    ready: CancellationToken,
    /// Cancelled by whoever wants the session closed.
    stop: CancellationToken,
    /// Set by the owner task before `ready`.
    opened: OnceLock<Opened>,
    exit: ExitCell,
    catalogue: RwLock<Arc<Catalogue>>,
    /// The owner task writes it.
    story: Mutex<Story>,
}

impl Session {
    /// Opens a session and waits until it is ready.
    ///
    /// # Errors
    ///
    /// When the server can't be reached or doesn't agree on a session, with what it said.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes what was opened so far, in the background.
    pub async fn open(
        connection_id: ConnectionId,
        auth: AuthRecord,
        connector: Connector,
        options: SessionOptions,
    ) -> Result<Self, Failure> {
        let session = Self::start(connection_id, auth, connector, options);
        session.ready().await?;
        Ok(session)
    }

    /// Starts the owner task and returns at once. What is submitted waits until the session is ready, and gets the cause if
    /// it never is.
    pub(crate) fn start(
        connection_id: ConnectionId,
        auth: AuthRecord,
        connector: Connector,
        options: SessionOptions,
    ) -> Self {
        let (queue, requests) = mpsc::channel(options.limits.max_queued);
        let SessionOptions { era, elicitation, .. } = options;
        let wishes = Wishes { auth, limits: options.limits.clone(), era, elicitation };
        let shared = Arc::new(Shared {
            connection_id,
            epoch: options.epoch,
            ordering: options.ordering,
            tools: options.tools,
            limits: options.limits,
            sequence: Mutex::new(0),
            ready: CancellationToken::new(),
            stop: CancellationToken::new(),
            opened: OnceLock::new(),
            exit: ExitCell::default(),
            catalogue: RwLock::default(),
            story: Mutex::default(),
        });
        // The exit cell tells of the task's end, of a panic too, so nobody needs to hold the handle.
        spawn("session", SessionTask::new(shared.clone(), requests).run(connector, wishes))
            .detach();
        Self { shared, queue }
    }

    /// Waits until operations can run.
    pub(crate) async fn ready(&self) -> Result<(), Failure> {
        tokio::select! {
            biased;
            () = self.shared.exit.ended() => Err(self.shared.exit.failure()),
            () = self.shared.ready.cancelled() => Ok(()),
        }
    }

    /// Queues one explicit callable, which the owner task runs against its client, and waits for what it returns.
    ///
    /// `operation` is a label for diagnostics: nothing is dispatched on it. The future that `run` returns may borrow the
    /// client, and the lifetime is the proof that nothing of it gets out. How long it may take is the session's
    /// `call_timeout`, from now on and everything included.
    ///
    /// ```
    /// # use callgate::{CallError, Json, Session};
    /// # use futures::FutureExt;
    /// async fn twice(session: &Session) -> Result<usize, CallError> {
    ///     session
    ///         .submit("read twice", |client| {
    ///             async {
    ///                 let one = client.call_tool("read", Json::null()).await?;
    ///                 let two = client.call_tool("read", Json::null()).await?;
    ///                 Ok(one.content.len() + two.content.len())
    ///             }
    ///             .boxed()
    ///         })
    ///         .await
    /// }
    /// ```
    ///
    /// What can't be written is shown at [`McpClient`].
    ///
    /// # Errors
    ///
    /// What `run` returns, unchanged; it is this caller's alone. When the session ends or the deadline passes first,
    /// [`CallError::NotSent`] or [`CallError::OutcomeUnknown`], whichever is true.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future before the operation starts means that it never runs. Dropping it later drops the future of
    /// `run`; a call that was sent is cancelled at the server, and the session lives on.
    pub async fn submit<T, F>(&self, operation: &'static str, run: F) -> Result<T, CallError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c McpClient) -> BoxFuture<'c, Result<T, CallError>> + Send + 'static,
    {
        let deadline = Instant::now() + self.shared.limits.call_timeout;
        self.submit_until(operation, deadline, run).await
    }

    /// [`submit`](Self::submit) with a deadline of the caller's own.
    ///
    /// # Errors
    ///
    /// As for [`submit`](Self::submit).
    pub async fn submit_until<T, F>(
        &self,
        operation: &'static str,
        deadline: Instant,
        run: F,
    ) -> Result<T, CallError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c McpClient) -> BoxFuture<'c, Result<T, CallError>> + Send + 'static,
    {
        self.submit_traced(operation, None, deadline, run).await.0
    }

    async fn submit_traced<T, F>(
        &self,
        operation: &'static str,
        tool: Option<Arc<str>>,
        deadline: Instant,
        run: F,
    ) -> (Result<T, CallError>, Trace)
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c McpClient) -> BoxFuture<'c, Result<T, CallError>> + Send + 'static,
    {
        let submitted_at = Instant::now();
        let ticket = Arc::new(Ticket::default());
        let mut trace = Trace { epoch: None, sequence: None, queue_wait: Duration::ZERO };
        let (slot, mut answer) = oneshot::channel();
        let reply = Reply::new(slot, ticket.clone(), self.shared.exit.clone());

        // Reserve first: a wait for a place that is given up loses nothing.
        let place = tokio::select! {
            biased;
            place = self.queue.reserve() => place,
            () = sleep_until(deadline) => {
                drop(reply);
                trace.queue_wait = submitted_at.elapsed();
                let detail = format!("no place in the queue of {} operations (limit max_queued)", self.shared.limits.max_queued);
                return (Err(CallError::NotSent(Failure::new(Cause::Timeout, detail))), trace);
            }
        };
        let Ok(place) = place else {
            return (Err(CallError::NotSent(self.shared.exit.failure())), trace);
        };
        trace.sequence = Some(self.enqueue(place, |sequence| {
            let about = Operation {
                operation,
                connection_id: self.shared.connection_id.clone(),
                sequence,
                submitted_at,
            };
            OperationRequest::new(about, tool, deadline, ticket.clone(), reply, run)
        }));

        let result = tokio::select! {
            biased;
            answered = &mut answer => answered.ok(),
            () = sleep_until(deadline) => None,
            // An operation that entered the queue as it closed has nobody left to answer it.
            () = self.shared.exit.ended() => answer.try_recv().ok(),
        };
        let ended_at = Instant::now();
        trace.queue_wait = ticket.started_at().unwrap_or(ended_at) - submitted_at;
        trace.epoch = self.shared.opened.get().map(|_| self.shared.epoch);
        let result = result.unwrap_or_else(|| Err(ticket.unanswered(self.why_no_answer(&ticket))));
        (result, trace)
    }

    /// Numbers an operation and puts it into the queue, as one step.
    fn enqueue(
        &self,
        place: mpsc::Permit<'_, OperationRequest>,
        request: impl FnOnce(u64) -> OperationRequest,
    ) -> u64 {
        let mut sequence = self.shared.sequence.lock().unwrap_or_else(PoisonError::into_inner);
        *sequence += 1;
        place.send(request(*sequence));
        *sequence
    }

    fn why_no_answer(&self, ticket: &Ticket) -> Failure {
        if let Some(exit) = self.shared.exit.get() {
            return exit.failure();
        }
        let where_it_was = match ticket.started_at() {
            None => "in the queue",
            Some(_) if ticket.phase.is_sent() => "waiting for the answer",
            Some(_) => "before it was sent",
        };
        self.shared.limits.too_late(where_it_was)
    }

    /// Stops admission, lets queued and running operations finish under `drain_timeout`, closes the transport, ends the
    /// child process, and says why the session ended. Closing twice is fine and waits for the same end.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future doesn't stop the closing.
    pub async fn close(&self) -> Exit {
        self.shared.stop.cancel();
        self.shared.exit.cleaned_up().await
    }

    /// The connection that this is a session of.
    pub fn connection_id(&self) -> &ConnectionId {
        &self.shared.connection_id
    }

    /// 1 for the first session of the connection, and one more for each that replaced it.
    pub fn epoch(&self) -> u64 {
        self.shared.epoch
    }

    /// Whether the session takes no more operations.
    pub fn is_closed(&self) -> bool {
        self.queue.is_closed() || self.shared.stop.is_cancelled()
    }

    /// Whether the transport is closed and the child reaped.
    pub(crate) fn is_cleaned_up(&self) -> bool {
        self.shared.exit.is_cleaned_up()
    }

    pub(crate) fn catalogue(&self) -> Arc<Catalogue> {
        self.shared.catalogue()
    }
}

impl Shared {
    fn catalogue(&self) -> Arc<Catalogue> {
        self.catalogue.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_catalogue(&self, catalogue: Catalogue) {
        *self.catalogue.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(catalogue);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("connection_id", &self.shared.connection_id)
            .field("epoch", &self.shared.epoch)
            .finish_non_exhaustive()
    }
}
