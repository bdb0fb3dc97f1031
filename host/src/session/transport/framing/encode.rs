//! How a message is written: as JSON, in one line where lines are the frames.

use rmcp::{
    RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, ClientRequest, InputResponses, JsonRpcMessage,
        JsonRpcRequest, RequestId, RequestMetaObject,
    },
    service::TxJsonRpcMessage,
};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::session::transport::WireCall;

/// Something to be written.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// A message of rmcp's.
    Message(Box<TxJsonRpcMessage<RoleClient>>),
    /// An answer of the transport's own to a request of the server, complete but for the end of the line.
    Reply(Vec<u8>),
}

/// A `tools/call` request whose arguments are written as their author wrote them.
#[derive(Serialize)]
struct CallFrame<'a> {
    jsonrpc: &'static str,
    id: &'a RequestId,
    method: &'static str,
    params: CallParams<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallParams<'a> {
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RequestMetaObject>,
    name: &'a str,
    arguments: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_responses: Option<&'a InputResponses>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_state: Option<&'a str>,
}

impl Outgoing {
    /// The request's id and its call, where this is a request.
    pub(super) fn request(&self) -> Option<(&RequestId, Option<&WireCall>)> {
        match self {
            Self::Message(message) => match &**message {
                JsonRpcMessage::Request(request) => Some((&request.id, wire_call(request))),
                _ => None,
            },
            Self::Reply(_) => None,
        }
    }

    pub(super) fn is_notification(&self) -> bool {
        matches!(self, Self::Message(message) if matches!(**message, JsonRpcMessage::Notification(_)))
    }

    /// Appends the line.
    ///
    /// # Errors
    ///
    /// When rmcp's message has no JSON form; `out` may hold a part of it then.
    pub(super) fn write_line(&self, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        let start = out.len();
        match self {
            Self::Reply(reply) => out.extend_from_slice(reply),
            Self::Message(message) => write_message(out, message)?,
        }
        // A line feed in JSON is white space, as strings hold it escaped. Arguments may be written over several lines.
        for byte in &mut out[start..] {
            if *byte == b'\n' {
                *byte = b' ';
            }
        }
        out.push(b'\n');
        Ok(())
    }
}

/// Appends a message.
///
/// # Errors
///
/// When rmcp's message has no JSON form; `out` may hold a part of it then.
pub(crate) fn write_message(
    out: &mut Vec<u8>,
    message: &TxJsonRpcMessage<RoleClient>,
) -> Result<(), serde_json::Error> {
    match tool_call(message) {
        Some((id, call, wire)) => write_call(out, id, call, wire),
        None => serde_json::to_writer(out, message),
    }
}

pub(crate) fn wire_call(request: &JsonRpcRequest<ClientRequest>) -> Option<&WireCall> {
    match &request.request {
        ClientRequest::CallToolRequest(call) => call.extensions.get(),
        // The next steps of a call.
        ClientRequest::GetTaskRequest(get) => get.extensions.get(),
        ClientRequest::UpdateTaskRequest(update) => update.extensions.get(),
        _ => None,
    }
}

fn tool_call(
    message: &TxJsonRpcMessage<RoleClient>,
) -> Option<(&RequestId, &CallToolRequest, &WireCall)> {
    let JsonRpcMessage::Request(JsonRpcRequest { id, request, .. }) = message else { return None };
    let ClientRequest::CallToolRequest(call) = request else { return None };
    Some((id, call, call.extensions.get()?))
}

fn write_call(
    out: &mut Vec<u8>,
    id: &RequestId,
    call: &CallToolRequest,
    wire: &WireCall,
) -> Result<(), serde_json::Error> {
    let CallToolRequestParams { meta, name, input_responses, request_state, .. } = &call.params;
    // rmcp keeps what it adds itself in the extensions, and lets that win.
    let added = call.extensions.get::<RequestMetaObject>();
    let merged;
    let meta = match (meta, added) {
        (Some(base), Some(added)) => {
            let mut both = base.clone();
            both.extend(added.clone());
            merged = both;
            Some(&merged)
        }
        (base, added) => base.as_ref().or(added),
    };
    let params = CallParams {
        meta,
        name,
        arguments: wire.arguments().as_ref(),
        input_responses: input_responses.as_ref(),
        request_state: request_state.as_deref(),
    };
    serde_json::to_writer(out, &CallFrame { jsonrpc: "2.0", id, method: "tools/call", params })
}
