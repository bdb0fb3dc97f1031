//! What a server may say without being asked, and how much of it: its notifications and its own requests.
//!
//! rmcp starts a task for each of either and logs it, so what a client of tools has no use for ends here, and a flood of
//! the rest is thinned out. Answers are never held up by it.

use std::{
    collections::HashSet,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use rmcp::{
    RoleClient,
    model::{JsonRpcMessage, RequestId, ServerNotification, ToolListChangedNotification},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::limits::SessionLimits;

/// What is to be done with a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Pass,
    Drop,
}

/// How much the server has said unasked.
#[derive(Debug)]
pub(crate) struct Traffic {
    interval: Duration,
    max_requests: usize,
    last_list_change: Option<Instant>,
    /// A change of the tool list that came too soon after the last one. It must not get lost.
    list_change_due: Option<Pin<Box<Sleep>>>,
    /// The server's requests that rmcp has and hasn't answered.
    serving: HashSet<RequestId>,
}

/// The server's methods that rmcp or the owner of the session can answer.
const SERVED: [&str; 4] = ["ping", "elicitation/create", "roots/list", "sampling/createMessage"];

impl Traffic {
    pub(crate) fn new(limits: &SessionLimits) -> Self {
        Self {
            interval: limits.notification_interval,
            max_requests: limits.max_server_requests,
            last_list_change: None,
            list_change_due: None,
            serving: HashSet::new(),
        }
    }

    pub(crate) fn judge_notification(&mut self, method: &str) -> Verdict {
        match method {
            "notifications/tools/list_changed" => self.judge_list_change(),
            "notifications/cancelled" if !self.serving.is_empty() => Verdict::Pass,
            _ => Verdict::Drop,
        }
    }

    fn judge_list_change(&mut self) -> Verdict {
        let now = Instant::now();
        let Some(earliest) = self.last_list_change.map(|last| last + self.interval) else {
            self.last_list_change = Some(now);
            return Verdict::Pass;
        };
        if now >= earliest && self.list_change_due.is_none() {
            self.last_list_change = Some(now);
            return Verdict::Pass;
        }
        self.list_change_due.get_or_insert_with(|| Box::pin(sleep_until(earliest)));
        Verdict::Drop
    }

    /// Waits for the time of a change of the tool list that was held back.
    pub(crate) fn poll_list_change(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(due) = &mut self.list_change_due else { return Poll::Pending };
        std::task::ready!(due.as_mut().poll(cx));
        self.list_change_due = None;
        self.last_list_change = Some(Instant::now());
        Poll::Ready(())
    }

    /// Whether rmcp has as many of the server's requests as it may have.
    pub(super) fn is_full(&self) -> bool {
        self.serving.len() >= self.max_requests
    }

    /// Looks at what passes to rmcp.
    ///
    /// # Errors
    ///
    /// With a code and a message of JSON-RPC when the server's request is refused.
    pub(crate) fn admit(
        &mut self,
        message: &RxJsonRpcMessage<RoleClient>,
    ) -> Result<(), (i32, &'static str)> {
        match message {
            JsonRpcMessage::Request(request) if !self.serving.insert(request.id.clone()) => {
                Err((-32600, "this id is in use already"))
            }
            JsonRpcMessage::Notification(notification) => {
                // rmcp won't answer what the server takes back.
                if let ServerNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.serving.remove(id);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Looks at what rmcp sends.
    pub(crate) fn note_sent(&mut self, message: &TxJsonRpcMessage<RoleClient>) {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        if let Some(id) = id {
            self.serving.remove(id);
        }
    }
}

/// Whether anybody here could answer the server's request.
pub(super) fn is_served(method: &str) -> bool {
    SERVED.contains(&method)
}

/// The notification that was held back.
pub(crate) fn list_changed() -> RxJsonRpcMessage<RoleClient> {
    JsonRpcMessage::notification(ServerNotification::ToolListChangedNotification(
        ToolListChangedNotification::default(),
    ))
}
