//! Arguments that a tool's schema wants to see in headers too (`x-mcp-header`, revision 2026-07-28).
//!
//! A tool whose schema asks for it in a wrong way must not be called at all, the specification says.

use std::collections::{BTreeMap, HashSet};

use http::{HeaderMap, HeaderName};
use serde_json::{Map, Value, value::RawValue};

use super::standard_headers::encode;
use crate::call::Json;

/// Which arguments of one tool go into which headers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ParamHeaders(Vec<(Vec<String>, HeaderName)>);

/// What is wrong with a tool's annotations.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Misannotated {
    /// It doesn't stand at a property that is reached from the root through properties alone.
    #[error("x-mcp-header stands where no argument is")]
    Misplaced,
    /// It isn't the rest of a header's name.
    #[error("x-mcp-header of {0} is no name of a header")]
    NoName(String),
    /// Only strings, integers and booleans have a form as a header.
    #[error("x-mcp-header of {0} stands at a value that has no form as a header")]
    NotPlain(String),
    /// Two properties want the same header.
    #[error("x-mcp-header of {0} is taken by another argument")]
    Taken(String),
}

impl ParamHeaders {
    /// Reads the annotations of a tool's input schema.
    pub(super) fn from_schema(schema: &Map<String, Value>) -> Result<Self, Misannotated> {
        let mut found = Vec::new();
        collect(schema, Some(&[]), &mut found)?;
        let mut names = HashSet::new();
        for (path, name) in &found {
            if !names.insert(name) {
                return Err(Misannotated::Taken(path.join(".")));
            }
        }
        Ok(Self(found))
    }

    /// Adds the headers of a call.
    pub(super) fn add(&self, headers: &mut HeaderMap, arguments: &Json) {
        for (path, name) in &self.0 {
            if let Some(text) = at(arguments.as_ref(), path).and_then(plain_text) {
                headers.insert(name.clone(), encode(&text));
            }
        }
    }
}

/// `path` leads to an argument, or is `None` where no argument is.
fn collect(
    schema: &Map<String, Value>,
    path: Option<&[String]>,
    found: &mut Vec<(Vec<String>, HeaderName)>,
) -> Result<(), Misannotated> {
    for (keyword, value) in schema {
        match keyword.as_str() {
            "x-mcp-header" => {
                let path = path.filter(|path| !path.is_empty()).ok_or(Misannotated::Misplaced)?;
                found.push((path.to_vec(), header_of(schema, value, path)?));
            }
            "properties" => {
                for (name, schema) in value.as_object().into_iter().flatten() {
                    let path = path.map(|path| [path, std::slice::from_ref(name)].concat());
                    collect_value(schema, path.as_deref(), found)?;
                }
            }
            // Maps from names to schemas.
            "$defs" | "definitions" | "dependentSchemas" | "patternProperties" => {
                for (_, schema) in value.as_object().into_iter().flatten() {
                    collect_value(schema, None, found)?;
                }
            }
            // Values rather than schemas.
            "default" | "const" | "enum" | "examples" | "dependentRequired" => {}
            _ => collect_value(value, None, found)?,
        }
    }
    Ok(())
}

fn collect_value(
    value: &Value,
    path: Option<&[String]>,
    found: &mut Vec<(Vec<String>, HeaderName)>,
) -> Result<(), Misannotated> {
    match value {
        Value::Object(schema) => collect(schema, path, found),
        Value::Array(schemas) => {
            schemas.iter().try_for_each(|schema| collect_value(schema, None, found))
        }
        _ => Ok(()),
    }
}

fn header_of(
    schema: &Map<String, Value>,
    annotation: &Value,
    path: &[String],
) -> Result<HeaderName, Misannotated> {
    let name = annotation.as_str().filter(|name| !name.is_empty());
    let header = name.and_then(|name| HeaderName::try_from(format!("mcp-param-{name}")).ok());
    let header = header.ok_or_else(|| Misannotated::NoName(path.join(".")))?;
    match schema.get("type").and_then(Value::as_str) {
        Some("string" | "integer" | "boolean") => Ok(header),
        _ => Err(Misannotated::NotPlain(path.join("."))),
    }
}

/// The value at a path, as it was written.
fn at<'a>(value: &'a RawValue, path: &[String]) -> Option<&'a RawValue> {
    path.iter().try_fold(value, |value, name| {
        let members: BTreeMap<String, &RawValue> = serde_json::from_str(value.get()).ok()?;
        members.get(name).copied()
    })
}

/// `null`, lists and objects have none.
fn plain_text(value: &RawValue) -> Option<String> {
    match value.get().as_bytes() {
        [b'"', ..] => serde_json::from_str(value.get()).ok(),
        [b't' | b'f' | b'-' | b'0'..=b'9', ..] => Some(value.get().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(schema: &str) -> Result<ParamHeaders, Misannotated> {
        ParamHeaders::from_schema(&serde_json::from_str(schema).unwrap())
    }

    #[test]
    fn annotated_arguments_become_headers_as_they_were_written() {
        let headers_of = read(
            r#"{"properties":{
                "region":{"type":"string","x-mcp-header":"Region"},
                "n":{"type":"integer","x-mcp-header":"N"},
                "deep":{"type":"object","properties":{"flag":{"type":"boolean","x-mcp-header":"Flag"}}},
                "gone":{"type":"string","x-mcp-header":"Gone"},
                "plain":{"type":"string"}}}"#,
        );
        let arguments = r#"{"region":"größe","n":12345678901234567890123,"deep":{"flag":false},"gone":null,"plain":"x"}"#;

        let mut headers = HeaderMap::new();
        headers_of.unwrap().add(&mut headers, &Json::from_text(arguments.to_owned()).unwrap());

        assert_eq!(headers["mcp-param-region"], "=?base64?Z3LDtsOfZQ==?=");
        assert_eq!(headers["mcp-param-n"], "12345678901234567890123");
        assert_eq!(headers["mcp-param-flag"], "false");
        assert_eq!(headers.len(), 3);
    }

    #[test]
    fn wrong_annotations_are_told_apart() {
        let property = |schema: &str| read(&format!(r#"{{"properties":{{"a":{schema}}}}}"#));
        let a = || "a".to_owned();

        for name in ["", "My Region", "Region:Primary", "Région", "R\\t1"] {
            let schema = format!(r#"{{"type":"string","x-mcp-header":"{name}"}}"#);
            assert_eq!(property(&schema), Err(Misannotated::NoName(a())), "{name}");
        }
        for kind in ["object", "array", "null", "number"] {
            let schema = format!(r#"{{"type":"{kind}","x-mcp-header":"A"}}"#);
            assert_eq!(property(&schema), Err(Misannotated::NotPlain(a())), "{kind}");
        }
        assert_eq!(read(r#"{"x-mcp-header":"A"}"#), Err(Misannotated::Misplaced));
        let in_items = r#"{"items":{"type":"string","x-mcp-header":"A"}}"#;
        assert_eq!(property(in_items), Err(Misannotated::Misplaced));
        let twice = r#"{"properties":{"a":{"type":"string","x-mcp-header":"Same"},"b":{"type":"string","x-mcp-header":"same"}}}"#;
        assert!(matches!(read(twice), Err(Misannotated::Taken(_))));
    }

    #[test]
    fn a_property_may_be_called_like_the_annotation() {
        assert_eq!(
            read(r#"{"properties":{"x-mcp-header":{"type":"string"}}}"#),
            Ok(ParamHeaders::default())
        );
        assert_eq!(
            read(r#"{"$defs":{"x-mcp-header":{}},"default":{"x-mcp-header":1}}"#),
            Ok(ParamHeaders::default())
        );
    }
}
