//! From the `result` of a `tools/call` as the server wrote it to the canonical [`ToolCallResult`].
//!
//! The rule for `output` is in `wit/tools.wit`. Nothing is parsed further than the rule needs, so that numbers keep their
//! spelling and blocks of kinds that nobody here knows survive.

#[cfg(test)]
mod any_result;
mod interim;

use std::borrow::Cow;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::call::{
    Body, Cause, Content, Embedded, Failure, Json, Media, Outcome, ResourceLink, ToolCallResult,
};

pub(crate) use self::interim::{
    InputRequired, TaskState, TaskStatus, error_from_wire, task_from_wire,
};

/// What answers one request of a tool call.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The last word.
    Complete(ToolCallResult),
    /// The server wants the call again, with input.
    InputRequired(InputRequired),
    /// The server works on, and is to be asked how far it is.
    Task(TaskState),
}

/// `CallToolResult` of MCP, read no deeper than its members.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireResult<'w> {
    #[serde(borrow)]
    content: Option<Vec<&'w RawValue>>,
    /// `null` counts as not sent: servers of the older revisions write it for "none", and the output is `null` either way
    /// unless there is text.
    #[serde(borrow)]
    structured_content: Option<&'w RawValue>,
    is_error: Option<bool>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'w RawValue>,
    #[serde(borrow)]
    result_type: Option<Cow<'w, str>>,
}

/// The members of every kind of content block that has a case of its own.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireBlock<'w> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'w, str>,
    #[serde(borrow)]
    text: Option<&'w RawValue>,
    #[serde(borrow)]
    data: Option<Cow<'w, str>>,
    #[serde(borrow)]
    mime_type: Option<Cow<'w, str>>,
    #[serde(borrow)]
    uri: Option<Cow<'w, str>>,
    #[serde(borrow)]
    name: Option<Cow<'w, str>>,
    #[serde(borrow)]
    title: Option<Cow<'w, str>>,
    #[serde(borrow)]
    description: Option<Cow<'w, str>>,
    size: Option<u64>,
    #[serde(borrow)]
    resource: Option<WireResource<'w>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireResource<'w> {
    #[serde(borrow)]
    uri: Cow<'w, str>,
    #[serde(borrow)]
    mime_type: Option<Cow<'w, str>>,
    #[serde(borrow)]
    text: Option<Cow<'w, str>>,
    #[serde(borrow)]
    blob: Option<Cow<'w, str>>,
}

/// Reads what answers a tool call, or a task's result.
///
/// # Errors
///
/// When it isn't the result of a tool call at all.
pub(crate) fn answer_from_wire(raw: &RawValue) -> Result<Answer, Failure> {
    let wire: WireResult<'_> = serde_json::from_str(raw.get())
        .map_err(|error| violation(format!("the result is not one of a tool call: {error}")))?;
    match wire.result_type.as_deref() {
        None | Some("complete") => {}
        Some("input_required") => return interim::input_from_wire(raw).map(Answer::InputRequired),
        Some("task") => return task_from_wire(raw).map(Answer::Task),
        Some(other) => {
            return Err(violation(format!("the result is of the unknown type {other:?}")));
        }
    }
    if wire.content.is_none() && wire.structured_content.is_none() {
        return Err(violation("the result has neither `content` nor `structuredContent`"));
    }
    Ok(Answer::Complete(canonical(wire)))
}

fn violation(detail: impl Into<String>) -> Failure {
    Failure::new(Cause::ProtocolViolation, detail)
}

fn canonical(wire: WireResult<'_>) -> ToolCallResult {
    let mut texts = Vec::new();
    let mut content = Vec::new();
    for raw in wire.content.unwrap_or_default() {
        match read_block(raw) {
            Block::Text(text) if wire.structured_content.is_none() => texts.push(text),
            Block::Text(text) => content.push(match unescaped(text) {
                Some(text) => Content::Text(text),
                None => Content::Other(raw.to_owned().into()),
            }),
            Block::Other(other) => content.push(other),
        }
    }
    let output = match (wire.structured_content, texts.as_slice()) {
        (Some(structured), _) => structured.to_owned().into(),
        (None, []) => Json::null(),
        (None, [text]) => single_text(text),
        (None, texts) => Json::from_value(texts),
    };
    ToolCallResult {
        outcome: if wire.is_error == Some(true) { Outcome::Error } else { Outcome::Ok },
        output,
        content,
        meta: wire.meta.map(|meta| meta.to_owned().into()),
    }
}

/// The JSON that the text holds if that is an object or an array, and otherwise the text, as the JSON string it came as.
fn single_text(text: &RawValue) -> Json {
    let first = text.get()[1..].trim_start().bytes().next();
    // An escape may stand for anything, white space too.
    if matches!(first, Some(b'{' | b'[' | b'\\'))
        && let Some(inner) = unescaped(text)
        && inner.trim_start().starts_with(['{', '['])
        && let Ok(json) = Json::from_text(inner)
    {
        return json;
    }
    text.to_owned().into()
}

fn unescaped(text: &RawValue) -> Option<String> {
    serde_json::from_str(text.get()).ok()
}

enum Block<'w> {
    /// A JSON string, still escaped.
    Text(&'w RawValue),
    Other(Content),
}

/// Reads one block. One that lacks a member that its kind must have, or that isn't base64 where it should be, is passed on
/// as it came.
fn read_block(raw: &RawValue) -> Block<'_> {
    let known = serde_json::from_str::<WireBlock<'_>>(raw.get()).ok().and_then(|block| {
        if block.kind == "text" {
            let text = block.text.filter(|text| text.get().starts_with('"'))?;
            return Some(Block::Text(text));
        }
        known_content(block).map(Block::Other)
    });
    known.unwrap_or_else(|| Block::Other(Content::Other(raw.to_owned().into())))
}

fn known_content(block: WireBlock<'_>) -> Option<Content> {
    match &*block.kind {
        "image" => media(block).map(Content::Image),
        "audio" => media(block).map(Content::Audio),
        "resource_link" => Some(Content::ResourceLink(ResourceLink {
            uri: block.uri?.into_owned(),
            name: block.name?.into_owned(),
            title: block.title.map(Cow::into_owned),
            description: block.description.map(Cow::into_owned),
            mime_type: block.mime_type.map(Cow::into_owned),
            size: block.size,
        })),
        "resource" => {
            let resource = block.resource?;
            let body = match (resource.text, resource.blob) {
                (Some(text), _) => Body::Text(text.into_owned()),
                (None, Some(blob)) => Body::Blob(BASE64_STANDARD.decode(&*blob).ok()?),
                (None, None) => return None,
            };
            Some(Content::Resource(Embedded {
                uri: resource.uri.into_owned(),
                mime_type: resource.mime_type.map(Cow::into_owned),
                body,
            }))
        }
        _ => None,
    }
}

fn media(block: WireBlock<'_>) -> Option<Media> {
    Some(Media {
        mime_type: block.mime_type?.into_owned(),
        data: BASE64_STANDARD.decode(&*block.data?).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(text: &str) -> Result<ToolCallResult, Failure> {
        match answer_from_wire(serde_json::from_str::<&RawValue>(text).unwrap())? {
            Answer::Complete(result) => Ok(result),
            other => panic!("not the last word: {other:?}"),
        }
    }

    fn output(text: &str) -> String {
        convert(text).unwrap().output.into_text()
    }

    #[test]
    fn structured_content_is_the_output_unchanged() {
        let result = convert(
            r#"{"content":[{"type":"text","text":"hi"}],"structuredContent":{"n":12345678901234567890123, "f":1.0e2}}"#,
        )
        .unwrap();

        assert_eq!(result.output.as_str(), r#"{"n":12345678901234567890123, "f":1.0e2}"#);
        assert_eq!(result.content, [Content::Text("hi".into())]);
    }

    #[test]
    fn the_output_of_text_follows_the_rule() {
        assert_eq!(output(r#"{"content":[]}"#), "null");
        assert_eq!(output(r#"{"content":[{"type":"text","text":"a\nb"}]}"#), r#""a\nb""#);
        assert_eq!(
            output(r#"{"content":[{"type":"text","text":"{\"a\":1.50}"}]}"#),
            r#"{"a":1.50}"#
        );
        assert_eq!(output(r#"{"content":[{"type":"text","text":"\n [1]"}]}"#), "[1]");
        assert_eq!(output(r#"{"content":[{"type":"text","text":"[1"}]}"#), r#""[1""#);
        assert_eq!(output(r#"{"content":[{"type":"text","text":"42"}]}"#), r#""42""#);
        assert_eq!(
            output(r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"{}"}]}"#),
            r#"["a","{}"]"#
        );
        assert_eq!(
            output(r#"{"content":[{"type":"text","text":""}],"structuredContent":null}"#),
            r#""""#
        );
    }

    #[test]
    fn other_blocks_stay_in_the_order_of_the_server() {
        let result = convert(
            r#"{"content":[{"type":"image","data":"AQI=","mimeType":"image/png"},{"type":"text","text":"x"},
                {"type":"hologram","z":1},{"type":"audio","data":"!","mimeType":"a/b"}],"isError":true,"_meta":{"k":1}}"#,
        )
        .unwrap();

        assert_eq!(result.outcome, Outcome::Error);
        assert_eq!(result.output.as_str(), r#""x""#);
        assert_eq!(result.meta.unwrap().as_str(), r#"{"k":1}"#);
        let [Content::Image(image), Content::Other(hologram), Content::Other(bad_base64)] =
            result.content.as_slice()
        else {
            panic!("{:?}", result.content)
        };
        assert_eq!(image.data, [1, 2]);
        assert_eq!(hologram.as_str(), r#"{"type":"hologram","z":1}"#);
        assert!(bad_base64.as_str().contains("audio"));
    }

    #[test]
    fn what_is_no_result_of_a_call_is_a_protocol_violation() {
        for text in
            ["[]", "\"x\"", "{}", r#"{"content":3}"#, r#"{"content":[],"resultType":"poem"}"#]
        {
            assert_eq!(convert(text).unwrap_err().cause, Cause::ProtocolViolation, "{text}");
        }
    }
}
