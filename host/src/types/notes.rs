//! What a schema says to people: of a tool, a type or a field.

use serde_json::{Map, Value};

use crate::limits::TypesLimits;

/// Words of a schema that are no type. They are the server's own, cut, and not yet safe in a comment.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Notes {
    pub(super) description: String,
    /// JSON.
    pub(super) default: Option<String>,
    /// Name and value of what a type can't say, such as `format` and `date-time`.
    pub(super) bounds: Vec<(&'static str, String)>,
    pub(super) is_deprecated: bool,
}

/// Keywords that narrow a type, told in the comment.
const BOUNDS: &[&str] = &[
    "format",
    "pattern",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
];

impl Notes {
    pub(super) fn read(schema: &Map<String, Value>, limits: &TypesLimits) -> Self {
        let text = |key: &str| schema.get(key).and_then(Value::as_str).map(str::trim);
        let description = text("description").or_else(|| text("title")).unwrap_or_default();
        let bounds = BOUNDS.iter().filter_map(|key| {
            let note = match schema.get(*key)? {
                Value::String(text) => text.clone(),
                value @ (Value::Number(_) | Value::Bool(true)) => value.to_string(),
                _ => return None,
            };
            is_short(&note, limits).then_some((*key, note))
        });
        let default = schema.get("default").map(Value::to_string);
        Self {
            description: cut(description, limits),
            default: default.filter(|default| is_short(default, limits)),
            bounds: bounds.collect(),
            is_deprecated: schema.get("deprecated") == Some(&Value::Bool(true)),
        }
    }
}

fn is_short(note: &str, limits: &TypesLimits) -> bool {
    note.chars().nth(limits.max_note_chars).is_none()
}

/// The text, or as much of it as a comment may have.
pub(super) fn cut(text: &str, limits: &TypesLimits) -> String {
    match text.char_indices().nth(limits.max_doc_chars) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
