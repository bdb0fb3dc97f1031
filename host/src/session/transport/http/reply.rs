//! What came back for a request, judged: what the head promises, what a refusal means, and whether anything was done.

use bytes::BytesMut;
use http::{
    HeaderMap, StatusCode,
    header::{CONTENT_ENCODING, CONTENT_TYPE, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE},
};
use reqwest::Response;
use rmcp::model::RequestId;
use tokio::time::timeout;

use crate::{
    call::{Cause, Failure, RpcError},
    limits::SessionLimits,
    session::{
        client::chain,
        story::Obstacle,
        transport::{Phase, WireAnswer, framing::envelope::Frame},
    },
};

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The server has not executed the request.
    NotSent(Failure),
    /// It may have.
    Unknown(Failure),
}

impl NoAnswer {
    /// Decides by whether the request has begun to leave. If not, it never will.
    pub(super) fn by_phase(phase: &Phase, failure: Failure) -> Self {
        if phase.abandon() { Self::NotSent(failure) } else { Self::Unknown(failure) }
    }

    pub(super) fn failure(self) -> Failure {
        match self {
            Self::NotSent(failure) | Self::Unknown(failure) => failure,
        }
    }

    pub(super) fn detail(&self) -> &str {
        match self {
            Self::NotSent(failure) | Self::Unknown(failure) => &failure.detail,
        }
    }
}

impl From<NoAnswer> for WireAnswer {
    fn from(no_answer: NoAnswer) -> Self {
        match no_answer {
            NoAnswer::NotSent(failure) => Self::NotSent(failure),
            NoAnswer::Unknown(failure) => Self::Fault(failure),
        }
    }
}

/// What the head of a response promises.
pub(super) enum Promise {
    /// The body is one JSON text.
    Json(Response),
    /// The body is a stream of events.
    Events(Response),
    /// There is nothing to come.
    Rejected(Rejection),
}

/// A response whose status says no.
#[derive(Debug)]
pub(super) struct Rejection {
    pub(super) status: StatusCode,
    /// The JSON-RPC error in the body, whatever id it names: the exchange says what it belongs to.
    pub(super) error: Option<(Option<RequestId>, RpcError)>,
    /// A sentence for people.
    pub(super) detail: String,
}

impl Rejection {
    /// Refusals that say nothing of the message but of who sent it or where to.
    pub(super) fn is_about_access(&self) -> bool {
        self.status.is_redirection()
            || matches!(self.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
    }

    /// Whether the server says that it didn't get as far as the message. Anything from 500 on may come from a gateway
    /// that has passed the request on.
    pub(super) fn is_before_execution(&self) -> bool {
        self.status.is_redirection() || self.status.is_client_error()
    }

    pub(super) fn obstacle(&self) -> Obstacle {
        Obstacle::Status(self.status.as_u16())
    }

    pub(super) fn failure(&self) -> Failure {
        let cause = match self.status {
            StatusCode::PAYLOAD_TOO_LARGE => Cause::TooLarge,
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => Cause::ProtocolViolation,
            status if status.is_redirection() || status.is_client_error() => Cause::ConnectFailed,
            _ => Cause::SessionStopped,
        };
        Failure::new(cause, self.detail.clone())
    }
}

/// Judges the head of the response to a request.
///
/// # Errors
///
/// When it promises nothing that an answer could be read from.
pub(super) async fn promise(
    response: Response,
    limits: &SessionLimits,
) -> Result<Promise, NoAnswer> {
    let status = response.status();
    if !status.is_success() {
        return Ok(Promise::Rejected(rejection(response, limits).await));
    }
    let violation =
        |detail: String| Err(NoAnswer::Unknown(Failure::new(Cause::ProtocolViolation, detail)));
    if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
        return violation(format!("HTTP {} without an answer to a request", status.as_u16()));
    }
    if let Some(encoding) = text_of(response.headers(), CONTENT_ENCODING)
        && encoding != "identity"
    {
        return violation(format!("the answer is encoded as {encoding}, which nobody asked for"));
    }
    match media_type(response.headers()).as_deref() {
        Some("application/json") => Ok(Promise::Json(response)),
        Some("text/event-stream") => Ok(Promise::Events(response)),
        other => {
            let kind = other.unwrap_or("no media type").to_owned();
            violation(format!("an answer of {kind}: {}", excerpt(response, limits).await))
        }
    }
}

/// Whether a response is an event stream.
pub(super) fn is_event_stream(response: &Response) -> bool {
    response.status() == StatusCode::OK
        && media_type(response.headers()).as_deref() == Some("text/event-stream")
}

/// Reads a response whose status says no.
pub(super) async fn rejection(response: Response, limits: &SessionLimits) -> Rejection {
    let status = response.status();
    let mut detail = format!("HTTP {}", status.as_u16());
    for (header, says) in [
        (WWW_AUTHENTICATE, "authorization wanted"),
        (LOCATION, "redirection, not followed, to"),
        (RETRY_AFTER, "retry after"),
    ] {
        if let Some(text) = text_of(response.headers(), header) {
            detail.push_str(&format!(" ({says}: {})", shorten(&text, limits)));
        }
    }
    if media_type(response.headers()).as_deref() != Some("application/json") {
        let excerpt = excerpt(response, limits).await;
        detail.push_str(&format!(": {excerpt}"));
        return Rejection { status, error: None, detail };
    }
    let body = json_body(response, limits).await.unwrap_or_default();
    let error = match Frame::read(body.trim_ascii(), limits.max_nesting) {
        Frame::Error { id, error } => {
            detail.push_str(&format!(": {}", shorten(&error.to_string(), limits)));
            Some((id, error))
        }
        _ => None,
    };
    Rejection { status, error, detail }
}

/// Reads a body that is one JSON text.
///
/// # Errors
///
/// When it is too large, too slow or cut.
pub(super) async fn json_body(
    mut response: Response,
    limits: &SessionLimits,
) -> Result<BytesMut, Failure> {
    let max_bytes = limits.max_message_bytes;
    let too_large =
        || Failure::new(Cause::TooLarge, format!("the answer is larger than {max_bytes} bytes"));
    if response.content_length().is_some_and(|length| length > max_bytes as u64) {
        return Err(too_large());
    }
    let mut body = BytesMut::new();
    loop {
        match timeout(limits.http.body_timeout, response.chunk()).await {
            Err(_) => {
                let detail = "the server stopped in the middle of its answer";
                return Err(Failure::new(Cause::Timeout, detail));
            }
            Ok(Err(error)) => return Err(broken(error)),
            Ok(Ok(None)) => return Ok(body),
            Ok(Ok(Some(chunk))) if body.len() + chunk.len() > max_bytes => return Err(too_large()),
            Ok(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
        }
    }
}

/// The beginning of a body that is of no other use, for people.
async fn excerpt(mut response: Response, limits: &SessionLimits) -> String {
    let max_bytes = limits.http.excerpt_bytes;
    let mut start = BytesMut::new();
    let read = async {
        while start.len() < max_bytes
            && let Ok(Some(chunk)) = response.chunk().await
        {
            let room = max_bytes - start.len();
            start.extend_from_slice(&chunk[..chunk.len().min(room)]);
        }
    };
    let _a_shorter_excerpt_does_too = timeout(limits.http.linger, read).await;
    if start.is_empty() {
        return "an empty body".to_owned();
    }
    format!("{:?}", String::from_utf8_lossy(&start))
}

/// The connection couldn't be had, or broke.
pub(super) fn broken(error: reqwest::Error) -> Failure {
    let cause = if error.is_connect() {
        Cause::ConnectFailed
    } else if error.is_timeout() {
        Cause::Timeout
    } else {
        Cause::SessionStopped
    };
    // The address may have secrets in its query, and whoever reads this knows the connection.
    Failure::new(cause, chain(&error.without_url()))
}

fn shorten(text: &str, limits: &SessionLimits) -> String {
    text.chars().take(limits.http.excerpt_bytes).collect()
}

fn text_of(headers: &HeaderMap, name: http::HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// The media type without its parameters.
fn media_type(headers: &HeaderMap) -> Option<String> {
    let text = text_of(headers, CONTENT_TYPE)?;
    Some(text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}
