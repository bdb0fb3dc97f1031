//! The reading side: decides for each frame who gets it.

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use rmcp::{
    RoleClient,
    model::{
        EmptyResult, ErrorCode, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
        ServerResult,
    },
    service::RxJsonRpcMessage,
};
use serde_json::value::RawValue;
use tokio::io::AsyncWrite;

use crate::{
    call::{Cause, Failure, RpcError},
    limits::SessionLimits,
    session::transport::{
        WireAnswer, WireCall,
        framing::{
            closing::End,
            encode::Outgoing,
            envelope::Frame,
            outbox::{Outbox, Sending},
            salvage::IdScan,
            traffic::{Traffic, Verdict, is_served},
            waiting::{OnlyRequest, Waiting},
        },
        progress_token,
    },
};

/// What the reading side of one connection remembers.
#[derive(Debug)]
pub(super) struct Inbox<W> {
    /// Messages for rmcp.
    pub(super) ready: VecDeque<RxJsonRpcMessage<RoleClient>>,
    pub(super) traffic: Traffic,
    outbox: Arc<Outbox<W>>,
    waiting: Arc<Waiting>,
    limits: SessionLimits,
    /// The transport's own answers to the server, on their way.
    replies: VecDeque<Sending<W>>,
    bad_in_a_row: usize,
    unclaimed: u64,
}

impl<W: AsyncWrite + Unpin> Inbox<W> {
    pub(super) fn new(
        outbox: Arc<Outbox<W>>,
        waiting: Arc<Waiting>,
        limits: &SessionLimits,
    ) -> Self {
        Self {
            ready: VecDeque::new(),
            traffic: Traffic::new(limits),
            outbox,
            waiting,
            limits: limits.clone(),
            replies: VecDeque::new(),
            bad_in_a_row: 0,
            unclaimed: 0,
        }
    }

    /// Writes the transport's own answers.
    pub(super) fn poll_replies(&mut self, cx: &mut Context<'_>) {
        while let Some(reply) = self.replies.front_mut() {
            match Pin::new(reply).poll(cx) {
                Poll::Pending => return,
                // A reply that can't be written is no loss: the end of the connection is seen elsewhere.
                Poll::Ready(_) => self.replies.pop_front(),
            };
        }
    }

    /// Takes one line.
    ///
    /// # Errors
    ///
    /// When the connection is to end.
    pub(super) fn take_line(&mut self, line: &[u8]) -> Result<(), End> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return Ok(());
        }
        let frame = Frame::read(line, self.limits.max_nesting);
        if !matches!(frame, Frame::Broken { .. } | Frame::Noise) {
            self.bad_in_a_row = 0;
        }
        match frame {
            Frame::Result { id, result } => self.take_result(id, result, line),
            Frame::Error { id: Some(id), error } => self.take_error(&id, error),
            Frame::Error { id: None, error } => self.take_error_for_nobody(error),
            Frame::Notification { method } => self.take_notification(method, line),
            Frame::Request { id, method } => self.take_request(id, method, line),
            Frame::Broken { why, ids } => {
                self.blame(&ids, &Failure::new(Cause::ProtocolViolation, broken_frame(&why)));
                return self.count_bad(why);
            }
            Frame::Noise => {
                tracing::debug!(bytes = line.len(), "the server wrote a line that is no message");
                return self.count_bad("it is no JSON-RPC message".to_owned());
            }
        }
        Ok(())
    }

    /// Takes what a stream ends with that ends without the end of a line: an answer if it is whole, else nothing.
    pub(super) fn take_last_words(&mut self, rest: &[u8]) {
        let rest = rest.trim_ascii();
        match Frame::read(rest, self.limits.max_nesting) {
            Frame::Result { id, result } => self.take_result(id, result, rest),
            Frame::Error { id: Some(id), error } => self.take_error(&id, error),
            _ => {}
        }
    }

    /// Takes what is known of a line that was too big to keep.
    ///
    /// # Errors
    ///
    /// When the connection is to end.
    pub(super) fn take_oversized(&mut self, scan: &IdScan) -> Result<(), End> {
        let why = format!("it has more than {} bytes", self.limits.max_message_bytes);
        if scan.may_be_an_answer() {
            let detail = format!("the server sent an answer that is too large: {why}");
            self.blame(scan.answered_ids(), &Failure::new(Cause::TooLarge, detail));
        }
        self.count_bad(why)
    }

    fn take_result(&mut self, id: RequestId, result: &RawValue, line: &[u8]) {
        match self.waiting.take(&id) {
            Some(Some(call)) => {
                call.answer(WireAnswer::Result(result.to_owned()));
                self.wake_with_result(id);
            }
            Some(None) => match serde_json::from_slice::<ServerJsonRpcMessage>(line) {
                Ok(message) => self.ready.push_back(message),
                Err(error) => self.wake_with_error(id, -32603, broken_frame(&error.to_string())),
            },
            None => self.drop_unclaimed(&id),
        }
    }

    fn take_error(&mut self, id: &RequestId, error: RpcError) {
        match self.waiting.take(id) {
            Some(call) => self.answer_error(id.clone(), call, error),
            None => self.drop_unclaimed(id),
        }
    }

    fn take_error_for_nobody(&mut self, error: RpcError) {
        // Only these two may lack an id, as the request couldn't be read.
        let is_about_reading = [ErrorCode::PARSE_ERROR, ErrorCode::INVALID_REQUEST]
            .iter()
            .any(|code| i64::from(code.0) == error.code);
        if !is_about_reading && self.waiting.forgive_notification() {
            tracing::debug!(%error, "the server answered a notification");
            return;
        }
        match self.waiting.only() {
            OnlyRequest::Certain(id) => {
                if let Some(call) = self.waiting.take(&id) {
                    self.answer_error(id, call, error);
                }
            }
            OnlyRequest::Likely(_) | OnlyRequest::No => {
                let detail = format!("the server sent an error without an id: {error}");
                self.blame(&[], &Failure::new(Cause::ProtocolViolation, detail));
            }
        }
    }

    fn answer_error(&mut self, id: RequestId, call: Option<WireCall>, error: RpcError) {
        // rmcp's codes have 32 bits. One that doesn't fit is lost there, and kept for tool calls.
        let code = i32::try_from(error.code).unwrap_or(ErrorCode::INTERNAL_ERROR.0);
        match call {
            Some(call) => {
                self.wake_with_error(id, code, error.message.clone());
                call.answer(WireAnswer::Error(error));
            }
            None => {
                let data = error.data.and_then(|data| serde_json::from_str(data.as_str()).ok());
                let data = ErrorData::new(ErrorCode(code), error.message, data);
                self.ready.push_back(JsonRpcMessage::error(data, Some(id)));
            }
        }
    }

    /// Ends the requests that a useless frame was the answer to.
    fn blame(&mut self, ids: &[RequestId], failure: &Failure) {
        let ids = match (ids, self.waiting.only()) {
            ([], OnlyRequest::Certain(id) | OnlyRequest::Likely(id)) => vec![id],
            ([], OnlyRequest::No) => self.waiting.ids(),
            (ids, _) => ids.to_vec(),
        };
        for id in ids {
            match self.waiting.take(&id) {
                Some(call) => {
                    if let Some(call) = call {
                        call.answer(WireAnswer::Fault(failure.clone()));
                    }
                    self.wake_with_error(id, ErrorCode::INTERNAL_ERROR.0, failure.detail.clone());
                }
                None => self.drop_unclaimed(&id),
            }
        }
    }

    fn take_notification(&mut self, method: &str, line: &[u8]) {
        if method == "notifications/progress" {
            if let Some(token) = progress_token(line) {
                self.waiting.hear_progress(&token);
            }
            return;
        }
        if self.traffic.judge_notification(method) == Verdict::Drop {
            return;
        }
        match serde_json::from_slice::<ServerJsonRpcMessage>(line) {
            Ok(message) => {
                if self.traffic.admit(&message).is_ok() {
                    self.ready.push_back(message);
                }
            }
            Err(error) => tracing::debug!(method, %error, "the server sent a broken notification"),
        }
    }

    fn take_request(&mut self, id: &RawValue, method: &str, line: &[u8]) {
        if !is_served(method) {
            return self.refuse(id, ErrorCode::METHOD_NOT_FOUND.0, "method not found");
        }
        // Before the message is read, because a flood of them would take all the time there is.
        if self.traffic.is_full() {
            return self.refuse(id, -32000, "too many requests at once");
        }
        match serde_json::from_slice::<ServerJsonRpcMessage>(line) {
            Ok(message) => match self.traffic.admit(&message) {
                Ok(()) => self.ready.push_back(message),
                Err((code, why)) => self.refuse(id, code, why),
            },
            Err(error) => {
                tracing::debug!(method, %error, "the server sent a broken request");
                self.refuse(id, ErrorCode::INVALID_PARAMS.0, "invalid params");
            }
        }
    }

    /// Answers the server's request without rmcp.
    fn refuse(&mut self, id: &RawValue, code: i32, message: &'static str) {
        if self.replies.len() >= self.limits.max_server_requests {
            tracing::debug!(code, "the server asks faster than it reads; a refusal is dropped");
            return;
        }
        let id = id.get();
        let reply = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{message}"}}}}"#
        );
        self.replies.push_back(self.outbox.send(Outgoing::Reply(reply.into_bytes())));
    }

    fn wake_with_result(&mut self, id: RequestId) {
        let empty = ServerResult::EmptyResult(EmptyResult {});
        self.ready.push_back(JsonRpcMessage::response(empty, id));
    }

    fn wake_with_error(&mut self, id: RequestId, code: i32, detail: String) {
        let data = ErrorData::new(ErrorCode(code), detail, None);
        self.ready.push_back(JsonRpcMessage::error(data, Some(id)));
    }

    fn drop_unclaimed(&mut self, id: &RequestId) {
        self.unclaimed += 1;
        tracing::debug!(%id, unclaimed = self.unclaimed, "nobody waits for this answer");
    }

    fn count_bad(&mut self, why: String) -> Result<(), End> {
        self.bad_in_a_row += 1;
        if self.bad_in_a_row >= self.limits.max_bad_frames { Err(End::Babble(why)) } else { Ok(()) }
    }
}

fn broken_frame(why: &str) -> String {
    format!("the server sent a frame that is not MCP: {why}")
}
