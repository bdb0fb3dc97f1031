//! The nouns of one tool call: [`ToolCall`], [`ToolCallResult`], [`CallError`].
//!
//! They know neither the sandbox nor the MCP client nor WIT; the rooms at both ends convert into and out of them.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

/// The name of a configured connection.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(transparent)]
pub struct ConnectionId(Arc<str>);

impl ConnectionId {
    /// The name as the configuration spells it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<Arc<str>>> From<T> for ConnectionId {
    fn from(name: T) -> Self {
        Self(name.into())
    }
}

impl fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One JSON text (RFC 8259), checked, and otherwise as its author wrote it: numbers keep their digits.
#[derive(Clone)]
pub struct Json(Box<RawValue>);

impl Json {
    /// Takes a JSON text.
    ///
    /// # Errors
    ///
    /// When the text isn't exactly one JSON value. How deep it nests is not looked at; a reader may refuse deep ones.
    pub fn from_text(text: String) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text).map(Self)
    }

    /// The JSON string that says `text`.
    pub fn from_string(text: &str) -> Self {
        Self::from_value(&text)
    }

    /// The JSON of a value that can't fail to serialise: strings, numbers, lists and maps of them.
    pub(crate) fn from_value<T: Serialize + ?Sized>(value: &T) -> Self {
        Self(serde_json::value::to_raw_value(value).expect("plain data has a JSON form"))
    }

    /// The value `null`.
    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The text, owned.
    pub fn into_text(self) -> String {
        Box::<str>::from(self.0).into()
    }

    /// Whether the value is an object.
    pub fn is_object(&self) -> bool {
        self.as_str().starts_with('{')
    }
}

impl From<Box<RawValue>> for Json {
    fn from(raw: Box<RawValue>) -> Self {
        Self(raw)
    }
}

impl AsRef<RawValue> for Json {
    fn as_ref(&self) -> &RawValue {
        &self.0
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// One call: which tool of which connection, with what.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// The connection that has the tool.
    pub connection: ConnectionId,
    /// The tool's name, as its server spells it.
    pub tool: Arc<str>,
    /// A JSON object.
    pub arguments: Json,
}

/// What the tool says of its own work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It did what it was asked.
    Ok,
    /// It ran and reports its own failure (`isError` in MCP).
    Error,
}

/// The answer of a tool that ran, in the one canonical form.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ToolCallResult {
    /// What the tool says of its own work.
    pub outcome: Outcome,
    /// The canonical value: structured content where the server sent some, else the text blocks.
    pub output: Json,
    /// Every block that `output` doesn't hold, in the server's order.
    pub content: Vec<Content>,
    /// The `_meta` object of the result.
    pub meta: Option<Json>,
}

/// One block of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", content = "value", rename_all = "kebab-case")]
pub enum Content {
    /// Text beside structured content.
    Text(String),
    /// A picture.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A reference to a resource.
    ResourceLink(ResourceLink),
    /// A resource sent along.
    Resource(Embedded),
    /// A block of a kind that has no case here, as the server sent it.
    Other(Json),
}

/// Bytes and what they are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Media {
    /// The media type that the server gave, unchecked.
    pub mime_type: String,
    /// The decoded bytes.
    pub data: Vec<u8>,
}

/// A reference to a resource: a name, not a permission.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ResourceLink {
    /// The address, as the server spells it.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// A title for people.
    pub title: Option<String>,
    /// What it holds, for people.
    pub description: Option<String>,
    /// Its media type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
}

/// A resource inside an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Embedded {
    /// The address of the resource.
    pub uri: String,
    /// Its media type.
    pub mime_type: Option<String>,
    /// What it holds.
    pub body: Body,
}

/// What an embedded resource holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// Text.
    Text(String),
    /// Decoded bytes.
    Blob(Vec<u8>),
}

/// Why there is no answer of the tool: one case for each thing a caller can do about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum CallError {
    /// Mend the call: the gate said no, nothing was sent.
    #[error("refused: {0}")]
    Refused(Refusal),
    /// Try again: nothing reached the server.
    #[error("not sent: {0}")]
    NotSent(Failure),
    /// Report it: the server answered with a JSON-RPC error.
    #[error("rejected by the server: {0}")]
    Rejected(RpcError),
    /// Stop and ask: it was sent, and no usable answer came.
    #[error("outcome unknown: {0}")]
    OutcomeUnknown(Failure),
}

impl CallError {
    /// The kind of failure, where the carrying of the call failed.
    pub fn cause(&self) -> Option<Cause> {
        match self {
            Self::NotSent(failure) | Self::OutcomeUnknown(failure) => Some(failure.cause),
            Self::Refused(_) | Self::Rejected(_) => None,
        }
    }
}

/// A "no" from the gate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refusal {
    /// The kind of "no".
    pub reason: RefusalReason,
    /// A sentence for people.
    pub detail: String,
}

/// The kinds of "no".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalReason {
    /// No connection has that name.
    UnknownConnection,
    /// The arguments aren't the JSON text of an object.
    InvalidArguments,
    /// A rule forbids the call.
    Denied,
    /// The run has used up a limit.
    LimitReached,
}

/// What went wrong with the carrying of a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
#[error("{cause}: {detail}")]
pub struct Failure {
    /// The kind of failure.
    pub cause: Cause,
    /// A sentence for people; it may quote the server, so treat it as untrusted text.
    pub detail: String,
}

impl Failure {
    /// A failure of the kind `cause`.
    pub fn new(cause: Cause, detail: impl Into<String>) -> Self {
        Self { cause, detail: detail.into() }
    }
}

/// The kinds of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Cause {
    /// The deadline passed.
    Timeout,
    /// The caller gave up, or the run ended.
    Cancelled,
    /// The session closed, or its server ended.
    SessionStopped,
    /// The connection couldn't be opened.
    ConnectFailed,
    /// A request or an answer was over a limit of size.
    TooLarge,
    /// The server sent something that isn't MCP.
    ProtocolViolation,
    /// The server wants something that nobody here can give.
    InputRequired,
    /// The host itself failed.
    Internal,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::SessionStopped => "session stopped",
            Self::ConnectFailed => "connect failed",
            Self::TooLarge => "too large",
            Self::ProtocolViolation => "protocol violation",
            Self::InputRequired => "input required",
            Self::Internal => "internal",
        })
    }
}

/// An error answer of the server (JSON-RPC 2.0, section 5.1).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RpcError {
    /// The code, as the server sent it.
    pub code: i64,
    /// The message, as the server sent it.
    pub message: String,
    /// The data, where the server sent any.
    pub data: Option<Json>,
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}
