//! The input schema that a server lists for a tool, as far as arguments can be held against it before they are sent.
//!
//! This is help for whoever wrote the call, and the server has the last word. So, other than in a rule, what isn't understood
//! asks for nothing: keywords and formats that aren't known here, other dialects, schemas that never end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value};

use super::{
    constraint::{Constraint, Fit},
    reading,
    schema::{Holds, holds},
};
use crate::{call::Json, limits::GrantLimits};

/// What of an input schema is understood.
#[derive(Debug)]
pub(crate) struct InputSchema {
    constraint: Constraint,
    limits: GrantLimits,
}

impl InputSchema {
    /// `None` for a schema that can't be held against anything.
    pub(crate) fn read(schema: &Json, limits: &GrantLimits) -> Option<Self> {
        let compile = || {
            let schema = serde_json::from_str(schema.as_str()).ok()?;
            let understood = Json::from_value(&understood(&schema));
            Constraint::compile(&understood, limits).ok()
        };
        // The schema is a stranger's, and one that makes the compiler fail is one that isn't understood.
        let constraint = catch_unwind(AssertUnwindSafe(compile)).ok()??;
        Some(Self { constraint, limits: limits.clone() })
    }

    /// What is wrong with arguments, in words. Nothing is, where they can't be judged.
    pub(crate) fn fault(&self, arguments: &Json) -> Option<String> {
        let value = reading::read(arguments.as_str(), &self.limits).ok()?;
        match self.constraint.fits(&value) {
            Fit::No(_) => self.constraint.explain(&value, &self.limits),
            Fit::Yes | Fit::Unclear => None,
        }
    }
}

/// The keywords that have a meaning here.
fn understood(schema: &Value) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    // OpenAPI's word for "or null" would change what its neighbours mean.
    if members.get("nullable") == Some(&Value::Bool(true)) {
        return Value::Bool(true);
    }
    let known = members.iter().filter_map(|(keyword, value)| understood_keyword(keyword, value));
    Value::Object(known.collect())
}

fn understood_keyword(keyword: &str, value: &Value) -> Option<(String, Value)> {
    // What "$defs" was called before; most schemas say one of the two.
    let keyword = if keyword == "definitions" { "$defs" } else { keyword };
    let value = match (keyword, value) {
        ("$ref", Value::String(reference)) => {
            Value::String(reference.replacen("#/definitions/", "#/$defs/", 1))
        }
        _ => match (holds(keyword)?, value) {
            (Holds::Words, _) => return None,
            (Holds::Schema, schema) => understood(schema),
            (Holds::Schemas, Value::Array(schemas)) => schemas.iter().map(understood).collect(),
            (Holds::NamedSchemas, Value::Object(schemas)) => {
                let named = schemas.iter().map(|(name, schema)| (name.clone(), understood(schema)));
                Value::Object(named.collect::<Map<_, _>>())
            }
            (_, value) => value.clone(),
        },
    };
    Some((keyword.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(schema: &Value) -> Option<InputSchema> {
        InputSchema::read(&Json::from_value(schema), &GrantLimits::of_input_schemas())
    }

    fn fault(schema: &Value, arguments: &Value) -> Option<String> {
        read(schema).expect("it is understood").fault(&Json::from_value(arguments))
    }

    #[test]
    fn arguments_are_told_what_is_wrong_with_them() {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "x-vendor": 1,
            "properties": {
                "path": {"type": "string", "format": "made-up"},
                "limit": {"$ref": "#/definitions/limit"},
                "mode": {"enum": ["fast", "slow"]},
            },
            "required": ["path"], "additionalProperties": false,
            "definitions": {"limit": {"type": "integer", "maximum": 9}},
        });
        for (arguments, words) in [
            (json!({}), vec!["\"path\" is a required property"]),
            (json!({"path": 1}), vec!["/path: ", "is not of type \"string\""]),
            (json!({"path": "a", "pth": 1}), vec!["'pth' was unexpected"]),
            (json!({"path": "a", "limit": 10}), vec!["/limit: ", "maximum of 9"]),
            (
                json!({"limit": "1", "mode": "no"}),
                vec!["\"path\" is", "/limit: ", "; /mode: ", "fast"],
            ),
        ] {
            let said = fault(&schema, &arguments).expect("they don't fit");
            assert!(words.iter().all(|word| said.contains(word)), "{arguments}: {said}");
        }
        assert_eq!(fault(&schema, &json!({"path": "a", "limit": 9, "mode": "slow"})), None);
    }

    #[test]
    fn what_is_not_understood_asks_for_nothing() {
        for schema in [
            json!({"properties": {"a": {"type": "string", "nullable": true}}}),
            json!({"properties": {"a": {"type": "null", "nullables": true}}}),
            json!({"dependencies": {"b": ["a"]}}),
            json!({"properties": {"b": {"type": "string", "format": "date"}}}),
        ] {
            assert_eq!(fault(&schema, &json!({"a": null, "b": "c"})), None, "{schema}");
        }
        for schema in [
            json!({"$ref": "#"}),
            json!({"properties": {"child": {"$ref": "#"}}}),
            json!({"$ref": "https://example.com/s"}),
            json!({"properties": {"a": {"pattern": "(?=x)"}}}),
            json!({"type": "strin"}),
            json!({"items": [{}]}),
            json!({"exclusiveMinimum": true}),
            json!([]),
        ] {
            assert!(read(&schema).is_none(), "{schema}");
        }
    }

    #[test]
    fn what_would_take_long_is_not_looked_at() {
        let patterns: Vec<Value> = (0..600).map(|n| json!({"pattern": n.to_string()})).collect();
        let long = json!({"properties": {"a": {"type": "integer"}}});
        let too_many: Vec<u32> = (0..10_001).collect();

        assert!(read(&json!({"anyOf": patterns})).is_none());
        assert!(read(&json!({"pattern": "(\\w{100}){100}"})).is_none());
        assert_eq!(fault(&long, &json!({"a": "x".repeat(256 << 10)})), None);
        assert_eq!(fault(&long, &json!({"a": too_many})), None);
    }

    #[test]
    fn what_is_told_has_a_length_that_one_can_read() {
        let names: Vec<String> = (0..1_000).map(|name| name.to_string()).collect();
        let schema = json!({"properties": {"a": {"enum": names}}, "required": names});

        let said = fault(&schema, &json!({"a": "x".repeat(100_000)})).unwrap();

        assert!(said.len() < 1_000, "{said}");
    }
}
