//! What kind of frame one line is, judged by its envelope; the payload stays the text that the server wrote.

use rmcp::model::RequestId;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::call::{Json, RpcError};

use super::salvage::{IdScan, MAX_TOKEN, first_flaw, lenient_id};

/// One line, understood as far as the transport needs it.
#[derive(Debug)]
pub(crate) enum Frame<'a> {
    /// An answer with a result.
    Result { id: RequestId, result: &'a RawValue },
    /// An answer with an error; without an id when the server couldn't read the one of the request.
    Error { id: Option<RequestId>, error: RpcError },
    /// A notification of the server.
    Notification { method: &'a str },
    /// A request of the server. Its id belongs to the server, and is sent back as it came.
    Request { id: &'a RawValue, method: &'a str },
    /// Something that isn't MCP, and the requests it was meant to answer as far as that could be told.
    Broken { why: String, ids: Vec<RequestId> },
    /// A line that was never meant as a message, such as a log line.
    Noise,
}

/// The members of a JSON-RPC message. A member is `Some` when it is there, also with the value `null`.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// The member `error`.
#[derive(Deserialize)]
struct ErrorMember<'a> {
    code: i64,
    message: String,
    #[serde(borrow, default, deserialize_with = "present")]
    data: Option<&'a RawValue>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'a> Frame<'a> {
    /// Reads one line, without white space around it.
    pub(crate) fn read(line: &'a [u8], max_nesting: usize) -> Self {
        if !looks_like_a_message(line) {
            return Self::Noise;
        }
        let envelope = match serde_json::from_slice::<Envelope<'a>>(line) {
            Ok(envelope) => envelope,
            Err(error) => return Self::broken(line, error.to_string()),
        };
        envelope.classify(max_nesting).unwrap_or_else(|why| Self::broken(line, why.to_owned()))
    }

    fn broken(line: &[u8], why: String) -> Self {
        let scan = IdScan::of(line);
        if !scan.may_be_an_answer() {
            return Self::Noise;
        }
        Self::Broken { why, ids: scan.answered_ids().to_vec() }
    }
}

impl<'a> Envelope<'a> {
    fn classify(self, max_nesting: usize) -> Result<Frame<'a>, &'static str> {
        if self.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
            return Err("it doesn't say \"jsonrpc\": \"2.0\"");
        }
        match (self.method, self.result, self.error) {
            (Some(method), None, None) => {
                let method = plain_string(method).ok_or("its method isn't a plain string")?;
                Ok(match self.id {
                    // It is kept and sent back, so it must be small.
                    Some(id) if id.get().len() > MAX_TOKEN => return Err("its id is too long"),
                    Some(id) => Frame::Request { id, method },
                    None => Frame::Notification { method },
                })
            }
            (None, Some(result), None) => {
                let id = self.id.ok_or("it is a result without an id")?;
                let id = strict_id(id)?.ok_or("it is a result with the id null")?;
                match first_flaw(result.get(), max_nesting) {
                    Some(flaw) => Err(flaw),
                    None => Ok(Frame::Result { id, result }),
                }
            }
            (None, None, Some(error)) => {
                let id = self.id.map(strict_id).transpose()?.flatten();
                Ok(Frame::Error { id, error: rpc_error(error, max_nesting)? })
            }
            (None, None, None) => Err("it has neither a method nor a result nor an error"),
            _ => Err("it is several kinds of message at once"),
        }
    }
}

fn rpc_error(raw: &RawValue, max_nesting: usize) -> Result<RpcError, &'static str> {
    let member: ErrorMember<'_> = serde_json::from_str(raw.get())
        .map_err(|_| "its error isn't an object with an integer code and a message")?;
    if let Some(flaw) = member.data.and_then(|data| first_flaw(data.get(), max_nesting)) {
        return Err(flaw);
    }
    Ok(RpcError {
        code: member.code,
        message: member.message,
        data: member.data.map(|data| Json::from(data.to_owned())),
    })
}

/// The id as the specification has it: an integer or a string, and the same as in the request. Ours are integers, so one
/// that is spelt otherwise is wrong, although [`lenient_id`] knows what was meant.
fn strict_id(raw: &RawValue) -> Result<Option<RequestId>, &'static str> {
    let text = raw.get();
    if text == "null" {
        return Ok(None);
    }
    if let Ok(number) = text.parse() {
        return Ok(Some(RequestId::Number(number)));
    }
    match lenient_id(text) {
        Some(RequestId::Number(_)) => Err("its id is spelt otherwise than the request's"),
        Some(id) => Ok(Some(id)),
        None => Err("its id is neither an integer nor a string"),
    }
}

/// The content of a JSON string that has no escapes, as all names of methods.
fn plain_string(raw: &RawValue) -> Option<&str> {
    let content = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    (!content.contains('\\')).then_some(content)
}

/// An object, or an array that begins with one. `[12:30:01] started` is a log line.
fn looks_like_a_message(line: &[u8]) -> bool {
    match line {
        [b'{', ..] => true,
        [b'[', rest @ ..] => rest.trim_ascii_start().starts_with(b"{"),
        _ => false,
    }
}
