//! The rule for `output` and `content`, for any blocks: nothing is dropped, and nothing stands twice.

use base64::{Engine, prelude::BASE64_STANDARD};
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Value, json, value::RawValue};

use super::*;
use crate::cases::cases;

/// One block as a server writes it, and what has to come of it.
#[derive(Clone, Debug)]
enum Sent {
    /// Text, which goes into the output unless there is structured content.
    Text { wire: String, text: String },
    /// Anything else, which goes into the content.
    Other { wire: String, content: Content },
}

impl Sent {
    fn wire(&self) -> &str {
        match self {
            Self::Text { wire, .. } | Self::Other { wire, .. } => wire,
        }
    }
}

fn raw(text: &str) -> Json {
    Json::from_text(text.to_owned()).unwrap()
}

/// A block that has to be passed on as it came.
fn as_it_came(wire: String) -> Sent {
    Sent::Other { content: Content::Other(raw(&wire)), wire }
}

fn known(wire: &Value, content: Content) -> Sent {
    Sent::Other { wire: wire.to_string(), content }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ \n\t]{0,2}[\\[{][\\]}a-z0-9\": ,]{0,10}",
        select(vec![
            "",
            "{}",
            " [1, 2.50]",
            "{\"a\":1}",
            "{",
            "[]]",
            "\u{feff}{}",
            "7",
            "\"x\"",
            "null"
        ])
        .prop_map(str::to_owned),
    ]
}

fn media(kind: &'static str) -> impl Strategy<Value = Sent> {
    (text(), vec(any::<u8>(), 0..40)).prop_map(move |(mime_type, data)| {
        let wire =
            json!({"type": kind, "mimeType": mime_type, "data": BASE64_STANDARD.encode(&data)});
        let media = Media { mime_type, data };
        let content = if kind == "image" { Content::Image(media) } else { Content::Audio(media) };
        known(&wire, content)
    })
}

fn link() -> impl Strategy<Value = Sent> {
    let parts = (
        text(),
        text(),
        option::of(text()),
        option::of(text()),
        option::of(text()),
        option::of(any::<u64>()),
    );
    parts.prop_map(|(uri, name, title, description, mime_type, size)| {
        let wire = json!({"type": "resource_link", "uri": uri, "name": name, "title": title, "more": [1],
            "description": description, "mimeType": mime_type, "size": size});
        let link = ResourceLink { uri, name, title, description, mime_type, size };
        known(&wire, Content::ResourceLink(link))
    })
}

fn resource() -> impl Strategy<Value = Sent> {
    let body =
        prop_oneof![text().prop_map(Body::Text), vec(any::<u8>(), 0..40).prop_map(Body::Blob)];
    (text(), option::of(text()), body).prop_map(|(uri, mime_type, body)| {
        let mut wire = json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime_type}});
        match &body {
            Body::Text(text) => wire["resource"]["text"] = json!(text),
            Body::Blob(blob) => wire["resource"]["blob"] = json!(BASE64_STANDARD.encode(blob)),
        }
        known(&wire, Content::Resource(Embedded { uri, mime_type, body }))
    })
}

/// Blocks of no known kind, of a known one without what it must have, and what is no block at all.
fn strange() -> impl Strategy<Value = Sent> {
    let garbage =
        prop_oneof!["[a-z!=]{1,9}[!_-]", Just("A".to_owned()), Just("QQ==QQ==".to_owned())];
    prop_oneof![
        garbage.prop_map(|data| as_it_came(
            json!({"type": "image", "mimeType": "a/b", "data": data}).to_string()
        )),
        "[A-Z]{1,9}".prop_map(|kind| as_it_came(format!(r#"{{"type": "{kind}", "n": 1e999}}"#))),
        select(vec![
            "null",
            "7",
            "[]",
            "\"text\"",
            "{}",
            r#"{"type": 7}"#,
            r#"{"type":"text"}"#,
            r#"{"type":"text","text":null}"#,
            r#"{"type":"text","text":{"a":1}}"#,
            r#"{"type":"image","data":"AA=="}"#,
            r#"{"type":"audio","mimeType":"a/b"}"#,
            r#"{"type":"resource"}"#,
            r#"{"type":"resource","resource":{"uri":"u"}}"#,
            r#"{"type":"resource","resource":{"uri":"u","blob":"!"}}"#,
            r#"{"type":"resource_link","uri":"u"}"#,
            r#"{"type":"resource_link","uri":"u","name":"n","size":-1}"#,
            r#"{"text":"no type"}"#,
        ])
        .prop_map(|wire| as_it_came(wire.to_owned())),
    ]
}

fn block() -> impl Strategy<Value = Sent> {
    let said = text().prop_map(|text| Sent::Text {
        wire: json!({"type": "text", "text": text, "annotations": {"priority": 1}}).to_string(),
        text,
    });
    prop_oneof![3 => said, 1 => media("image"), 1 => media("audio"), 1 => link(), 1 => resource(), 2 => strange()]
}

fn structured() -> impl Strategy<Value = Option<&'static str>> {
    option::of(select(vec![
        "{}",
        r#"{"n": 1.50, "m": 123456789012345678901234567890}"#,
        "[ 1 ]",
        "\"text\"",
        "7",
        "false",
        r#"{"a":1,"a":2}"#,
        r#""\ud800""#,
    ]))
}

/// The output by the rule: structured content, or what the texts come to.
fn output_of(structured: Option<&str>, texts: &[&str]) -> String {
    match (structured, texts) {
        (Some(structured), _) => structured.to_owned(),
        (None, []) => "null".to_owned(),
        (None, [text]) => {
            let is_container = text.trim_start().starts_with(['{', '[']);
            match serde_json::from_str::<&RawValue>(text) {
                Ok(json) if is_container => json.get().to_owned(),
                _ => serde_json::to_string(text).unwrap(),
            }
        }
        (None, texts) => serde_json::to_string(texts).unwrap(),
    }
}

fn convert(text: &str) -> Result<Answer, Failure> {
    answer_from_wire(serde_json::from_str::<&RawValue>(text).unwrap())
}

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn every_block_is_in_the_output_or_in_the_content_and_in_no_more_than_one(
        blocks in vec(block(), 0..8), structured in structured(), is_error in option::of(any::<bool>()),
        meta in option::of(Just(r#"{"k": 1.0}"#)),
    ) {
        let wires: Vec<_> = blocks.iter().map(Sent::wire).collect();
        let mut result = format!("{{\"content\": [{}]", wires.join(", "));
        for (key, text) in [
            ("structuredContent", structured.map(str::to_owned)),
            ("isError", is_error.map(|it| it.to_string())),
            ("_meta", meta.map(str::to_owned)),
        ] {
            result += &text.map_or_else(String::new, |text| format!(", \"{key}\": {text}"));
        }
        result += "}";
        let texts: Vec<&str> = blocks
            .iter()
            .filter_map(|block| match block {
                Sent::Text { text, .. } => Some(text.as_str()),
                Sent::Other { .. } => None,
            })
            .collect();
        let content: Vec<Content> = blocks
            .iter()
            .filter_map(|block| match block {
                Sent::Other { content, .. } => Some(content.clone()),
                Sent::Text { text, .. } => structured.map(|_| Content::Text(text.clone())),
            })
            .collect();

        let Ok(Answer::Complete(came)) = convert(&result) else {
            return Err(TestCaseError::fail(result));
        };

        prop_assert_eq!(came.output.as_str(), output_of(structured, &texts));
        prop_assert_eq!(came.content, content);
        prop_assert_eq!(came.meta, meta.map(raw));
        let outcome = if is_error == Some(true) { Outcome::Error } else { Outcome::Ok };
        prop_assert_eq!(came.outcome, outcome);
    }

    #[test]
    fn any_json_is_an_answer_or_a_violation(
        keys in vec(select(vec!["content", "structuredContent", "isError", "_meta", "resultType", "taskId", "x"]), 0..5),
        values in vec(
            select(vec!["null", "7", "[]", "{}", "\"complete\"", "\"task\"", "\"input_required\"", "true", "[{}]", "[[]]"]),
            5,
        ),
    ) {
        let members: Vec<_> =
            keys.iter().zip(&values).map(|(key, value)| format!("\"{key}\": {value}")).collect();

        match convert(&format!("{{{}}}", members.join(", "))) {
            Ok(_) => {}
            Err(failure) => {
                prop_assert_eq!(failure.cause, Cause::ProtocolViolation);
                prop_assert!(!failure.detail.is_empty());
            }
        }
    }
}

#[test]
fn depth_is_no_way_to_the_stack() {
    let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
    let text = Value::String(deep.clone());

    let structured = convert(&format!("{{\"structuredContent\": {deep}}}"));
    let said = convert(&format!("{{\"content\": [{{\"type\": \"text\", \"text\": {text}}}]}}"));
    let block = convert(&format!("{{\"content\": [{deep}]}}"));

    for came in [structured, said, block] {
        assert!(matches!(came, Ok(Answer::Complete(_))));
    }
}
