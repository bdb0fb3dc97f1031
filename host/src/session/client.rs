//! [`McpClient`]: what a callable gets to see of the MCP client.
//!
//! It exists only inside the owner task, for the time of one operation. It is neither `Clone` nor constructible elsewhere,
//! and hands out nothing that is.

use std::time::Duration;

use rmcp::{
    Peer, RoleClient, ServiceError,
    model::{
        CancelTaskParams, CancelTaskRequest, CancelledNotification, CancelledNotificationParam,
        ClientRequest, ListToolsRequest, PingRequest, RequestId, ServerResult,
    },
    service::PeerRequestOptions,
};
use serde_json::value::RawValue;
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, sleep_until},
};

use super::{
    elicitation::Elicitation,
    era::Era,
    steps,
    transport::{Ended, Phase, WireAnswer, WireCall},
};
use crate::{
    call::{CallError, Cause, Failure, Json, RpcError, ToolCallResult},
    limits::InterimLimits,
};

/// The MCP client, as one operation sees it.
///
/// It can't leave its operation. A callable that returns it doesn't compile:
///
/// ```compile_fail
/// # use callgate::{CallError, McpClient, Session};
/// # use futures::FutureExt;
/// async fn smuggle(session: &Session) -> Result<&'static McpClient, CallError> {
///     session.submit("smuggle", |client| async move { Ok(client) }.boxed()).await
/// }
/// ```
///
/// Nor one that keeps it elsewhere:
///
/// ```compile_fail
/// # use std::sync::{Arc, Mutex};
/// # use callgate::{CallError, McpClient, Session};
/// # use futures::FutureExt;
/// async fn keep(
///     session: &Session,
///     kept: Arc<Mutex<Option<&'static McpClient>>>,
/// ) -> Result<(), CallError> {
///     session
///         .submit("keep", move |client| {
///             async move {
///                 *kept.lock().unwrap() = Some(client);
///                 Ok(())
///             }
///             .boxed()
///         })
///         .await
/// }
/// ```
///
/// Nor one that makes a second one of it:
///
/// ```compile_fail
/// # use callgate::{CallError, McpClient, Session};
/// # use futures::FutureExt;
/// async fn copy(session: &Session) -> Result<McpClient, CallError> {
///     session.submit("copy", |client| async move { Ok(McpClient::clone(client)) }.boxed()).await
/// }
/// ```
///
/// The same shape compiles where all that leaves is the answer:
///
/// ```
/// # use callgate::{CallError, Json, McpClient, Session, ToolCallResult};
/// # use futures::FutureExt;
/// async fn call(session: &Session) -> Result<ToolCallResult, CallError> {
///     session
///         .submit("call", |client| {
///             async move { client.call_tool("read", Json::null()).await }.boxed()
///         })
///         .await
/// }
/// ```
pub struct McpClient {
    peer: Peer<RoleClient>,
    /// Of the operation that this value was made for.
    phase: Phase,
    /// The transport says through it why it ended.
    ended: Ended,
    /// To the owner task: calls that nobody waits for any more, so that it tells the server. A full queue means that the
    /// server has more to be told than it listens to; then it isn't told.
    cancellations: mpsc::Sender<Abandonment>,
    rules: Rules,
}

/// How long a call may take and what is answered in the middle of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) idle_timeout: Duration,
    pub(super) elicitation: Elicitation,
    pub(super) interim: InterimLimits,
}

/// What wakes the caller: the answer itself is in the [`WireCall`].
type Response = Result<ServerResult, ServiceError>;

impl McpClient {
    pub(super) fn new(
        peer: Peer<RoleClient>,
        phase: Phase,
        ended: Ended,
        cancellations: mpsc::Sender<Abandonment>,
        rules: Rules,
    ) -> Self {
        Self { peer, phase, ended, cancellations, rules }
    }

    /// How far the operation has come.
    pub(super) fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Calls one tool and waits for its answer.
    ///
    /// # Errors
    ///
    /// [`CallError::NotSent`] and [`CallError::OutcomeUnknown`] by whether anything reached the wire,
    /// [`CallError::Rejected`] when the server answers with a JSON-RPC error.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future after the call was sent tells the server that nobody waits for it any more.
    pub async fn call_tool(
        &self,
        tool: &str,
        arguments: Json,
    ) -> Result<ToolCallResult, CallError> {
        steps::call_tool(self, tool, arguments).await
    }

    /// Sends one request and waits for its result as the server wrote it. Gives the arguments back, too, should the call have
    /// to be made again.
    pub(super) async fn ask(
        &self,
        request: ClientRequest,
        wire: WireCall,
    ) -> (Result<Box<RawValue>, CallError>, Json) {
        let phase = wire.phase().clone();
        let sent = self.peer.send_request_with_option(request, PeerRequestOptions::no_options());
        let mut handle = match sent.await {
            Ok(handle) => handle,
            Err(error) => return (Err(self.unanswered(&phase, &error)), wire.finish().1),
        };
        wire.expect_progress(handle.progress_token.clone());
        let mut abandoned =
            Abandoned { what: Some(Abandonment::Request(handle.id)), told: self, phase: &phase };
        let response = match self.wait(&wire, &mut handle.rx).await {
            Ok(response) => response,
            // Dropping `abandoned` tells the server.
            Err(idle) => return (Err(by_phase(&phase, idle)), wire.finish().1),
        };
        abandoned.what = None;

        let (answer, arguments) = wire.finish();
        let result = match (answer, response) {
            (Some(WireAnswer::Result(raw)), _) => Ok(raw),
            (Some(WireAnswer::Error(error)), _) => Err(CallError::Rejected(error)),
            (Some(WireAnswer::Fault(failure)), _) => Err(CallError::OutcomeUnknown(failure)),
            (Some(WireAnswer::NotSent(failure)), _) => Err(CallError::NotSent(failure)),
            (None, Err(ServiceError::McpError(error))) => Err(CallError::Rejected(RpcError {
                code: error.code.0.into(),
                message: error.message.into_owned(),
                data: error.data.map(|data| Json::from_value(&data)),
            })),
            (None, Err(error)) => Err(self.unanswered(&phase, &error)),
            (None, Ok(_)) => Err(CallError::OutcomeUnknown(Failure::new(
                Cause::Internal,
                "the transport dropped the answer",
            ))),
        };
        (result, arguments)
    }

    /// Waits for the client to be woken, as long as the server answers or tells of progress now and then.
    async fn wait(
        &self,
        wire: &WireCall,
        response: &mut oneshot::Receiver<Response>,
    ) -> Result<Response, Failure> {
        let limit = self.rules.idle_timeout;
        let mut deadline = Instant::now() + limit;
        loop {
            tokio::select! {
                biased;
                response = &mut *response => {
                    return Ok(response.unwrap_or(Err(ServiceError::TransportClosed)));
                }
                () = wire.progressed() => deadline = Instant::now() + limit,
                () = sleep_until(deadline) => {
                    let detail = format!("no answer and no progress for {limit:?} (limit idle_timeout; in the configuration: idle_timeout_sec)");
                    return Err(Failure::new(Cause::Timeout, detail));
                }
            }
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Sees to it that the server hears of it if this is dropped.
    pub(super) fn abandoning<'c>(&'c self, task: &str, phase: &'c Phase) -> Abandoned<'c> {
        Abandoned { what: Some(Abandonment::Task(task.to_owned())), told: self, phase }
    }

    /// Asks something that changes nothing, and measures how long the answer takes. An error is an answer too.
    pub(super) async fn round_trip(&self, era: Era) -> Result<Duration, CallError> {
        let question = match era {
            Era::Legacy => ClientRequest::PingRequest(PingRequest::default()),
            Era::Stateless => ClientRequest::ListToolsRequest(ListToolsRequest::default()),
        };
        let asked_at = Instant::now();
        match self.peer.send_request(question).await {
            Ok(_) | Err(ServiceError::McpError(_)) => Ok(asked_at.elapsed()),
            Err(error) => Err(self.unanswered(&self.phase, &error)),
        }
    }

    /// The client failed rather than the server: what the transport knows of it, else what the client says.
    fn unanswered(&self, phase: &Phase, error: &ServiceError) -> CallError {
        by_phase(
            phase,
            match self.ended.get() {
                Some(why) => why.clone(),
                None => Failure::new(Cause::SessionStopped, chain(error)),
            },
        )
    }
}

/// The error of a request without an answer. Nothing will be sent from here on.
fn by_phase(phase: &Phase, failure: Failure) -> CallError {
    if phase.abandon() { CallError::NotSent(failure) } else { CallError::OutcomeUnknown(failure) }
}

/// An error and its sources in one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // rmcp repeats the text of the source in its own.
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

/// Something that the server may be working on and that nobody waits for any more.
#[derive(Clone, Debug)]
pub(super) enum Abandonment {
    Request(RequestId),
    Task(String),
}

impl Abandonment {
    /// Tells the server.
    pub(super) async fn tell(self, peer: &Peer<RoleClient>) {
        match self {
            Self::Request(id) => {
                let notification = CancelledNotification::new(CancelledNotificationParam::new(
                    Some(id),
                    Some("nobody waits for the answer any more".to_owned()),
                ));
                let _the_transport_sees_it = peer.send_notification(notification.into()).await;
            }
            Self::Task(id) => {
                let request = CancelTaskRequest::new(CancelTaskParams::new(id));
                let request = ClientRequest::CancelTaskRequest(request);
                let _a_task_may_end_by_itself = peer.send_request(request).await;
            }
        }
    }
}

/// Tells the owner task about a call that was dropped while the server may be working on it.
pub(super) struct Abandoned<'c> {
    pub(super) what: Option<Abandonment>,
    told: &'c McpClient,
    phase: &'c Phase,
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        if let Some(what) = self.what.take()
            && !self.phase.abandon()
        {
            let _a_full_queue_means_that_the_server_does_not_listen =
                self.told.cancellations.try_send(what);
        }
    }
}
