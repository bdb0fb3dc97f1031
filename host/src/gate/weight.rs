//! How many bytes an answer keeps in memory: what a server can make a run hold.

use crate::call::{Body, CallError, Content, Json, ToolCallResult};

/// Bytes of what the server sent, as the guest gets it.
pub(super) fn of_result(result: &ToolCallResult) -> usize {
    let content: usize = result.content.iter().map(of_content).sum();
    result.output.as_str().len() + content + of_json(result.meta.as_ref())
}

/// Bytes of what an error says.
pub(super) fn of_error(error: &CallError) -> usize {
    match error {
        CallError::Refused(refusal) => refusal.detail.len(),
        CallError::NotSent(failure) | CallError::OutcomeUnknown(failure) => failure.detail.len(),
        CallError::Rejected(rejected) => rejected.message.len() + of_json(rejected.data.as_ref()),
    }
}

fn of_json(json: Option<&Json>) -> usize {
    json.map_or(0, |json| json.as_str().len())
}

fn of_content(content: &Content) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    match content {
        Content::Text(text) => text.len(),
        Content::Image(media) | Content::Audio(media) => media.mime_type.len() + media.data.len(),
        Content::ResourceLink(link) => {
            let optional = [&link.title, &link.description, &link.mime_type];
            link.uri.len() + link.name.len() + optional.map(text).iter().sum::<usize>()
        }
        Content::Resource(embedded) => {
            let body = match &embedded.body {
                Body::Text(text) => text.len(),
                Body::Blob(bytes) => bytes.len(),
            };
            embedded.uri.len() + text(&embedded.mime_type) + body
        }
        Content::Other(json) => json.as_str().len(),
    }
}
