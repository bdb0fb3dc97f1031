//! The headers of the 2026-07-28 revision that let intermediaries route a message without reading it.

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderMap, HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage};

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Adds `Mcp-Method`, and `Mcp-Name` where the method has one.
pub(super) fn add(headers: &mut HeaderMap, message: &ClientJsonRpcMessage) {
    let value = match message {
        JsonRpcMessage::Request(request) => serde_json::to_value(&request.request),
        JsonRpcMessage::Notification(notification) => {
            serde_json::to_value(&notification.notification)
        }
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => return,
    };
    let Ok(value) = value else { return };
    let Some(method) = value["method"].as_str() else { return };
    if let Ok(value) = HeaderValue::from_str(method) {
        headers.insert(METHOD, value);
    }
    if let Some(name) = name_member(method).and_then(|member| value["params"][member].as_str()) {
        headers.insert(NAME, encode(name));
    }
}

/// Which member of `params` names what a request is about.
fn name_member(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// A text as a header value: as it is where it survives that, else wrapped in base64.
pub(super) fn encode(text: &str) -> HeaderValue {
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        && text.trim_matches([' ', '\t']) == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    let value = if is_plain {
        HeaderValue::from_str(text)
    } else {
        HeaderValue::from_str(&format!("=?base64?{}?=", BASE64_STANDARD.encode(text)))
    };
    value.expect("printable ASCII is a header value")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_header_can_hold_are_wrapped() {
        assert_eq!(encode("read file"), "read file");
        assert_eq!(encode("größe"), "=?base64?Z3LDtsOfZQ==?=");
        assert_eq!(encode(" padded"), "=?base64?IHBhZGRlZA==?=");
        assert_eq!(encode("=?base64?eA==?="), "=?base64?PT9iYXNlNjQ/ZUE9PT89?=");
    }
}
