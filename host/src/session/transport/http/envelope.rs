//! The frame around a message: written around raw arguments, and read around a raw answer.
//!
//! Only the frame is parsed. What a server put into `result` stays the text it sent.

use bytes::Bytes;
use rmcp::{
    RoleClient,
    model::{JsonRpcRequest, RequestId},
    service::{ServiceRole, TxJsonRpcMessage},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use crate::{
    call::{Json, RpcError},
    session::transport::WireAnswer,
};

/// A message as it goes out.
pub(super) fn write(message: &TxJsonRpcMessage<RoleClient>) -> Bytes {
    serde_json::to_vec(message).expect("rmcp's messages have a JSON form").into()
}

/// A request as it goes out, with `arguments` exactly as their author wrote them.
pub(super) fn write_call(
    request: &JsonRpcRequest<<RoleClient as ServiceRole>::Req>,
    arguments: &Json,
) -> Bytes {
    #[derive(Serialize)]
    struct Call<'a> {
        jsonrpc: &'static str,
        id: &'a RequestId,
        method: &'a str,
        params: Params<'a>,
    }
    #[derive(Serialize)]
    struct Params<'a> {
        #[serde(flatten)]
        others: Map<String, Value>,
        arguments: &'a RawValue,
    }

    let mut value =
        serde_json::to_value(&request.request).expect("rmcp's messages have a JSON form");
    let mut others = match value.get_mut("params").map(Value::take) {
        Some(Value::Object(params)) => params,
        _ => Map::new(),
    };
    others.remove("arguments");
    let call = Call {
        jsonrpc: "2.0",
        id: &request.id,
        method: request.request.method(),
        params: Params { others, arguments: arguments.as_ref() },
    };
    serde_json::to_vec(&call).expect("plain data has a JSON form").into()
}

/// One message of the server.
#[derive(Debug)]
pub(super) enum Message {
    /// An answer, with the id that it names; a server that could not read a request names none.
    Answer(Option<RequestId>, WireAnswer),
    /// A request or a notification.
    Other,
}

/// What is wrong with a message, for people.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Malformed(String);

/// Reads the frame of a message.
pub(super) fn read(text: &[u8]) -> Result<Message, Malformed> {
    #[derive(Deserialize)]
    struct Frame<'a> {
        #[serde(default)]
        jsonrpc: Option<Value>,
        #[serde(default)]
        id: Option<RequestId>,
        #[serde(default)]
        method: Option<String>,
        #[serde(borrow, default)]
        result: Option<&'a RawValue>,
        #[serde(borrow, default)]
        error: Option<&'a RawValue>,
    }

    if text.trim_ascii_start().first() == Some(&b'[') {
        return Err(Malformed("a batch, although no batch was asked for".to_owned()));
    }
    let frame: Frame<'_> = serde_json::from_slice(text)
        .map_err(|error| Malformed(format!("not a JSON-RPC message: {error}")))?;
    if frame.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
        return Err(Malformed("a message that does not say that it is JSON-RPC 2.0".to_owned()));
    }
    match (frame.result, frame.error) {
        (Some(_), Some(_)) => Err(Malformed("an answer with both result and error".to_owned())),
        (Some(result), None) => {
            Ok(Message::Answer(frame.id, WireAnswer::Result(result.to_owned())))
        }
        (None, Some(error)) => Ok(Message::Answer(frame.id, WireAnswer::Error(read_error(error)?))),
        (None, None) if frame.method.is_some() => Ok(Message::Other),
        (None, None) => Err(Malformed("neither result nor error nor method".to_owned())),
    }
}

fn read_error(raw: &RawValue) -> Result<RpcError, Malformed> {
    #[derive(Deserialize)]
    struct Wire {
        code: i64,
        #[serde(default)]
        message: String,
        #[serde(default)]
        data: Option<Box<RawValue>>,
    }
    let Wire { code, message, data } = serde_json::from_str(raw.get())
        .map_err(|error| Malformed(format!("an error object of another shape: {error}")))?;
    Ok(RpcError { code, message, data: data.map(Json::from) })
}

/// Whether an answer with the id `given` answers `asked`. Some servers turn numbers into strings.
pub(super) fn is_answer_to(asked: &RequestId, given: &RequestId) -> bool {
    asked == given || asked.to_string() == given.to_string()
}
