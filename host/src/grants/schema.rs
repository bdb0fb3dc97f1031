//! Which JSON Schemas may be constraints: those that mean what they say, and are done in bounded time.
//!
//! A validator passes over what it doesn't know, and a misspelt keyword would then constrain nothing. So a keyword that isn't
//! listed here is an error, and so is whatever makes the meaning depend on another place: other dialects, other documents,
//! anchors, recursion. Keywords that validators have disagreed about aren't listed: a schema that decides what may happen is
//! written with the others.

use serde_json::{Map, Value};

use crate::limits::GrantLimits;

/// The only dialect.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Formats of which there are no two opinions, and which are checked without compiling anything of the guest's.
const FORMATS: &[&str] = &["date", "date-time", "ipv4", "ipv6", "time", "uri", "uuid"];

/// What a keyword holds.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Holds {
    /// Words for people.
    Words,
    /// Something of its own, which the validator checks.
    Terms,
    Schema,
    Schemas,
    NamedSchemas,
}

const KEYWORDS: &[(&str, Holds)] = &[
    ("$comment", Holds::Words),
    ("default", Holds::Words),
    ("deprecated", Holds::Words),
    ("description", Holds::Words),
    ("examples", Holds::Words),
    ("readOnly", Holds::Words),
    ("title", Holds::Words),
    ("writeOnly", Holds::Words),
    ("const", Holds::Terms),
    ("dependentRequired", Holds::Terms),
    ("enum", Holds::Terms),
    ("exclusiveMaximum", Holds::Terms),
    ("exclusiveMinimum", Holds::Terms),
    ("maxItems", Holds::Terms),
    ("maxLength", Holds::Terms),
    ("maxProperties", Holds::Terms),
    ("maximum", Holds::Terms),
    ("minItems", Holds::Terms),
    ("minLength", Holds::Terms),
    ("minProperties", Holds::Terms),
    ("minimum", Holds::Terms),
    ("pattern", Holds::Terms),
    ("required", Holds::Terms),
    ("type", Holds::Terms),
    ("uniqueItems", Holds::Terms),
    ("additionalProperties", Holds::Schema),
    ("contains", Holds::Schema),
    ("else", Holds::Schema),
    ("if", Holds::Schema),
    ("items", Holds::Schema),
    ("not", Holds::Schema),
    ("propertyNames", Holds::Schema),
    ("then", Holds::Schema),
    ("allOf", Holds::Schemas),
    ("anyOf", Holds::Schemas),
    ("oneOf", Holds::Schemas),
    ("prefixItems", Holds::Schemas),
    ("$defs", Holds::NamedSchemas),
    ("dependentSchemas", Holds::NamedSchemas),
    ("patternProperties", Holds::NamedSchemas),
    ("properties", Holds::NamedSchemas),
];

/// What this keyword holds, if it is one.
pub(super) fn holds(keyword: &str) -> Option<Holds> {
    KEYWORDS.iter().find(|(known, _)| *known == keyword).map(|(_, holds)| *holds)
}

/// Whether `word` is a keyword that says what arguments have to be.
pub(super) fn is_keyword(word: &str) -> bool {
    word == "format" || holds(word).is_some()
}

/// Why a schema can't be a constraint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Unfit {
    #[error("{0} is no keyword that a constraint may have")]
    Keyword(String),
    #[error("{0} has to be true, false or an object of keywords")]
    NoSchema(String),
    #[error("{0} has to be an {1} of schemas")]
    NoSchemas(String, &'static str),
    #[error("$schema is {found:?}; constraints are in {known:?}")]
    Dialect { found: String, known: &'static str },
    #[error("the format {found:?} can't be checked; there are: {known}")]
    Format { found: String, known: String },
    #[error(
        "$ref {0:?} leads out of the constraint, or to nothing in it: only \"#/$defs/NAME\" and the like are followed, and nothing is read from a file or the network"
    )]
    Reference(String),
    #[error("$ref {0:?} leads back to itself; a constraint has an end")]
    Recursion(String),
    #[error("it has more than {0} subschemas when references are followed (max_subschemas)")]
    TooMany(usize),
}

/// Looks at all of a schema.
pub(super) fn check(schema: &Value, limits: &GrantLimits) -> Result<(), Unfit> {
    let mut walk = Walk { root: schema, left: limits.max_subschemas, followed: vec![""], limits };
    walk.schema(schema, "")
}

struct Walk<'s> {
    root: &'s Value,
    left: usize,
    /// The references that lead to where the walk is; the root is always one.
    followed: Vec<&'s str>,
    limits: &'s GrantLimits,
}

impl<'s> Walk<'s> {
    fn schema(&mut self, schema: &'s Value, place: &str) -> Result<(), Unfit> {
        let too_many = || Unfit::TooMany(self.limits.max_subschemas);
        self.left = self.left.checked_sub(1).ok_or_else(too_many)?;
        match schema {
            Value::Bool(_) => Ok(()),
            Value::Object(members) => self.keywords(members, place),
            _ => Err(Unfit::NoSchema(shown(place))),
        }
    }

    fn keywords(&mut self, members: &'s Map<String, Value>, place: &str) -> Result<(), Unfit> {
        for (keyword, value) in members {
            let place = format!("{place}/{keyword}");
            match (keyword.as_str(), value) {
                ("$schema", Value::String(dialect)) if place == "/$schema" => {
                    if dialect != DIALECT {
                        return Err(Unfit::Dialect { found: dialect.clone(), known: DIALECT });
                    }
                }
                ("$ref", Value::String(reference)) => self.follow(reference)?,
                ("format", Value::String(format)) => {
                    if !FORMATS.contains(&format.as_str()) {
                        let known = FORMATS.join(", ");
                        return Err(Unfit::Format { found: format.clone(), known });
                    }
                }
                _ => self.keyword(keyword, value, &place)?,
            }
        }
        Ok(())
    }

    fn keyword(&mut self, keyword: &str, value: &'s Value, place: &str) -> Result<(), Unfit> {
        let holds = holds(keyword).ok_or_else(|| Unfit::Keyword(shown(place)))?;
        match (holds, value) {
            (Holds::Words | Holds::Terms, _) => Ok(()),
            (Holds::Schema, schema) => self.schema(schema, place),
            (Holds::Schemas, Value::Array(schemas)) => {
                let mut numbered = schemas.iter().enumerate();
                numbered.try_for_each(|(i, schema)| self.schema(schema, &format!("{place}/{i}")))
            }
            (Holds::Schemas, _) => Err(Unfit::NoSchemas(shown(place), "array")),
            (Holds::NamedSchemas, Value::Object(schemas)) => {
                let mut named = schemas.iter();
                named.try_for_each(|(name, schema)| self.schema(schema, &format!("{place}/{name}")))
            }
            (Holds::NamedSchemas, _) => Err(Unfit::NoSchemas(shown(place), "object")),
        }
    }

    /// Walks through what a reference means as if it stood there.
    fn follow(&mut self, reference: &'s str) -> Result<(), Unfit> {
        let astray = || Unfit::Reference(reference.to_owned());
        // With `%`, one place would have two names, and a circle could hide in them.
        let pointer =
            reference.strip_prefix('#').filter(|it| !it.contains('%')).ok_or_else(astray)?;
        let target = self.root.pointer(pointer).ok_or_else(astray)?;
        if self.followed.contains(&pointer) {
            return Err(Unfit::Recursion(reference.to_owned()));
        }
        self.followed.push(pointer);
        self.schema(target, pointer)?;
        self.followed.pop();
        Ok(())
    }
}

/// A place as a person writes it.
fn shown(place: &str) -> String {
    if place.is_empty() { "the constraint".to_owned() } else { format!("{place:?}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check_default(schema: Value) -> Result<(), Unfit> {
        check(&schema, &GrantLimits::default())
    }

    #[test]
    fn a_schema_whose_every_keyword_is_known_is_fit() {
        let schema = json!({
            "$schema": DIALECT, "title": "t", "type": "object", "required": ["path"],
            "properties": {
                "path": {"$ref": "#/$defs/path"}, "format": {"enum": ["a"]}, "$ref": true,
                "when": {"format": "date"}, "list": {"prefixItems": [{"const": {"odd": 1}}, false]},
            },
            "additionalProperties": false,
            "allOf": [{"not": {"$ref": "#/$defs/path"}}, {"if": {}, "then": {"$ref": "#/$defs/path"}}],
            "$defs": {"path": {"type": "string", "pattern": "^out/"}, "unused": {}},
        });

        assert_eq!(check_default(schema), Ok(()));
        assert_eq!(check_default(json!(true)), Ok(()));
    }

    #[test]
    fn what_would_constrain_less_than_it_says_is_unfit() {
        let remote = "https://example.com/schema.json";
        for (schema, unfit) in [
            (json!({"patern": "x"}), Unfit::Keyword("\"/patern\"".into())),
            (
                json!({"properties": {"a": {"requird": []}}}),
                Unfit::Keyword("\"/properties/a/requird\"".into()),
            ),
            (json!({"$defs": {"a": {"$id": "x"}}}), Unfit::Keyword("\"/$defs/a/$id\"".into())),
            (json!({"$dynamicRef": "#a"}), Unfit::Keyword("\"/$dynamicRef\"".into())),
            (json!({"items": {"$schema": DIALECT}}), Unfit::Keyword("\"/items/$schema\"".into())),
            (json!({"format": 1}), Unfit::Keyword("\"/format\"".into())),
            (json!({"$ref": 1}), Unfit::Keyword("\"/$ref\"".into())),
            (json!([]), Unfit::NoSchema("the constraint".into())),
            (json!({"not": "x"}), Unfit::NoSchema("\"/not\"".into())),
            (json!({"items": [{}]}), Unfit::NoSchema("\"/items\"".into())),
            (json!({"allOf": {}}), Unfit::NoSchemas("\"/allOf\"".into(), "array")),
            (json!({"properties": []}), Unfit::NoSchemas("\"/properties\"".into(), "object")),
            (
                json!({"$schema": "http://json-schema.org/draft-07/schema#"}),
                Unfit::Dialect {
                    found: "http://json-schema.org/draft-07/schema#".into(),
                    known: DIALECT,
                },
            ),
            (
                json!({"format": "regex"}),
                Unfit::Format { found: "regex".into(), known: FORMATS.join(", ") },
            ),
            (json!({"$ref": remote}), Unfit::Reference(remote.into())),
            (json!({"$ref": "other.json"}), Unfit::Reference("other.json".into())),
            (json!({"$ref": "#anchor"}), Unfit::Reference("#anchor".into())),
            (
                json!({"$ref": "#/$defs/%61", "$defs": {"a": {}}}),
                Unfit::Reference("#/$defs/%61".into()),
            ),
            (json!({"$ref": "#/$defs/none"}), Unfit::Reference("#/$defs/none".into())),
        ] {
            assert_eq!(check_default(schema.clone()), Err(unfit), "{schema}");
        }
    }

    #[test]
    fn a_schema_without_an_end_is_unfit() {
        let doubled: Map<String, Value> = (0..30)
            .map(|n| {
                let next = format!("#/$defs/{}", n + 1);
                (n.to_string(), json!({"allOf": [{"$ref": next}, {"$ref": next}]}))
            })
            .chain([("30".to_owned(), json!({}))])
            .collect();

        for schema in [
            json!({"$ref": "#"}),
            json!({"properties": {"a": {"$ref": "#/properties/a"}}}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
            json!({"properties": {"child": {"$ref": "#"}}}),
        ] {
            assert!(matches!(check_default(schema.clone()), Err(Unfit::Recursion(_))), "{schema}");
        }
        let bomb = json!({"$ref": "#/$defs/0", "$defs": doubled});
        assert_eq!(check_default(bomb), Err(Unfit::TooMany(1_000)));
    }
}
