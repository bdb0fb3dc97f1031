//! One request and its answer: [`Exchange`] posts the request, reads until the answer or a reason for its absence is there,
//! and hands the client exactly one message for it.

use std::sync::Arc;

use http::StatusCode;
use reqwest::Response;
use rmcp::{
    ErrorData,
    model::{
        CallToolResult, ClientRequest, ErrorCode, GetExtensions, JsonRpcMessage, RequestId,
        ServerJsonRpcMessage, ServerResult,
    },
    service::InboundStreamOrigin,
};
use tokio::sync::{mpsc, oneshot};

use super::{
    endpoint::{Endpoint, Outgoing},
    envelope::{self, Message},
    events::EventStream,
    position::Position,
    reply::{self, NoAnswer, Promise, Rejection},
    session_loss::{is_session_lost, lose_session, session_lives},
};
use crate::{
    call::{Cause, Failure, RpcError},
    session::transport::{WireAnswer, WireCall},
};

/// One request on its way to its answer.
pub(super) struct Exchange {
    pub(super) endpoint: Arc<Endpoint>,
    /// The client reads the other end.
    pub(super) to_client: mpsc::Sender<ServerJsonRpcMessage>,
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
        request: ClientRequest,
        /// The future that sends waits here for the head of the response; dropped without a word when the exchange is
        /// stopped.
        accepted: Option<oneshot::Sender<Result<(), Failure>>>,
    },
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
        if let Some(why) = self.endpoint.ended().get() {
            return Err(NoAnswer::by_phase(&self.outgoing.phase, why.clone()));
        }
        let response = self.endpoint.post(&self.outgoing).await?;
        if self.is_initialize() && response.status().is_success() {
            self.endpoint.note_session(response.headers());
        }
        match reply::promise(response, self.endpoint.limits()).await? {
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

    fn is_initialize(&self) -> bool {
        matches!(&self.caller, Caller::Client { request: ClientRequest::InitializeRequest(_), .. })
    }

    fn is_discover(&self) -> bool {
        matches!(&self.caller, Caller::Client { request: ClientRequest::DiscoverRequest(_), .. })
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
        match self.read_message(&text)? {
            Some(answer) => Ok(answer),
            None => Err(violation("a body that is no answer")),
        }
    }

    /// The answer in a message; `None` when it is a request or a notification.
    fn read_message(&self, text: &[u8]) -> Result<Option<WireAnswer>, Failure> {
        match envelope::read(text) {
            Err(malformed) => Err(violation(malformed.to_string())),
            Ok(Message::Other) => Ok(None),
            // Nothing else travels in this exchange, so an error without an id is about this request.
            Ok(Message::Answer(None, answer @ WireAnswer::Error(_))) => Ok(Some(answer)),
            Ok(Message::Answer(Some(id), answer)) if envelope::is_answer_to(&self.id, &id) => {
                Ok(Some(answer))
            }
            Ok(Message::Answer(..)) => Err(violation("an answer to another request")),
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
            match self.read_message(&event.data)? {
                Some(answer) => return Ok(Some(answer)),
                None => {
                    let origin = InboundStreamOrigin::OutboundRequest(self.id.clone());
                    forward(&self.to_client, &event.data, origin).await;
                }
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
            None if is_before_execution && self.is_discover() => Ok(WireAnswer::Error(RpcError {
                code: ErrorCode::INVALID_REQUEST.0.into(),
                message: failure.detail,
                data: None,
            })),
            None if is_before_execution => {
                self.outgoing.phase.refuse();
                Err(NoAnswer::NotSent(failure))
            }
            None => Err(NoAnswer::Unknown(failure)),
        }
    }

    async fn finish(mut self, outcome: Result<WireAnswer, NoAnswer>) {
        let to_client = self.to_client.clone();
        let message = match self.caller {
            Caller::Call(call) => {
                call.answer(outcome.unwrap_or_else(WireAnswer::from));
                JsonRpcMessage::response(CallToolResult::success(Vec::new()).into(), self.id)
            }
            Caller::Client { accepted: Some(accepted), .. } if outcome.is_err() => {
                let failure = outcome.err().map(NoAnswer::failure).unwrap_or_else(|| violation(""));
                let _the_client_may_have_gone = accepted.send(Err(failure));
                return;
            }
            Caller::Client { .. } => {
                self.accept();
                parsed(&self.endpoint, self.id, outcome)
            }
        };
        let _the_client_may_have_gone = to_client.send(message).await;
    }
}

/// An answer for the client itself.
fn parsed(
    endpoint: &Endpoint,
    id: RequestId,
    outcome: Result<WireAnswer, NoAnswer>,
) -> ServerJsonRpcMessage {
    let failure = match outcome.map_err(NoAnswer::failure) {
        Ok(WireAnswer::Result(raw)) => match serde_json::from_str::<ServerResult>(raw.get()) {
            Ok(result) => {
                if let ServerResult::InitializeResult(agreed) = &result {
                    endpoint.note_version(agreed.protocol_version.clone());
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
    if rejection.status == StatusCode::NOT_FOUND && endpoint.has_session() {
        return Err(lose_session(endpoint, &rejection.detail));
    }
    Err(rejection.failure())
}

/// Hands the client a request or a notification of the server.
pub(super) async fn forward(
    to_client: &mpsc::Sender<ServerJsonRpcMessage>,
    text: &[u8],
    origin: InboundStreamOrigin,
) {
    let mut message = match serde_json::from_slice::<ServerJsonRpcMessage>(text) {
        Ok(message) => message,
        Err(error) => {
            return tracing::debug!(%error, "dropped a message that the client can't read");
        }
    };
    if let JsonRpcMessage::Request(request) = &mut message {
        request.request.extensions_mut().insert(origin);
    }
    let _the_client_may_have_gone = to_client.send(message).await;
}

fn violation(detail: impl Into<String>) -> Failure {
    Failure::new(Cause::ProtocolViolation, detail)
}
