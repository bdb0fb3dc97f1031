//! The address of a server, and what goes with every request to it: credentials, session, protocol version.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, LOCATION},
};
use reqwest::{RequestBuilder, Response};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion, Tool,
};
use tokio::time::timeout;
use url::Url;

use super::{
    access::{Access, Verdict},
    obstacle,
    param_headers::{Misannotated, ParamHeaders},
    reply::{self, NoAnswer},
    standard_headers,
};
use crate::{
    auth::{AuthRecord, Wallet},
    call::{Cause, Failure},
    limits::SessionLimits,
    session::{
        connect::HttpServer,
        transport::{
            Ended, Phase,
            framing::encode::{wire_call, write_message},
        },
    },
    web,
};

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const JSON_OR_EVENTS: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");

/// Why an address can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Unusable {
    /// The scheme is something else.
    #[error("{0} is not an http or https address")]
    NotHttp(Url),
    /// There is no client for it, for example because this machine has no certificate authorities.
    #[error("no HTTP client could be made")]
    Client(#[source] reqwest::Error),
}

/// One server's address and the state of the session with it.
pub(super) struct Endpoint {
    /// One for the whole session, so that connections serve again.
    client: reqwest::Client,
    /// Where the server is to be found; redirections within its origin move it.
    url: Mutex<Url>,
    credentials: HeaderMap,
    /// Where the server's tokens come from, if it is one that wants tokens.
    wallet: Option<Arc<Wallet>>,
    limits: SessionLimits,
    /// To say that the server has lost the session.
    ended: Ended,
    /// What the server called the session in its answer to `initialize`.
    session: OnceLock<HeaderValue>,
    /// Of the last request that named a version, or of the answer to `initialize`.
    version: Mutex<Option<ProtocolVersion>>,
    /// By tool, as far as its list is known and the version has such headers.
    param_headers: Mutex<HashMap<String, Result<ParamHeaders, Misannotated>>>,
}

/// One message on its way out.
pub(super) struct Outgoing {
    body: Bytes,
    headers: HeaderMap,
    /// Left at once when the body is handed to an open connection.
    pub(super) phase: Phase,
    /// Why it must not be sent.
    pub(super) objection: Option<Failure>,
}

impl Endpoint {
    pub(super) fn new(
        server: &HttpServer,
        auth: &AuthRecord,
        limits: &SessionLimits,
        ended: Ended,
    ) -> Result<Self, Unusable> {
        let client = match server.url.scheme() {
            "http" | "https" => web::client(&server.url, &limits.http).map_err(Unusable::Client)?,
            _ => return Err(Unusable::NotHttp(server.url.clone())),
        };
        let credentials =
            auth.headers().map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(Self {
            client,
            url: Mutex::new(server.url.clone()),
            credentials,
            wallet: auth.wallet(&server.url),
            limits: limits.clone(),
            ended,
            session: OnceLock::new(),
            version: Mutex::default(),
            param_headers: Mutex::default(),
        })
    }

    pub(super) fn limits(&self) -> &SessionLimits {
        &self.limits
    }

    pub(super) fn ended(&self) -> &Ended {
        &self.ended
    }

    /// How long not a byte may come while an answer is owed.
    pub(super) fn silence(&self) -> Duration {
        self.limits.http.silence_timeout.max(self.limits.idle_timeout)
    }

    /// Before the revision 2026-07-28: with a handshake, sessions, resumption and cancellations that are said.
    pub(super) fn is_legacy(&self) -> bool {
        let version = lock(&self.version);
        version.as_ref().is_none_or(|version| *version < ProtocolVersion::STANDARD_HEADERS)
    }

    fn url(&self) -> Url {
        lock(&self.url).clone()
    }

    pub(super) fn has_session(&self) -> bool {
        self.session.get().is_some()
    }

    /// Takes note of the name that the server gave the session.
    pub(super) fn note_session(&self, headers: &HeaderMap) {
        if let Some(id) = headers.get(SESSION_ID) {
            let mut id = id.clone();
            id.set_sensitive(true);
            let _the_first_name_stays = self.session.set(id);
        }
    }

    /// Takes note of the version that the handshake agreed on.
    pub(super) fn note_version(&self, version: ProtocolVersion) {
        *lock(&self.version) = Some(version);
    }

    /// Readies a message: its text, which version it is sent under, and the headers that follow from that.
    pub(super) fn outgoing(&self, message: &ClientJsonRpcMessage, phase: Phase) -> Outgoing {
        let mut body = Vec::new();
        write_message(&mut body, message).expect("rmcp's messages have a JSON form");
        let mut known = lock(&self.version);
        if let JsonRpcMessage::Request(request) = message {
            if let Some(version) = request.request.get_meta().protocol_version() {
                *known = Some(version);
            } else if matches!(request.request, ClientRequest::InitializeRequest(_)) {
                // A handshake after a failed discovery starts anew.
                *known = None;
            }
        }
        let mut outgoing =
            Outgoing { body: body.into(), headers: HeaderMap::new(), phase, objection: None };
        if known.as_ref().is_some_and(|version| *version >= ProtocolVersion::STANDARD_HEADERS) {
            standard_headers::add(&mut outgoing.headers, message);
            self.add_param_headers(&mut outgoing, message);
        }
        outgoing
    }

    fn add_param_headers(&self, outgoing: &mut Outgoing, message: &ClientJsonRpcMessage) {
        let JsonRpcMessage::Request(request) = message else { return };
        let ClientRequest::CallToolRequest(call) = &request.request else { return };
        match lock(&self.param_headers).get(&*call.params.name) {
            Some(Ok(wanted)) => {
                if let Some(wire) = wire_call(request) {
                    wanted.add(&mut outgoing.headers, wire.arguments());
                }
            }
            Some(Err(misannotated)) => {
                let detail = format!("the tool must not be called: {misannotated}");
                outgoing.objection = Some(Failure::new(Cause::ProtocolViolation, detail));
            }
            None => {}
        }
    }

    /// Takes note of which arguments of the tools go into headers, and leaves out the tools that ask for it in a wrong way.
    pub(super) fn note_tools(&self, tools: &mut Vec<Tool>) {
        if self.is_legacy() {
            return;
        }
        let mut known = lock(&self.param_headers);
        for tool in &*tools {
            if known.len() < self.limits.max_catalogue_tools {
                known.insert(tool.name.to_string(), ParamHeaders::from_schema(&tool.input_schema));
            }
        }
        tools.retain(|tool| !matches!(known.get(&*tool.name), Some(Err(_))));
    }

    /// A request that changes nothing, to see whether the server still knows the session.
    pub(super) fn ping(&self) -> Outgoing {
        let body = Bytes::from_static(br#"{"jsonrpc":"2.0","id":"still-there","method":"ping"}"#);
        Outgoing { body, headers: HeaderMap::new(), phase: Phase::default(), objection: None }
    }

    /// Posts a message and waits for the head of the response. Redirections within the origin are followed, and a refusal for
    /// want of a token is answered with one.
    ///
    /// # Errors
    ///
    /// By whether the request had begun to leave.
    pub(super) async fn post(&self, outgoing: &Outgoing) -> Result<Response, NoAnswer> {
        let mut url = self.url();
        let mut redirects_left = self.limits.http.max_redirects;
        let mut access = Access::new(self.wallet.as_ref()).await;
        loop {
            let mut headers = self.headers(&access);
            headers.extend(outgoing.headers.clone());
            headers.insert(ACCEPT, JSON_OR_EVENTS);
            headers.insert(CONTENT_TYPE, JSON);
            headers.insert(CONTENT_LENGTH, outgoing.body.len().into());
            let request = self.client.post(url.clone()).headers(headers).body(outgoing.to_body());
            let response = self.head(request, &outgoing.phase).await?;
            let verdict = access.judge(response, &outgoing.phase, &self.ended).await?;
            let Verdict::Stands(response) = verdict else { continue };
            match redirection(&url, &response) {
                Some(next) if redirects_left > 0 => url = next,
                _ => {
                    if response.status().is_success() {
                        // For the rest of the session, also for what isn't posted.
                        *lock(&self.url) = url;
                        self.ended.forget_obstacle();
                    }
                    return Ok(response);
                }
            }
            redirects_left -= 1;
        }
    }

    /// Asks for an event stream: the one after `last_event`, or the one for what the server says unasked.
    pub(super) async fn get(&self, last_event: Option<&str>) -> Result<Response, NoAnswer> {
        let mut access = Access::new(self.wallet.as_ref()).await;
        loop {
            let mut headers = self.headers(&access);
            headers.insert(ACCEPT, EVENTS);
            if let Some(Ok(id)) = last_event.map(HeaderValue::from_str) {
                headers.insert(LAST_EVENT_ID, id);
            }
            let request = self.client.get(self.url()).headers(headers);
            let phase = Phase::default();
            let response = self.head(request, &phase).await?;
            if let Verdict::Stands(response) = access.judge(response, &phase, &self.ended).await? {
                return Ok(response);
            }
        }
    }

    /// Ends the session, where there is one. A server that doesn't want to hear of it (405) is right too.
    pub(super) async fn delete_session(&self) {
        if !self.has_session() || self.ended.get().is_some() {
            return;
        }
        let access = Access::new(self.wallet.as_ref()).await;
        let request = self.client.delete(self.url()).headers(self.headers(&access));
        match self.head(request, &Phase::default()).await {
            Ok(response) => tracing::debug!(status = %response.status(), "closed the session"),
            Err(no_answer) => tracing::debug!(?no_answer, "could not close the session"),
        }
    }

    /// What goes with every request. Our own headers take the place of credentials of the same name.
    fn headers(&self, access: &Access<'_>) -> HeaderMap {
        let mut headers = self.credentials.clone();
        access.add_to(&mut headers);
        let version = lock(&self.version);
        if let Some(Ok(version)) = version.as_ref().map(|it| HeaderValue::from_str(it.as_str())) {
            headers.insert(PROTOCOL_VERSION, version);
        }
        if let Some(id) = self.session.get() {
            headers.insert(SESSION_ID, id.clone());
        }
        headers
    }

    async fn head(&self, request: RequestBuilder, phase: &Phase) -> Result<Response, NoAnswer> {
        let failure = match timeout(self.silence(), request.send()).await {
            Ok(Ok(response)) => return Ok(response),
            Ok(Err(error)) => {
                let obstacle = obstacle::of(&error);
                let failure = reply::broken(error);
                self.ended.note(obstacle, &failure.detail);
                failure
            }
            Err(_) => Failure::new(Cause::Timeout, "the server did not begin to answer"),
        };
        Err(NoAnswer::by_phase(phase, failure))
    }
}

impl Outgoing {
    /// The body is asked for when the connection stands, and that is when the request begins to leave.
    fn to_body(&self) -> reqwest::Body {
        let (body, phase) = (self.body.clone(), self.phase.clone());
        reqwest::Body::wrap_stream(futures::stream::once(async move {
            if phase.begin_sending() {
                Ok(body)
            } else {
                Err(Failure::new(Cause::Cancelled, "the caller has gone"))
            }
        }))
    }
}

/// Where a redirection leads, if it keeps method, body and origin; credentials must not leave the origin.
fn redirection(from: &Url, response: &Response) -> Option<Url> {
    let status = response.status();
    if !matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT) {
        return None;
    }
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let to = from.join(location).ok()?;
    (to.origin() == from.origin()).then_some(to)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
