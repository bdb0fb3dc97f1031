//! The tools in short, for prompts: one line for each.

use super::{
    TypesError,
    doc::{self, quoted},
    reader::{Server, Tool, sorted},
    shape::{Object, Shape},
    typescript::{key, may_be_empty},
};
use crate::limits::TypesLimits;

/// One line for each tool, under one for its server.
///
/// # Errors
///
/// When two names are the same as identifiers, or the text is longer than its limit.
pub(crate) fn compact(servers: &[Server], limits: &TypesLimits) -> Result<String, TypesError> {
    let mut text = String::new();
    for server in sorted(servers)? {
        let start = match key(&server.name) {
            name if name.starts_with('"') => format!("tools[{name}]"),
            name => format!("tools.{name}"),
        };
        text.push_str(&start);
        text.push_str(":\n");
        for tool in &server.tools {
            text.push_str(&line(tool, limits));
            text.push('\n');
            if text.len() > limits.max_output_bytes {
                return Err(TypesError::TooLong(limits.max_output_bytes));
            }
        }
    }
    Ok(text)
}

fn line(tool: &Tool, limits: &TypesLimits) -> String {
    let name = match key(&tool.name) {
        name if name.starts_with('"') => format!("[{name}]"),
        name => name,
    };
    let arguments = match &tool.input {
        Shape::Object(object) if object.fields.is_empty() => String::new(),
        input => {
            let optional = if may_be_empty(input) { "?" } else { "" };
            format!("args{optional}: {}", short(input, tool))
        }
    };
    let output = tool.output.as_ref().map_or("unknown".to_owned(), |output| short(output, tool));
    let mut line = format!("  {name}({arguments}): {output}");
    for definition in &tool.definitions {
        line.push_str(&format!("; {} = {}", definition.name, short(&definition.shape, tool)));
    }
    let mut about = doc::first_sentence(&tool.notes.description, limits);
    if tool.notes.is_deprecated {
        about = format!("Deprecated. {about}");
    }
    if tool.hints.read_only == Some(true) {
        about = format!("{about} (read-only)");
    }
    let about = about.trim();
    if !about.is_empty() {
        line.push_str(&format!(" \u{2014} {about}"));
    }
    line
}

/// A type on one line.
fn short(shape: &Shape, tool: &Tool) -> String {
    match shape {
        Shape::Unknown => "unknown".to_owned(),
        Shape::Never => "never".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Boolean => "boolean".to_owned(),
        Shape::Integer | Shape::Number => "number".to_owned(),
        Shape::String => "string".to_owned(),
        Shape::Literal(serde_json::Value::String(text)) => quoted(text),
        Shape::Literal(value) => doc::line(&value.to_string()),
        Shape::Array(item) => format!("{}[]", enclosed(item, tool)),
        Shape::Tuple(tuple) => {
            let mut items: Vec<String> = tuple.items.iter().map(|item| short(item, tool)).collect();
            items.extend(tuple.rest.iter().map(|rest| format!("...{}[]", enclosed(rest, tool))));
            format!("[{}]", items.join(", "))
        }
        Shape::Object(object) => members(object, tool),
        Shape::Union(parts) => joined(parts, "|", tool),
        Shape::Intersection(parts) => joined(parts, "&", tool),
        Shape::Named(number) => tool.definitions[*number].name.clone(),
    }
}

fn members(object: &Object, tool: &Tool) -> String {
    let fields = object.fields.iter().map(|field| {
        let optional = if field.is_required { "" } else { "?" };
        format!("{}{optional}: {}", key(&field.name), short(&field.shape, tool))
    });
    let mut members: Vec<String> = fields.collect();
    if let Some(rest) = &object.rest {
        members.push(format!("[name: string]: {}", short(rest, tool)));
    }
    format!("{{{}}}", members.join(", "))
}

fn joined(parts: &[Shape], sign: &str, tool: &Tool) -> String {
    parts.iter().map(|part| enclosed(part, tool)).collect::<Vec<_>>().join(sign)
}

fn enclosed(shape: &Shape, tool: &Tool) -> String {
    match shape {
        Shape::Union(_) | Shape::Intersection(_) => format!("({})", short(shape, tool)),
        shape => short(shape, tool),
    }
}
