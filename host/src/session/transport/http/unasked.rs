//! What the server says beside answers, and how it gets to the client: thinned out, and never more than waits there.

use std::{
    future::poll_fn,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rmcp::{
    model::{ClientJsonRpcMessage, GetExtensions, JsonRpcMessage, RequestId, ServerJsonRpcMessage},
    service::InboundStreamOrigin,
};
use tokio::sync::{Notify, mpsc};

use crate::{
    limits::SessionLimits,
    session::transport::{
        WireCall,
        framing::traffic::{Traffic, Verdict, list_changed},
        progress_token,
    },
};

/// The way from the streams of a connection to its client.
pub(super) struct ToClient {
    /// The client reads the other end; while it is full, streams wait.
    messages: mpsc::Sender<ServerJsonRpcMessage>,
    traffic: Mutex<Traffic>,
    /// The calls that wait for their answers, for the server's word that it works on them.
    calls: Mutex<Vec<(RequestId, WireCall)>>,
    /// Tells the reader that the traffic holds something back whose time it has to wait for.
    held_back: Notify,
}

impl ToClient {
    pub(super) fn new(limits: &SessionLimits) -> (Self, mpsc::Receiver<ServerJsonRpcMessage>) {
        let (messages, reader) = mpsc::channel(limits.http.max_unread);
        let traffic = Mutex::new(Traffic::new(limits));
        (Self { messages, traffic, calls: Mutex::default(), held_back: Notify::new() }, reader)
    }

    /// A call begins to wait.
    pub(super) fn wait_for(&self, id: RequestId, call: WireCall) {
        self.calls().push((id, call));
    }

    /// Nobody waits for the answer to it any more, call or not.
    pub(super) fn forget(&self, id: &RequestId) {
        self.calls().retain(|(waiting, _)| waiting != id);
    }

    /// Hands over the message that ends an exchange.
    pub(super) async fn answer(&self, message: ServerJsonRpcMessage) {
        let _the_client_may_have_gone = self.messages.send(message).await;
    }

    /// Hands over a notification, unless it is of no use or one of too many.
    pub(super) async fn notify(&self, method: &str, text: &[u8]) {
        if method == "notifications/progress" {
            if let Some(token) = progress_token(text) {
                self.calls().iter().for_each(|(_, call)| call.hear_progress(&token));
            }
            return;
        }
        let verdict = self.traffic().judge_notification(method);
        if verdict == Verdict::Drop {
            self.held_back.notify_one();
            return;
        }
        self.pass(method, text, None).await;
    }

    /// Hands over a request of the server that came on the stream `origin`.
    pub(super) async fn ask(&self, method: &str, text: &[u8], origin: InboundStreamOrigin) {
        self.pass(method, text, Some(origin)).await;
    }

    async fn pass(&self, method: &str, text: &[u8], origin: Option<InboundStreamOrigin>) {
        let mut message = match serde_json::from_slice::<ServerJsonRpcMessage>(text) {
            Ok(message) => message,
            Err(error) => {
                tracing::debug!(method, %error, "the server sent something that the client can't read");
                return;
            }
        };
        if let (JsonRpcMessage::Request(request), Some(origin)) = (&mut message, origin) {
            request.request.extensions_mut().insert(origin);
        }
        let admitted = self.traffic().admit(&message);
        match admitted {
            Ok(()) => self.answer(message).await,
            Err((_, why)) => tracing::debug!(method, why, "a request of the server is dropped"),
        }
    }

    /// Looks at what the client sends.
    pub(super) fn note_sent(&self, message: &ClientJsonRpcMessage) {
        self.traffic().note_sent(message);
    }

    /// The next message for the client.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(super) async fn next(
        &self,
        reader: &mut mpsc::Receiver<ServerJsonRpcMessage>,
    ) -> Option<ServerJsonRpcMessage> {
        loop {
            let list_change = poll_fn(|cx| self.traffic().poll_list_change(cx));
            tokio::select! {
                biased;
                message = reader.recv() => return message,
                () = list_change => return Some(list_changed()),
                () = self.held_back.notified() => {}
            }
        }
    }

    fn calls(&self) -> MutexGuard<'_, Vec<(RequestId, WireCall)>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn traffic(&self) -> MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
