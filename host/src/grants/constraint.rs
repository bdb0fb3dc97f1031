//! What arguments have to be like: a JSON Schema that is compiled once, before the run.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

use jsonschema::{Draft, PatternOptions, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::Value;

use super::{
    reading,
    schema::{self, is_keyword},
};
use crate::{call::Json, limits::GrantLimits};

/// A compiled schema.
pub(super) struct Constraint {
    schema: Json,
    validator: Validator,
}

/// Whether arguments are as a constraint says.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Fit {
    Yes,
    No(Violation),
    /// The validator contradicts itself, or has failed.
    Unclear,
}

/// What isn't as a constraint says, and which of its keywords says so.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Violation {
    /// A JSON pointer into the arguments.
    path: String,
    keyword: String,
}

impl Constraint {
    /// # Errors
    ///
    /// In words, when the schema isn't one, or isn't one that can be a constraint.
    pub(super) fn compile(schema: &Json, limits: &GrantLimits) -> Result<Self, String> {
        let value =
            reading::read(schema.as_str(), limits).map_err(|unclear| unclear.to_string())?;
        schema::check(&value, limits).map_err(|unfit| unfit.to_string())?;
        // An engine that goes over the text once, because the text is the guest's.
        let patterns = PatternOptions::regex()
            .size_limit(limits.max_pattern_bytes)
            .dfa_size_limit(limits.max_pattern_bytes);
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(patterns)
            .should_validate_formats(true)
            .should_ignore_unknown_formats(false)
            .build(&value)
            .map_err(|error| in_words(&error))?;
        Ok(Self { schema: schema.clone(), validator })
    }

    /// Both ways of asking have to agree. A validator that panics, as regular expressions have made it do, has said nothing.
    pub(super) fn fits(&self, arguments: &Value) -> Fit {
        let ask = || match (self.validator.is_valid(arguments), self.validator.validate(arguments))
        {
            (true, Ok(())) => Fit::Yes,
            (false, Err(error)) => Fit::No(Violation::from(&error)),
            (true, Err(_)) | (false, Ok(())) => Fit::Unclear,
        };
        catch_unwind(AssertUnwindSafe(ask)).unwrap_or(Fit::Unclear)
    }

    /// The first things that are wrong with arguments, each with its place. Values are left out: they may be long.
    pub(super) fn explain(&self, arguments: &Value, limits: &GrantLimits) -> Option<String> {
        let explain = || {
            let faults = self.validator.iter_errors(arguments).take(TOLD_FAULTS).map(|error| {
                let fault = match error.instance_path().as_str() {
                    "" => error.masked().to_string(),
                    place => format!("{place}: {}", error.masked()),
                };
                fault.chars().take(limits.max_quoted_chars).collect()
            });
            faults.collect::<Vec<String>>()
        };
        let faults = catch_unwind(AssertUnwindSafe(explain)).unwrap_or_default();
        (!faults.is_empty()).then(|| faults.join("; "))
    }
}

/// Of arguments that don't fit, so many faults are told at once.
const TOLD_FAULTS: usize = 3;

/// What is wrong with a schema. A pattern that the engine doesn't take is told to be no "regex", and without its place.
fn in_words(error: &ValidationError<'_>) -> String {
    let place = match error.instance_path().as_str() {
        "" => String::new(),
        place => format!("{place:?}: "),
    };
    match error.kind() {
        ValidationErrorKind::Format { format } if format == "regex" => format!(
            "{place}{} is no regular expression that can be used, or too big a one (max_pattern_bytes); look-around and back-references can't be",
            error.instance()
        ),
        _ => format!("{place}{error}"),
    }
}

impl From<&ValidationError<'_>> for Violation {
    fn from(error: &ValidationError<'_>) -> Self {
        let missing_or_surplus = match error.kind() {
            ValidationErrorKind::Required { property } => property.as_str(),
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                unexpected.first().map(String::as_str)
            }
            _ => None,
        };
        let path = error.instance_path().as_str();
        let path = match missing_or_surplus {
            Some(key) => format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")),
            None => path.to_owned(),
        };
        let mut steps = error.schema_path().as_str().rsplit('/');
        let keyword = steps.find(|step| is_keyword(step)).unwrap_or("false");
        Self { path, keyword: keyword.to_owned() }
    }
}

impl Violation {
    /// The argument and the keyword, of a length that one can read.
    pub(super) fn told(&self, limits: &GrantLimits) -> String {
        let path: String = self.path.chars().take(limits.max_quoted_chars).collect();
        format!("{path:?} fails {:?}", self.keyword)
    }
}

impl PartialEq for Constraint {
    fn eq(&self, other: &Self) -> bool {
        self.schema == other.schema
    }
}

impl Eq for Constraint {}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Constraint").field(&self.schema).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn compile(schema: &Value) -> Result<Constraint, String> {
        let schema = Json::from_text(schema.to_string()).unwrap();
        Constraint::compile(&schema, &GrantLimits::default())
    }

    fn violation(schema: &Value, arguments: Value) -> (String, String) {
        match compile(schema).unwrap().fits(&arguments) {
            Fit::No(Violation { path, keyword }) => (path, keyword),
            other => panic!("{schema} {arguments}: {other:?}"),
        }
    }

    #[test]
    fn a_violation_names_the_argument_and_the_keyword() {
        let schema = json!({
            "type": "object", "required": ["path"], "additionalProperties": false,
            "properties": {
                "path": {"type": "string", "pattern": "^out/", "not": {"pattern": "(^|/)\\.\\.(/|$)"}},
                "edits": {"items": {"properties": {"line": {"maximum": 10}}}},
                "day": {"type": "string", "format": "date"}, "never": false,
            },
        });
        for (arguments, path, keyword) in [
            (json!({"path": "in/x"}), "/path", "pattern"),
            (json!({"path": "out/../x"}), "/path", "not"),
            (json!({"path": "out/x", "day": 1}), "/day", "type"),
            (json!({}), "/path", "required"),
            (json!({"path": "out/x", "a/b": 1}), "/a~1b", "additionalProperties"),
            (json!({"path": "out/x", "edits": [{}, {"line": 11}]}), "/edits/1/line", "maximum"),
            (json!({"path": "out/x", "day": "yesterday"}), "/day", "format"),
            (json!({"path": "out/x", "never": 1}), "/never", "properties"),
        ] {
            assert_eq!(violation(&schema, arguments), (path.to_owned(), keyword.to_owned()));
        }
        let fits = compile(&schema).unwrap().fits(&json!({"path": "out/x", "day": "2026-11-30"}));
        assert_eq!(fits, Fit::Yes);
    }

    #[test]
    fn a_schema_that_is_none_says_what_is_wrong() {
        for (schema, words) in [
            (json!({"type": "strin"}), vec!["/type", "strin"]),
            (json!({"properties": {"a": {"minLength": "1"}}}), vec!["/properties/a/minLength"]),
            (json!({"pattern": "(?=x)"}), vec!["(?=x)", "look-around"]),
            (json!({"pattern": "("}), vec!["\"(\"", "regular expression"]),
            (json!({"patternProperties": {"(a)\\1": {}}}), vec!["(a)", "look-around"]),
            (json!({"pattern": "(a{1000}){1000}"}), vec!["max_pattern_bytes"]),
            (json!({"patern": "x"}), vec!["patern"]),
            (json!({"$ref": "https://example.com/s"}), vec!["https://example.com/s", "network"]),
            (json!({"maximum": 9007199254740993_u64}), vec!["9007199254740993"]),
        ] {
            let said = compile(&schema).unwrap_err();

            assert!(words.iter().all(|word| said.contains(word)), "{schema}: {said}");
        }
    }

    #[test]
    fn a_pattern_that_backtracks_elsewhere_is_done_at_once() {
        let schema = json!({"properties": {"a": {"pattern": "^(a+)+$"}}});
        let arguments = json!({"a": format!("{}!", "a".repeat(100_000))});

        let started = tokio::time::Instant::now();
        let fit = compile(&schema).unwrap().fits(&arguments);

        assert!(matches!(fit, Fit::No(_)), "{fit:?}");
        assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    }
}
