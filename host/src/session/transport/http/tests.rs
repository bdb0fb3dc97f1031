//! The transport against servers that say exactly what the test wants.

mod access;
mod consent;
mod faults;
mod session;

use std::{collections::HashMap, time::Duration};

use rmcp::{
    RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam,
        ClientJsonRpcMessage, ClientRequest, DiscoverRequest, DiscoverRequestParams, GetMeta,
        Implementation, InitializeRequest, InitializeRequestParams, InitializedNotification,
        JsonRpcMessage, ListToolsRequest, ProtocolVersion, RequestId, ServerResult,
    },
    transport::Transport,
};
use tokio::time::timeout;

use super::{
    HttpTransport,
    script_server::{ScriptServer, Seen, Step, events, json, reply, sound, status},
};
use crate::{
    auth::AuthRecord,
    call::{Cause, Json},
    limits::SessionLimits,
    session::transport::{Ended, Phase, WireAnswer, WireCall},
};

const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"n":1.10}}"#;
const RESULT: &str = r#"{"content":[],"n":1.10}"#;

/// Short enough for a test of what happens when they pass.
fn limits() -> SessionLimits {
    let mut limits = SessionLimits { max_message_bytes: 10_000, ..SessionLimits::default() };
    limits.idle_timeout = Duration::from_millis(300);
    limits.http.silence_timeout = Duration::from_millis(300);
    limits.http.body_timeout = Duration::from_millis(200);
    limits.http.control_timeout = Duration::from_millis(500);
    limits.http.resume_delay = Duration::from_millis(5);
    limits
}

struct Client {
    transport: HttpTransport,
    ended: Ended,
}

impl Client {
    fn new(server: &ScriptServer) -> Self {
        Self::with_auth(server, AuthRecord::none())
    }

    fn with_auth(server: &ScriptServer, auth: AuthRecord) -> Self {
        let ended = Ended::default();
        let transport = super::open(&server.server(), &auth, &limits(), ended.clone()).unwrap();
        Self { transport, ended }
    }

    /// Does the older handshake.
    async fn with_session(server: &ScriptServer) -> Self {
        let mut client = Self::new(server);
        let hello = InitializeRequest::new(
            InitializeRequestParams::new(Default::default(), Implementation::new("test", "1"))
                .with_protocol_version(ProtocolVersion::V_2025_11_25),
        );
        client.send(JsonRpcMessage::request(hello.into(), RequestId::Number(0))).await.unwrap();
        assert!(matches!(client.receive().await, JsonRpcMessage::Response(_)));
        let initialized = InitializedNotification::default();
        client.send(JsonRpcMessage::notification(initialized.into())).await.unwrap();
        client
    }

    async fn send(&mut self, message: ClientJsonRpcMessage) -> Result<(), crate::call::Failure> {
        self.transport.send(message).await
    }

    async fn receive(&mut self) -> rmcp::model::ServerJsonRpcMessage {
        let message =
            timeout(Duration::from_secs(5), Transport::<RoleClient>::receive(&mut self.transport));
        message.await.expect("every request is answered in bounded time").unwrap()
    }

    async fn call(&mut self) -> WireAnswer {
        self.call_to("read").await
    }

    async fn call_to(&mut self, tool: &'static str) -> WireAnswer {
        let (message, call) = call(tool, Phase::default());
        self.send(message).await.unwrap();
        let JsonRpcMessage::Response(response) = self.receive().await else {
            panic!("a call is always answered with a response")
        };
        assert_eq!(response.id, RequestId::Number(1));
        call.finish().0.unwrap()
    }
}

fn call(tool: &'static str, phase: Phase) -> (ClientJsonRpcMessage, WireCall) {
    let arguments = Json::from_text(r#"{"big": 12345678901234567890123, "a":1.0}"#.to_owned());
    let call = WireCall::new(arguments.unwrap(), phase);
    let mut request = CallToolRequest::new(CallToolRequestParams::new(tool));
    request.extensions.insert(call.clone());
    (JsonRpcMessage::request(request.into(), RequestId::Number(1)), call)
}

fn make_newer(message: &mut ClientJsonRpcMessage) {
    let JsonRpcMessage::Request(request) = message else { unreachable!("only requests have it") };
    request.request.get_meta_mut().set_protocol_version(ProtocolVersion::V_2026_07_28);
}

fn cancellation() -> ClientJsonRpcMessage {
    let params = CancelledNotificationParam::new(Some(RequestId::Number(1)), None);
    JsonRpcMessage::notification(CancelledNotification::new(params).into())
}

async fn answer(steps: Vec<Step>) -> WireAnswer {
    let server = ScriptServer::start(move |seen| sound(seen, |_| steps.clone())).await;
    Client::new(&server).call().await
}

/// The case and the cause of an answer, or its error code.
fn verdict(answer: &WireAnswer) -> String {
    match answer {
        WireAnswer::Result(_) => "result".to_owned(),
        WireAnswer::Error(error) => format!("error {}", error.code),
        WireAnswer::Fault(failure) => format!("unknown, {}", failure.cause),
        WireAnswer::NotSent(failure) => format!("not sent, {}", failure.cause),
    }
}

#[tokio::test]
async fn arguments_and_result_pass_as_they_were_written() {
    for steps in [
        vec![json(ANSWER)],
        vec![events(&format!("data: {ANSWER}\n\n")), Step::Close],
        vec![
            events(&format!(": hi\n\nid: 1\ndata:\n\nevent: message\r\ndata: {ANSWER}\r\n\r\n")),
            Step::Hang,
        ],
    ] {
        let server = ScriptServer::start(move |seen| sound(seen, |_| steps.clone())).await;

        let answer = Client::new(&server).call().await;

        let WireAnswer::Result(raw) = answer else { panic!("{answer:?}") };
        assert_eq!(raw.get(), RESULT);
        let asked = &server.seen()[0];
        assert!(asked.body.contains(r#""arguments":{"big": 12345678901234567890123, "a":1.0}"#));
        assert_eq!(asked.headers["accept"], "application/json, text/event-stream");
        assert_eq!(asked.headers["content-length"], asked.body.len().to_string());
    }
}

#[tokio::test]
async fn a_redirection_within_the_origin_is_followed() {
    let server = ScriptServer::start(|seen| match seen.path.as_str() {
        "/mcp/" => vec![json(ANSWER)],
        _ => vec![status(307, "location: /mcp/\r\n")],
    })
    .await;
    let auth = AuthRecord::none().with_bearer("t").unwrap();

    let mut client = Client::with_auth(&server, auth);
    assert_eq!(verdict(&client.call().await), "result");
    assert_eq!(verdict(&client.call().await), "result");

    let [first, second, third] = &server.seen()[..] else { panic!() };
    assert_eq!(third.path, "/mcp/");
    assert_eq!(first.body, second.body);
    assert_eq!(second.headers["authorization"], "Bearer t");
}

#[tokio::test]
async fn credentials_never_follow_a_redirection_to_another_origin() {
    let other = ScriptServer::start(|_| vec![json(ANSWER)]).await;
    let location = format!("location: http://{}/mcp\r\n", other.address);
    let server = ScriptServer::start(move |_| vec![status(307, &location)]).await;
    let auth = AuthRecord::none().with_bearer("t").unwrap();

    let answer = Client::with_auth(&server, auth).call().await;

    assert_eq!(verdict(&answer), "not sent, connect failed");
    assert!(other.seen().is_empty());
}

/// A server whose call stream ends after an event with an id; `resumption` is what it says to the GET that resumes.
async fn resumable(resumption: Vec<Step>) -> ScriptServer {
    ScriptServer::start(move |seen| {
        if seen.headers.contains_key("last-event-id") {
            return resumption.clone();
        }
        sound(seen, |_| vec![events("id: e1\nretry: 1\ndata:\n\n"), Step::Close])
    })
    .await
}

#[tokio::test]
async fn a_stream_that_ends_early_is_resumed_where_it_ended() {
    let server = resumable(vec![events(&format!("data: {ANSWER}\n\n")), Step::Close]).await;

    let answer = Client::new(&server).call().await;

    assert_eq!(verdict(&answer), "result");
    let resumption = server.seen().pop().unwrap();
    assert_eq!(resumption.headers["last-event-id"], "e1");
    assert_eq!(resumption.headers["accept"], "text/event-stream");
}

#[tokio::test]
async fn resumptions_that_bring_nothing_come_to_an_end() {
    let attempts = limits().http.resume_attempts as usize;
    for (resumption, expected) in [
        (vec![status(404, "")], 1),
        (vec![status(405, "")], 1),
        (vec![status(500, "")], attempts),
        (vec![status(200, "")], attempts),
        (vec![events(""), Step::Close], attempts),
        (vec![Step::Close], attempts),
    ] {
        let server = resumable(resumption).await;

        let answer = Client::new(&server).call().await;

        assert_eq!(verdict(&answer), "unknown, session stopped", "{answer:?}");
        assert_eq!(server.seen().len(), 1 + expected, "{:?}", server.seen());
    }
}

#[tokio::test]
async fn what_the_server_says_meanwhile_reaches_the_client() {
    let news = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let server = ScriptServer::start(move |seen| match seen.method.as_str() {
        "GET" => vec![events(&format!("data: {news}\n\n")), Step::Hang],
        _ => sound(seen, |_| vec![events(&format!("data: {news}\n\ndata: {ANSWER}\n\n"))]),
    })
    .await;
    let mut client = Client::with_session(&server).await;
    assert!(matches!(client.receive().await, JsonRpcMessage::Notification(_)));

    let (message, _call) = call("read", Phase::default());
    client.send(message).await.unwrap();

    // The second change comes too soon after the first, and is told later.
    assert!(matches!(client.receive().await, JsonRpcMessage::Response(_)));
    assert!(matches!(client.receive().await, JsonRpcMessage::Notification(_)));
}

#[tokio::test]
async fn the_client_hears_why_its_own_request_failed() {
    let server = ScriptServer::start(|seen| match seen.rpc().as_str() {
        "tools/list" => vec![status(401, "www-authenticate: Bearer\r\n")],
        _ => vec![json("nonsense")],
    })
    .await;
    let mut client = Client::new(&server);

    let list = ClientRequest::ListToolsRequest(ListToolsRequest::default());
    let refused = client.send(JsonRpcMessage::request(list, RequestId::Number(5))).await;
    assert_eq!(refused.unwrap_err().cause, Cause::ConnectFailed);

    let ping = ClientRequest::PingRequest(Default::default());
    client.send(JsonRpcMessage::request(ping, RequestId::Number(6))).await.unwrap();
    let JsonRpcMessage::Error(error) = client.receive().await else { panic!() };
    assert_eq!(error.id, Some(RequestId::Number(6)));
    assert!(error.error.message.contains("protocol violation"));
}

#[tokio::test]
async fn an_older_server_that_is_friendly_to_every_question_is_known_as_one() {
    let server =
        ScriptServer::start(|_| vec![json(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)]).await;
    let mut client = Client::new(&server);

    let discover = ClientRequest::DiscoverRequest(DiscoverRequest::new(DiscoverRequestParams {}));
    client.send(JsonRpcMessage::request(discover, RequestId::Number(1))).await.unwrap();

    assert!(matches!(client.receive().await, JsonRpcMessage::Error(_)));
}
