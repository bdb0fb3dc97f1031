//! Streamable HTTP: each message is a POST, and what answers it comes in the body of the response, as one JSON text or as
//! an event stream.
//!
//! rmcp's own HTTP transport isn't used, because the things to mend lie in its worker and not behind its client trait: it
//! parses answers before anyone can see their text, resumes streams for ever, and lets a request that got `202` or
//! another id's answer wait. Here every request is an exchange of its own that ends with exactly one message
//! to the client, and its outcome is in the
//! [`WireCall`](super::WireCall) before that.
//!
//! [`endpoint`] knows the address and what goes with every request, [`access`] what to do when the server wants a token,
//! [`exchange`] is one request and its answer, [`reply`] judges what came back, [`events`] reads event streams, [`listen`]
//! holds the stream for what the server says [`unasked`].

mod access;
mod endpoint;
mod events;
mod exchange;
mod listen;
mod obstacle;
mod param_headers;
mod position;
mod reply;
#[cfg(test)]
mod script_server;
mod session_loss;
mod standard_headers;
#[cfg(test)]
mod tests;
mod unasked;

use std::{
    borrow::Cow,
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{
    RoleClient,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, JsonRpcRequest,
        RequestId, ServerJsonRpcMessage,
    },
    transport::Transport,
};
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use self::endpoint::Unusable;
use self::{
    endpoint::{Endpoint, Outgoing},
    exchange::{Caller, Exchange, Purpose},
    unasked::ToClient,
};
use super::{Ended, Phase, framing::encode::wire_call};
use crate::{
    auth::AuthRecord,
    call::{Cause, Failure},
    limits::SessionLimits,
    session::connect::HttpServer,
    task,
};

/// Makes a transport to `server`, with the headers of `auth` on every request. Nothing is sent yet.
///
/// # Errors
///
/// When the address isn't one of HTTP, or the TLS settings of this machine can't be used.
pub(crate) fn open(
    server: &HttpServer,
    auth: &AuthRecord,
    limits: &SessionLimits,
    ended: Ended,
) -> Result<HttpTransport, Unusable> {
    let (to_client, from_server) = ToClient::new(limits);
    let endpoint = Arc::new(Endpoint::new(server, auth, limits, ended)?);
    let link = Link {
        endpoint,
        to_client: Arc::new(to_client),
        running: Arc::default(),
        closing: CancellationToken::new(),
        tasks: TaskTracker::new(),
    };
    Ok(HttpTransport { link: Arc::new(link), from_server })
}

/// One connection by streamable HTTP, for rmcp's client.
pub(crate) struct HttpTransport {
    link: Arc<Link>,
    /// What the exchanges and the listener hand to the client.
    from_server: mpsc::Receiver<ServerJsonRpcMessage>,
}

/// What the transport shares with the futures that send.
struct Link {
    endpoint: Arc<Endpoint>,
    to_client: Arc<ToClient>,
    running: Arc<Mutex<HashMap<RequestId, Running>>>,
    /// Cancelled when the transport closes or is dropped; every task ends then.
    closing: CancellationToken,
    /// Counts the tasks, so that `close` can wait for them.
    tasks: TaskTracker,
}

/// An exchange under way, as a cancellation sees it.
struct Running {
    stop: CancellationToken,
    phase: Phase,
}

/// What is left to do for a message once [`Transport::send`] has returned.
enum Sending {
    /// The exchange runs; it says through this whether the server took the request, unless the call itself says so.
    Asked(Option<oneshot::Receiver<Result<(), Failure>>>),
    /// The exchange has been stopped, and a server of the older era is told if it may have seen the request.
    Cancelled(Option<Outgoing>),
    /// A notification or an answer.
    Posted(Outgoing),
    /// The notification after which the server may speak unasked.
    Initialized(Outgoing),
}

impl Transport<RoleClient> for HttpTransport {
    type Error = Failure;

    fn name() -> Cow<'static, str> {
        "streamable HTTP".into()
    }

    /// Starts an exchange for a request before it returns, so that a later cancellation always finds it.
    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Failure>> + Send + 'static {
        let link = self.link.clone();
        let sending = link.begin(message);
        async move { link.finish(sending).await }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.link.to_client.next(&mut self.from_server).await
    }

    /// Ends every exchange, then the server's session.
    async fn close(&mut self) -> Result<(), Failure> {
        self.link.close().await;
        Ok(())
    }
}

impl Drop for HttpTransport {
    fn drop(&mut self) {
        self.link.closing.cancel();
    }
}

impl Link {
    fn begin(&self, message: ClientJsonRpcMessage) -> Sending {
        self.to_client.note_sent(&message);
        if let JsonRpcMessage::Request(request) = &message {
            return self.begin_request(request, &message);
        }
        let outgoing = self.endpoint.outgoing(&message, Phase::default());
        let JsonRpcMessage::Notification(notification) = &message else {
            return Sending::Posted(outgoing);
        };
        match &notification.notification {
            ClientNotification::InitializedNotification(_) => Sending::Initialized(outgoing),
            ClientNotification::CancelledNotification(cancelled) => {
                match &cancelled.params.request_id {
                    Some(id) => Sending::Cancelled(self.stop(id).then_some(outgoing)),
                    None => Sending::Posted(outgoing),
                }
            }
            _ => Sending::Posted(outgoing),
        }
    }

    fn begin_request(
        &self,
        request: &JsonRpcRequest<ClientRequest>,
        message: &ClientJsonRpcMessage,
    ) -> Sending {
        let call = wire_call(request).cloned();
        let phase = call.as_ref().map(|call| call.phase().clone()).unwrap_or_default();
        let (caller, accepted) = match call {
            Some(call) => (Caller::Call(call), None),
            None => {
                let (accepted, server_took_it) = oneshot::channel();
                let purpose = match &request.request {
                    ClientRequest::InitializeRequest(_) => Purpose::Initialize,
                    ClientRequest::DiscoverRequest(_) => Purpose::Discover,
                    _ => Purpose::Other,
                };
                (Caller::Client { purpose, accepted: Some(accepted) }, Some(server_took_it))
            }
        };
        self.start(Exchange {
            endpoint: self.endpoint.clone(),
            to_client: self.to_client.clone(),
            id: request.id.clone(),
            outgoing: self.endpoint.outgoing(message, phase),
            caller,
        });
        Sending::Asked(accepted)
    }

    fn start(&self, exchange: Exchange) {
        let id = exchange.id.clone();
        let stop = self.closing.child_token();
        let running = Running { stop: stop.clone(), phase: exchange.outgoing.phase.clone() };
        self.running().insert(id.clone(), running);
        if let Caller::Call(call) = &exchange.caller {
            self.to_client.wait_for(id.clone(), call.clone());
        }

        let (registered, to_client) = (self.running.clone(), self.to_client.clone());
        let run = async move {
            let _dropping_the_exchange_closes_its_stream =
                stop.run_until_cancelled(exchange.run()).await;
            to_client.forget(&id);
            registered.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        };
        task::spawn("http exchange", self.tasks.track_future(run)).detach();
    }

    /// Stops the exchange `id`. Whether the server may have seen its request and has to be told.
    fn stop(&self, id: &RequestId) -> bool {
        let Some(running) = self.running().remove(id) else { return false };
        running.stop.cancel();
        !running.phase.abandon() && self.endpoint.is_legacy()
    }

    fn running(&self) -> std::sync::MutexGuard<'_, HashMap<RequestId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn finish(&self, sending: Sending) -> Result<(), Failure> {
        match sending {
            Sending::Asked(None) | Sending::Cancelled(None) => Ok(()),
            // An exchange that is gone without a word was cancelled, and the client knows that.
            Sending::Asked(Some(accepted)) => accepted.await.unwrap_or(Ok(())),
            Sending::Cancelled(Some(outgoing)) | Sending::Posted(outgoing) => {
                self.post(outgoing).await
            }
            Sending::Initialized(outgoing) => {
                self.post(outgoing).await?;
                if self.endpoint.is_legacy() {
                    self.listen();
                }
                Ok(())
            }
        }
    }

    /// Sends a message that has no answer.
    async fn post(&self, outgoing: Outgoing) -> Result<(), Failure> {
        let patience = self.endpoint.limits().http.control_timeout;
        match timeout(patience, exchange::tell(&self.endpoint, outgoing)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(Failure::new(Cause::Timeout, "the server did not take a notification")),
        }
    }

    fn listen(&self) {
        let (endpoint, to_client) = (self.endpoint.clone(), self.to_client.clone());
        let closing = self.closing.clone();
        let listen = async move {
            let _it_is_over_when_the_transport_closes =
                closing.run_until_cancelled(listen::listen(&endpoint, &to_client)).await;
        };
        task::spawn("http listener", self.tasks.track_future(listen)).detach();
    }

    async fn close(&self) {
        self.closing.cancel();
        self.tasks.close();
        let patience = self.endpoint.limits().http.control_timeout;
        let goodbye = async {
            self.tasks.wait().await;
            self.endpoint.delete_session().await;
        };
        if timeout(patience, goodbye).await.is_err() {
            tracing::debug!("the server did not take the end of the session");
        }
    }
}
