//! The transport against a server end that is driven by hand, byte for byte.

mod flood;
mod hostile;
mod rmcp_client;
mod sending;

use std::time::Duration;

use rmcp::{
    RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam,
        ClientNotification, ClientRequest, JsonRpcMessage, NumberOrString, PingRequest, RequestId,
    },
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport as _,
};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf,
};

use super::{FramedTransport, SendFailure};
use crate::{
    call::{Cause, Json},
    limits::SessionLimits,
    session::transport::{Ended, Phase, WireAnswer, WireCall},
};

type Wire = FramedTransport<ReadHalf<DuplexStream>, WriteHalf<DuplexStream>>;

/// The server's end.
struct Far {
    stream: BufReader<DuplexStream>,
}

impl Far {
    async fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).await.unwrap();
        line.truncate(line.trim_end().len());
        line
    }

    async fn say(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
        self.stream.write_all(b"\n").await.unwrap();
    }
}

fn limits() -> SessionLimits {
    SessionLimits { max_message_bytes: 4096, max_bad_frames: 4, ..SessionLimits::default() }
}

fn wire(limits: &SessionLimits) -> (Wire, Far, Ended) {
    wire_with_pipe(limits, 64 << 10)
}

fn wire_with_pipe(limits: &SessionLimits, pipe: usize) -> (Wire, Far, Ended) {
    let (near, far) = tokio::io::duplex(pipe);
    let (reader, writer) = tokio::io::split(near);
    let ended = Ended::default();
    let transport = FramedTransport::new(reader, writer, limits, ended.clone());
    (transport, Far { stream: BufReader::new(far) }, ended)
}

fn call(id: i64, arguments: &str) -> (TxJsonRpcMessage<RoleClient>, WireCall) {
    let wire = WireCall::new(Json::from_text(arguments.to_owned()).unwrap(), Phase::default());
    let mut request = CallToolRequest::new(CallToolRequestParams::new("echo"));
    request.extensions.insert(wire.clone());
    let request = ClientRequest::CallToolRequest(request);
    (JsonRpcMessage::request(request, NumberOrString::Number(id)), wire)
}

fn ping(id: i64) -> TxJsonRpcMessage<RoleClient> {
    let request = ClientRequest::PingRequest(PingRequest::default());
    JsonRpcMessage::request(request, NumberOrString::Number(id))
}

fn cancelled(id: i64) -> TxJsonRpcMessage<RoleClient> {
    let params = CancelledNotificationParam::new(Some(NumberOrString::Number(id)), None);
    JsonRpcMessage::notification(ClientNotification::CancelledNotification(
        CancelledNotification::new(params),
    ))
}

/// Sends a call and lets the server read it.
async fn sent_call(wire: &mut Wire, far: &mut Far, id: i64) -> WireCall {
    let (message, call) = call(id, "{}");
    wire.send(message).await.unwrap();
    far.line().await;
    call
}

fn id_of(message: &RxJsonRpcMessage<RoleClient>) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(response.id.clone()),
        JsonRpcMessage::Error(error) => error.id.clone(),
        _ => None,
    }
}

/// Receives until the request `id` is woken.
async fn woken(wire: &mut Wire, id: i64) {
    let message = soon(wire.receive()).await.expect("the connection lives");
    assert_eq!(id_of(&message), Some(NumberOrString::Number(id)), "{message:?}");
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("it happens soon")
}

fn fault(call: WireCall) -> (Cause, String) {
    match call.finish().0 {
        Some(WireAnswer::Fault(failure)) => (failure.cause, failure.detail),
        other => panic!("expected a fault, got {other:?}"),
    }
}

fn result(call: WireCall) -> String {
    match call.finish().0 {
        Some(WireAnswer::Result(raw)) => raw.get().to_owned(),
        other => panic!("expected a result, got {other:?}"),
    }
}
