//! One request and its answer: [`Exchange`] posts the request, reads until the answer or a reason for its absence is there,
//! and hands the client exactly one message for it.

use std::sync::Arc;

use http::StatusCode;
use reqwest::Response;
use rmcp::{
    ErrorData,
    model::{
        EmptyResult, ErrorCode, JsonRpcMessage, RequestId, ServerJsonRpcMessage, ServerResult,
    },
    service::InboundStreamOrigin,
};
use tokio::sync::oneshot;

use super::{
    endpoint::{Endpoint, Outgoing},
    events::EventStream,
    position::Position,
    reply::{self, NoAnswer, Promise, Rejection},
    session_loss::{is_session_lost, lose_session, session_lives},
    unasked::ToClient,
};
use crate::{
    call::{Cause, Failure, RpcError},
    session::{
        story::Obstacle,
        transport::{WireAnswer, WireCall, framing::envelope::Frame},
    },
};

/// One request on its way to its answer.
pub(super) struct Exchange {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) to_client: Arc<ToClient>,
    pub(super) id: RequestId,
    pub(super) outgoing: Outgoing,
    pub(super) caller: Caller,
}

/// Who waits for the answer.
pub(super) enum Caller {
    /// A tool call: it takes the answer as the wire brought it, and the client is only woken.
    Call(WireCall),
    /// The client itself: it wants the answer parsed.
    Client {
        purpose: Purpose,
        /// The future that sends waits here for the head of the response; dropped without a word when the exchange is
        /// stopped.
        accepted: Option<oneshot::Sender<Result<(), Failure>>>,
    },
}

/// What the client asks for, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The handshake of the older era; the answer names the session.
    Initialize,
    /// The beginning of the newer era, which older servers refuse.
    Discover,
    Other,
}

/// An answer, and the stream that it came on.
type Answered = (WireAnswer, Option<EventStream>);

impl Exchange {
    /// Runs to the end. Dropping the future closes the response stream, which tells a server of the 2026-07-28 revision
    /// that nobody waits any more.
    pub(super) async fn run(mut self) {
        let linger = self.endpoint.limits().http.linger;
        let (outcome, stream) = match self.ask().await {
            Ok((answer, stream)) => (Ok(answer), stream),
            Err(no_answer) => (Err(no_answer), None),
        };
        self.finish(outcome).await;
        if let Some(stream) = stream {
            stream.linger(linger).await;
        }
    }

    async fn ask(&mut self) -> Result<Answered, NoAnswer> {
        let why_not = self.endpoint.ended().get().or(self.outgoing.objection.as_ref());
        if let Some(why_not) = why_not {
            return Err(NoAnswer::by_phase(&self.outgoing.phase, why_not.clone()));
        }
        let response = self.endpoint.post(&self.outgoing).await?;
        if self.is_for(Purpose::Initialize) && response.status().is_success() {
            self.endpoint.note_session(response.headers());
        }
        let promise =
            reply::promise(response, self.endpoint.limits()).await.inspect_err(|no_answer| {
                self.endpoint.ended().note(Obstacle::NotMcp, no_answer.detail())
            })?;
        match promise {
            Promise::Json(response) => {
                self.accept();
                self.read_json(response)
                    .await
                    .map(|answer| (answer, None))
                    .map_err(NoAnswer::Unknown)
            }
            Promise::Events(response) => {
                self.accept();
                let (answer, stream) = self.follow(response).await.map_err(NoAnswer::Unknown)?;
                Ok((answer, Some(stream)))
            }
            Promise::Rejected(rejection) => {
                self.judge(rejection).await.map(|answer| (answer, None))
            }
        }
    }

    fn is_for(&self, asked: Purpose) -> bool {
        matches!(&self.caller, Caller::Client { purpose, .. } if *purpose == asked)
    }

    /// The server took the request.
    fn accept(&mut self) {
        if let Caller::Client { accepted, .. } = &mut self.caller
            && let Some(accepted) = accepted.take()
        {
            let _the_client_may_have_gone = accepted.send(Ok(()));
        }
    }

    async fn read_json(&self, response: Response) -> Result<WireAnswer, Failure> {
        let text = reply::json_body(response, self.endpoint.limits()).await?;
        if text.trim_ascii().is_empty() {
            return Err(violation("an empty body instead of an answer"));
        }
        self.answer_in(self.frame(&text))
    }

    fn frame<'t>(&self, text: &'t [u8]) -> Frame<'t> {
        Frame::read(text.trim_ascii(), self.endpoint.limits().max_nesting)
    }

    fn answer_in(&self, frame: Frame<'_>) -> Result<WireAnswer, Failure> {
        match frame {
            Frame::Result { id, result } if id == self.id => {
                Ok(WireAnswer::Result(result.to_owned()))
            }
            Frame::Error { id: Some(id), error } if id == self.id => Ok(WireAnswer::Error(error)),
            // Nothing else travels in this exchange, so an error without an id is about this request.
            Frame::Error { id: None, error } => Ok(WireAnswer::Error(error)),
            Frame::Result { .. } | Frame::Error { .. } => {
                Err(violation("an answer to another request"))
            }
            Frame::Notification { method } | Frame::Request { method, .. } => {
                Err(violation(format!("{method} instead of an answer")))
            }
            Frame::Broken { why, .. } => Err(violation(format!("not an MCP message: {why}"))),
            Frame::Noise => Err(violation("not a JSON-RPC message")),
        }
    }

    /// Reads an event stream, and its continuations, until the answer comes.
    async fn follow(&self, response: Response) -> Result<(WireAnswer, EventStream), Failure> {
        let mut position = Position::new(&self.endpoint.limits().http);
        let mut stream = self.events(response);
        loop {
            let why = match self.read_events(&mut stream, &mut position).await {
                Ok(Some(answer)) => return Ok((answer, stream)),
                Ok(None) => {
                    Failure::new(Cause::SessionStopped, "the event stream ended without the answer")
                }
                Err(failure) => failure,
            };
            stream = self.resume(why, &mut position).await?;
        }
    }

    fn events(&self, response: Response) -> EventStream {
        EventStream::new(
            response,
            self.endpoint.limits().max_message_bytes,
            self.endpoint.silence(),
        )
    }

    async fn read_events(
        &self,
        stream: &mut EventStream,
        position: &mut Position,
    ) -> Result<Option<WireAnswer>, Failure> {
        while let Some(event) = stream.next().await? {
            position.note(&event);
            if !event.is_message() {
                continue;
            }
            match self.frame(&event.data) {
                Frame::Notification { method } => self.to_client.notify(method, &event.data).await,
                Frame::Request { method, .. } => {
                    let origin = InboundStreamOrigin::OutboundRequest(self.id.clone());
                    self.to_client.ask(method, &event.data, origin).await;
                }
                frame => return self.answer_in(frame).map(Some),
            }
        }
        Ok(None)
    }

    /// Asks for the rest of a stream that ended because of `why`, as often as the limit allows.
    async fn resume(&self, why: Failure, position: &mut Position) -> Result<EventStream, Failure> {
        let is_worth_it = matches!(why.cause, Cause::SessionStopped | Cause::Timeout);
        if !is_worth_it || !self.endpoint.is_legacy() {
            return Err(why);
        }
        while position.last_event().is_some() && position.take_attempt() {
            tokio::time::sleep(position.pause()).await;
            let Ok(response) = self.endpoint.get(position.last_event()).await else { continue };
            if reply::is_event_stream(&response) {
                return Ok(self.events(response));
            }
            let status = response.status();
            if status == StatusCode::NOT_FOUND && !session_lives(&self.endpoint).await {
                return Err(lose_session(&self.endpoint, "HTTP 404 to a resumption"));
            }
            if status.is_client_error() {
                let detail =
                    format!("{}, and HTTP {} to its resumption", why.detail, status.as_u16());
                return Err(Failure::new(why.cause, detail));
            }
        }
        Err(match position.attempts() {
            0 => why,
            attempts => Failure::new(
                why.cause,
                format!("{}, and {attempts} resumptions brought nothing", why.detail),
            ),
        })
    }

    /// What a refusal means: a lost session, an answer, or no answer.
    async fn judge(&self, rejection: Rejection) -> Result<WireAnswer, NoAnswer> {
        self.endpoint.ended().note(rejection.obstacle(), &rejection.detail);
        if is_session_lost(&self.endpoint, &self.id, &rejection).await {
            // Before the end is said, so that whoever hears of it finds the truth about this call.
            self.outgoing.phase.refuse();
            return Err(NoAnswer::NotSent(lose_session(&self.endpoint, &rejection.detail)));
        }
        if rejection.is_about_access() {
            self.outgoing.phase.refuse();
            return Err(NoAnswer::NotSent(rejection.failure()));
        }
        let failure = rejection.failure();
        let is_before_execution = rejection.is_before_execution();
        match rejection.error {
            Some((_, error)) => Ok(WireAnswer::Error(error)),
            // A server of the older era may say in any such way that it doesn't know the method.
            None if is_before_execution && self.is_for(Purpose::Discover) => {
                Ok(WireAnswer::Error(RpcError {
                    code: ErrorCode::INVALID_REQUEST.0.into(),
                    message: failure.detail,
                    data: None,
                }))
            }
            None if is_before_execution => {
                self.outgoing.phase.refuse();
                Err(NoAnswer::NotSent(failure))
            }
            None => Err(NoAnswer::Unknown(failure)),
        }
    }

    async fn finish(self, outcome: Result<WireAnswer, NoAnswer>) {
        let message = match (self.caller, outcome) {
            (Caller::Call(call), outcome) => {
                self.to_client.forget(&self.id);
                call.answer(outcome.unwrap_or_else(WireAnswer::from));
                let nothing = ServerResult::EmptyResult(EmptyResult {});
                JsonRpcMessage::response(nothing, self.id)
            }
            (Caller::Client { accepted: Some(accepted), .. }, Err(no_answer)) => {
                let _the_client_may_have_gone = accepted.send(Err(no_answer.failure()));
                return;
            }
            (Caller::Client { purpose, accepted }, outcome) => {
                if let Some(accepted) = accepted {
                    let _the_client_may_have_gone = accepted.send(Ok(()));
                }
                parsed(&self.endpoint, self.id, purpose, outcome)
            }
        };
        self.to_client.answer(message).await;
    }
}

/// An answer for the client itself.
fn parsed(
    endpoint: &Endpoint,
    id: RequestId,
    purpose: Purpose,
    outcome: Result<WireAnswer, NoAnswer>,
) -> ServerJsonRpcMessage {
    let failure = match outcome.map_err(NoAnswer::failure) {
        Ok(WireAnswer::Result(raw)) => match serde_json::from_str::<ServerResult>(raw.get()) {
            // Some servers of the older era have a friendly word for every method that they don't know.
            Ok(result)
                if purpose == Purpose::Discover
                    && !matches!(result, ServerResult::DiscoverResult(_)) =>
            {
                violation("an answer to server/discover that discovers nothing")
            }
            Ok(mut result) => {
                match &mut result {
                    ServerResult::InitializeResult(agreed) => {
                        endpoint.note_version(agreed.protocol_version.clone());
                    }
                    ServerResult::ListToolsResult(list) => endpoint.note_tools(&mut list.tools),
                    _ => {}
                }
                return JsonRpcMessage::response(result, id);
            }
            Err(error) => violation(format!("a result of another shape: {error}")),
        },
        Ok(WireAnswer::Error(RpcError { code, message, data })) => {
            let code = ErrorCode(i32::try_from(code).unwrap_or(i32::MIN));
            let data = data.and_then(|data| serde_json::from_str(data.as_str()).ok());
            return JsonRpcMessage::error(ErrorData::new(code, message, data), Some(id));
        }
        Ok(WireAnswer::Fault(failure) | WireAnswer::NotSent(failure)) | Err(failure) => failure,
    };
    JsonRpcMessage::error(ErrorData::internal_error(failure.to_string(), None), Some(id))
}

/// Sends a message that has no answer.
pub(super) async fn tell(endpoint: &Endpoint, outgoing: Outgoing) -> Result<(), Failure> {
    if let Some(why) = endpoint.ended().get() {
        return Err(why.clone());
    }
    let response = endpoint.post(&outgoing).await.map_err(NoAnswer::failure)?;
    if response.status().is_success() {
        return Ok(());
    }
    let rejection = reply::rejection(response, endpoint.limits()).await;
    endpoint.ended().note(rejection.obstacle(), &rejection.detail);
    if rejection.status == StatusCode::NOT_FOUND && endpoint.has_session() {
        return Err(lose_session(endpoint, &rejection.detail));
    }
    Err(rejection.failure())
}

fn violation(detail: impl Into<String>) -> Failure {
    Failure::new(Cause::ProtocolViolation, detail)
}
