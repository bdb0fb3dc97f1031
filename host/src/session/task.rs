//! The owner task of one session: it creates the client inside itself and executes the queued callables against it.
//!
//! The loop never awaits the peer inline: operations are futures that it polls, so cancelling, closing and the end of the
//! connection are seen at once whatever the server does.

use std::sync::Arc;

use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use rmcp::{Peer, RoleClient};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep_until, timeout},
};

use super::{
    Shared,
    catalogue::Catalogue,
    client::{Abandonment, McpClient, Rules},
    connect::{Connector, Unopened, Wishes},
    connection::Connection,
    elicitation::Elicitation,
    exit::{Exit, ExitGuard},
    life::Opened,
    operation::{OperationRequest, Overlap},
    ordering::Ordering,
    story::{Farewell, Obstacle},
    transport::{Ended, process::ServerProcess},
};
use crate::{call::Failure, limits::SessionLimits};

/// Owns the connection and runs the operations.
pub(super) struct SessionTask {
    shared: Arc<Shared>,
    /// Callers hold the other end; when all of them are gone the session closes.
    requests: mpsc::Receiver<OperationRequest>,
    /// The next operation, when it has to wait for others to finish.
    head: Option<(OperationRequest, Overlap)>,
    running: FuturesUnordered<BoxFuture<'static, Finished>>,
    /// Operations in `running`, by what they may overlap with.
    shared_running: usize,
    alone_running: bool,
    /// Set once admission has stopped: when to give up on what is left.
    drain_until: Option<Instant>,
    /// Set once the queue is closed and empty, so that the loop doesn't ask it again and again.
    queue_is_over: bool,
}

/// What ended in `running`.
enum Finished {
    Operation(Overlap),
    /// Work of the owner itself: a cancellation that was sent, a list of tools that was read again.
    Housekeeping,
}

/// What the loop waits for.
enum Event {
    CloseAsked,
    ConnectionEnded(Failure),
    DrainTimeOver,
    Finished(Finished),
    Abandoned(Abandonment),
    ToolsChanged,
    Submitted(OperationRequest),
    NoMoreSubmissions,
}

/// What the loop needs of the connection.
struct Wires {
    peer: Peer<RoleClient>,
    ended: Ended,
    rules: Rules,
    tools_changed: Arc<Notify>,
    cancel: mpsc::Sender<Abandonment>,
    /// [`McpClient`] says here which calls nobody waits for any more.
    cancelled: mpsc::Receiver<Abandonment>,
}

impl SessionTask {
    pub(super) fn new(shared: Arc<Shared>, requests: mpsc::Receiver<OperationRequest>) -> Self {
        Self {
            shared,
            requests,
            head: None,
            running: FuturesUnordered::new(),
            shared_running: 0,
            alone_running: false,
            drain_until: None,
            queue_is_over: false,
        }
    }

    pub(super) async fn run(mut self, connector: Connector, wishes: Wishes) {
        let guard = ExitGuard(self.shared.exit.clone());
        let mut process = None;
        match self.open(connector, &wishes, &mut process).await {
            Ok(connection) => {
                let exit = self.serve(&connection, wishes.elicitation).await;
                tracing::debug!(connection = %self.shared.connection_id, %exit, "session ended");
                // Before the transport closes, because callers must not wait for that.
                self.answer_everyone(exit);
                if let Some(process) = &mut process {
                    process.want_end();
                }
                connection.shutdown(&self.shared.limits).await;
            }
            Err(exit) => {
                let was_closed = exit == Exit::Closed;
                self.answer_everyone(exit);
                if let Some(process) = process.as_mut().filter(|_| !was_closed) {
                    process.want_end_soon().await;
                }
            }
        }
        if let Some(process) = process {
            end(process, &self.shared).await;
        }
        drop(guard);
    }

    /// Opens the connection under its own deadline; closing interrupts it.
    async fn open(
        &mut self,
        connector: Connector,
        wishes: &Wishes,
        process: &mut Option<ServerProcess>,
    ) -> Result<Connection, Exit> {
        let limit = self.shared.limits.connect_timeout;
        let connect = connect(self.shared.clone(), connector, wishes, process);
        let opened = tokio::select! {
            biased;
            () = self.shared.stop.cancelled() => return Err(Exit::Closed),
            opened = timeout(limit, connect.boxed()) => opened,
        };
        let (obstacle, why) = match opened {
            Ok(Ok(connection)) => {
                self.shared.tell(|story| story.info = connection.info());
                let _set_once_because_a_session_opens_once = self
                    .shared
                    .opened
                    .set(Opened { at: Instant::now(), ended: connection.ended.clone() });
                self.shared.ready.cancel();
                return Ok(connection);
            }
            Ok(Err(Unopened { obstacle, detail, .. })) => (obstacle, detail),
            Err(_elapsed) => {
                let why = format!("no session after {limit:?} (limit connect_timeout)");
                (Obstacle::Late, why)
            }
        };
        self.shared.tell(|story| story.obstacle = Some(obstacle));
        Err(Exit::NeverOpened(why))
    }

    async fn serve(&mut self, connection: &Connection, elicitation: Elicitation) -> Exit {
        let SessionLimits { idle_timeout, interim, .. } = self.shared.limits;
        let (cancel, cancelled) = mpsc::channel(self.shared.limits.max_queued);
        let mut wires = Wires {
            peer: connection.peer().clone(),
            ended: connection.ended.clone(),
            rules: Rules { idle_timeout, elicitation, interim },
            tools_changed: connection.tools_changed(),
            cancel,
            cancelled,
        };
        loop {
            // Before the next operation starts, so that the server hears of them in this order.
            while let Ok(what) = wires.cancelled.try_recv() {
                self.tell_cancelled(what, &wires);
            }
            self.start_head(&wires);
            if self.queue_is_over && self.head.is_none() && self.running.is_empty() {
                return Exit::Closed;
            }
            let event = self.next_event(&mut wires).await;
            if let Some(exit) = self.handle(event, &wires) {
                return exit;
            }
        }
    }

    async fn next_event(&mut self, wires: &mut Wires) -> Event {
        let drain_until = self.drain_until;
        tokio::select! {
            // Ending comes before finishing, and finishing before starting: a loop under load must still end.
            biased;
            () = self.shared.stop.cancelled(), if drain_until.is_none() => Event::CloseAsked,
            // Before the end of the connection, because an answer that came before it counts.
            Some(finished) = self.running.next(), if !self.running.is_empty() => Event::Finished(finished),
            failure = wires.ended.wait() => Event::ConnectionEnded(failure),
            () = sleep_until(drain_until.unwrap_or_else(Instant::now)), if drain_until.is_some() => Event::DrainTimeOver,
            Some(what) = wires.cancelled.recv() => Event::Abandoned(what),
            () = wires.tools_changed.notified() => Event::ToolsChanged,
            request = self.requests.recv(), if self.head.is_none() && !self.queue_is_over => match request {
                Some(request) => Event::Submitted(request),
                None => Event::NoMoreSubmissions,
            },
        }
    }

    /// `Some`: the session is over.
    fn handle(&mut self, event: Event, wires: &Wires) -> Option<Exit> {
        match event {
            Event::CloseAsked => self.stop_admission(),
            Event::ConnectionEnded(failure) => return Some(Exit::ConnectionEnded(failure)),
            Event::DrainTimeOver => return Some(Exit::Closed),
            Event::Finished(Finished::Operation(overlap)) => self.count_out(overlap),
            Event::Finished(Finished::Housekeeping) => {}
            Event::Abandoned(what) => self.tell_cancelled(what, wires),
            Event::ToolsChanged => self.read_tools_again(wires),
            Event::Submitted(request) => {
                let overlap = self.overlap(&request);
                self.head = Some((request, overlap));
            }
            Event::NoMoreSubmissions => {
                self.queue_is_over = true;
                self.stop_admission();
            }
        }
        None
    }

    fn stop_admission(&mut self) {
        self.requests.close();
        if self.drain_until.is_none() {
            self.drain_until = Some(Instant::now() + self.shared.limits.drain_timeout);
        }
    }

    /// Starts the next operation if nothing that runs forbids it.
    fn start_head(&mut self, wires: &Wires) {
        let may_start = |(_, overlap): &mut (OperationRequest, Overlap)| match overlap {
            Overlap::Alone => self.shared_running == 0 && !self.alone_running,
            Overlap::Shared => {
                !self.alone_running && self.shared_running < self.shared.limits.max_in_flight
            }
        };
        let Some((request, overlap)) = self.head.take_if(may_start) else { return };
        tracing::trace!(about = ?request.about, "operation starts");
        let client = McpClient::new(
            wires.peer.clone(),
            request.ticket.phase.clone(),
            wires.ended.clone(),
            wires.cancel.clone(),
            wires.rules,
        );
        self.count_in(overlap);
        self.running
            .push(request.start(client).map(move |()| Finished::Operation(overlap)).boxed());
    }

    /// What an operation may overlap with. One that isn't the call of a tool is alone.
    fn overlap(&self, request: &OperationRequest) -> Overlap {
        match (self.shared.ordering, &request.tool) {
            (Ordering::Parallel, _) => Overlap::Shared,
            (Ordering::Annotated, Some(tool)) => self.shared.catalogue().overlap(tool),
            (Ordering::Annotated, None) | (Ordering::Serial, _) => Overlap::Alone,
        }
    }

    fn count_in(&mut self, overlap: Overlap) {
        match overlap {
            Overlap::Shared => self.shared_running += 1,
            Overlap::Alone => self.alone_running = true,
        }
    }

    fn count_out(&mut self, overlap: Overlap) {
        match overlap {
            Overlap::Shared => self.shared_running -= 1,
            Overlap::Alone => self.alone_running = false,
        }
    }

    fn tell_cancelled(&mut self, what: Abandonment, wires: &Wires) {
        let (peer, limit) = (wires.peer.clone(), self.shared.limits.write_timeout);
        let tell = async move {
            let _a_server_that_can_not_be_told_is_seen_by_the_transport =
                timeout(limit, what.tell(&peer)).await;
            Finished::Housekeeping
        };
        self.running.push(tell.boxed());
    }

    /// A list that can't be read again leaves the old one in place.
    fn read_tools_again(&mut self, wires: &Wires) {
        let peer = wires.peer.clone();
        let shared = self.shared.clone();
        let read = async move {
            match timeout(
                shared.limits.connect_timeout,
                Catalogue::fetch(peer, shared.limits.clone()),
            )
            .await
            {
                Ok(Ok(catalogue)) => shared.set_catalogue(catalogue),
                Ok(Err(error)) => {
                    tracing::warn!(connection = %shared.connection_id, %error, "the old list of tools stays");
                }
                Err(_elapsed) => {
                    tracing::warn!(connection = %shared.connection_id, "the old list of tools stays: no answer");
                }
            }
            Finished::Housekeeping
        };
        self.running.push(read.boxed());
    }

    /// Ends every queued and running operation with the reason.
    fn answer_everyone(&mut self, exit: Exit) {
        self.shared.exit.set(exit);
        self.requests.close();
        // Each reply answers as it is dropped.
        self.running = FuturesUnordered::new();
        self.head = None;
        while self.requests.try_recv().is_ok() {}
        self.shared.exit.mark_ended();
    }
}

/// Ends the child process and tells how it went.
async fn end(process: ServerProcess, shared: &Shared) {
    let end = process.shutdown().await;
    shared.tell(|story| {
        if end.farewell == Farewell::Gone && story.obstacle == Some(Obstacle::Handshake) {
            story.obstacle = Some(Obstacle::Exited);
        }
        story.process_end = Some(end);
    });
}

/// Opens the connection and reads the list of tools.
async fn connect(
    shared: Arc<Shared>,
    connector: Connector,
    wishes: &Wishes,
    process: &mut Option<ServerProcess>,
) -> Result<Connection, Unopened> {
    let connection = connector.connect(wishes, process).await?;
    match Catalogue::fetch(connection.peer().clone(), shared.limits.clone()).await {
        Ok(catalogue) => {
            tell_unlisted(&shared, &catalogue);
            shared.set_catalogue(catalogue);
        }
        // A server may have tools and no list of them; then every call is alone.
        Err(error) => {
            tracing::warn!(connection = %shared.connection_id, %error, "no list of tools");
            shared.tell(|story| story.list_problem = Some(error.to_string()));
        }
    }
    Ok(connection)
}

/// A list of tools with a name that isn't there lets through, or keeps out, something else than its author thinks.
fn tell_unlisted(shared: &Shared, catalogue: &Catalogue) {
    let unlisted = shared.tools.unlisted(catalogue);
    // A session that replaces another one has nothing new to say.
    for (key, tool) in unlisted.iter().filter(|_| shared.epoch == 1) {
        tracing::warn!(connection = %shared.connection_id, tool, "{key} names a tool that the server does not list");
    }
    shared.tell(|story| story.unlisted = unlisted);
}
