//! [`McpClient`]: what a callable gets to see of the MCP client.
//!
//! It exists only inside the owner task, for the time of one operation. It is neither `Clone` nor constructible elsewhere,
//! and hands out nothing that is.

use std::time::Duration;

use rmcp::{
    Peer, RoleClient, ServiceError,
    model::{
        CallToolRequest, CallToolRequestParams, ClientRequest, ListToolsRequest, PingRequest,
        RequestId,
    },
    service::PeerRequestOptions,
};
use tokio::{sync::mpsc, time::Instant};

use super::{
    convert,
    story::Era,
    transport::{Ended, Phase, WireAnswer, WireCall},
};
use crate::call::{CallError, Cause, Failure, Json, RpcError, ToolCallResult};

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
    cancellations: mpsc::Sender<RequestId>,
}

impl McpClient {
    pub(super) fn new(
        peer: Peer<RoleClient>,
        phase: Phase,
        ended: Ended,
        cancellations: mpsc::Sender<RequestId>,
    ) -> Self {
        Self { peer, phase, ended, cancellations }
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
        let wire = WireCall::new(arguments, self.phase.clone());
        let mut request = CallToolRequest::new(CallToolRequestParams::new(tool.to_owned()));
        request.extensions.insert(wire.clone());

        let handle = self
            .peer
            .send_request_with_option(
                ClientRequest::CallToolRequest(request),
                PeerRequestOptions::no_options(),
            )
            .await
            .map_err(|error| self.unanswered(&error))?;
        let mut abandoned =
            Abandoned { id: Some(handle.id), told: &self.cancellations, phase: &self.phase };
        let response = handle.rx.await.unwrap_or(Err(ServiceError::TransportClosed));
        abandoned.id = None;

        match (wire.take_answer(), response) {
            (Some(WireAnswer::Result(raw)), _) => {
                convert::result_from_wire(&raw).map_err(CallError::OutcomeUnknown)
            }
            (Some(WireAnswer::Error(error)), _) => Err(CallError::Rejected(error)),
            (Some(WireAnswer::Fault(failure)), _) => Err(CallError::OutcomeUnknown(failure)),
            (Some(WireAnswer::NotSent(failure)), _) => Err(CallError::NotSent(failure)),
            (None, Err(ServiceError::McpError(error))) => Err(CallError::Rejected(RpcError {
                code: error.code.0.into(),
                message: error.message.into_owned(),
                data: error.data.map(|data| Json::from_value(&data)),
            })),
            (None, Err(error)) => Err(self.unanswered(&error)),
            (None, Ok(_)) => Err(CallError::OutcomeUnknown(Failure::new(
                Cause::Internal,
                "the transport dropped the answer",
            ))),
        }
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
            Err(error) => Err(self.unanswered(&error)),
        }
    }

    /// The client failed rather than the server: what the transport knows of it, else what the client says.
    fn unanswered(&self, error: &ServiceError) -> CallError {
        let failure = match self.ended.get() {
            Some(why) => why.clone(),
            None => Failure::new(Cause::SessionStopped, chain(error)),
        };
        if self.phase.abandon() {
            CallError::NotSent(failure)
        } else {
            CallError::OutcomeUnknown(failure)
        }
    }
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

/// Tells the owner task about a call that was dropped while the server may be working on it.
struct Abandoned<'c> {
    id: Option<RequestId>,
    told: &'c mpsc::Sender<RequestId>,
    phase: &'c Phase,
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take()
            && !self.phase.abandon()
        {
            let _a_full_queue_means_that_the_server_does_not_listen = self.told.try_send(id);
        }
    }
}
