//! Settings against the schema that a middleware carries (JSON Schema, draft 2020-12).

use serde_json::Value;

use super::{ComposeError, SettingsFault, SettingsText};
use crate::{jsonc::Document, limits::CompositionLimits, schema};

/// What is said of settings that nobody gave.
const DEFAULT: &str = "its default";

/// The settings as one JSON text, and where they came from.
///
/// Without a schema anything passes: what is right, only the middleware knows then.
pub(super) fn check(
    name: &str,
    schema: Option<&[u8]>,
    given: Option<SettingsText>,
    limits: &CompositionLimits,
) -> Result<(String, String), ComposeError> {
    let bad_schema = |detail: String| ComposeError::BadSchema { name: name.to_owned(), detail };
    let read =
        |schema| serde_json::from_slice(schema).map_err(|error| bad_schema(error.to_string()));
    let carried: Option<Value> = schema.map(read).transpose()?;
    let part = |key| carried.as_ref().and_then(|schema| schema.get(key));
    let given = match (given, part("default")) {
        (Some(given), _) => given,
        (None, Some(default)) => SettingsText::from_value(DEFAULT, default),
        (None, None) => {
            let example = part("examples").and_then(|examples| examples.get(0));
            return Err(ComposeError::NeedsSettings {
                name: name.to_owned(),
                example: example.map(ToString::to_string),
            });
        }
    };
    let SettingsText { origin, text } = given;
    let unreadable = |detail: String| ComposeError::UnreadableSettings {
        name: name.to_owned(),
        origin: origin.clone(),
        detail,
    };
    if text.len() > limits.max_settings_bytes {
        let detail = format!(" they have more than {} bytes", limits.max_settings_bytes);
        return Err(unreadable(detail));
    }
    let document = Document::parse(&text).map_err(|error| unreadable(error.to_string()))?;
    if let Some(schema) = &carried {
        let faults = schema::faults(schema, &document, limits).map_err(bad_schema)?;
        if !faults.is_empty() {
            let faults = faults.into_iter().map(|fault| {
                let schema::Fault { place, pointer, detail } = fault;
                SettingsFault { place: format!("{origin}:{place}"), pointer, detail }
            });
            let faults = faults.collect();
            return Err(ComposeError::WrongSettings { name: name.to_owned(), faults });
        }
    }
    Ok((document.value().to_string(), origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"{
        "type": "object", "additionalProperties": false, "required": ["tools"],
        "properties": {
            "tools": {"type": "array", "items": {"type": "string", "pattern": "^[^/]+/.+$"}},
            "max": {"type": "integer", "minimum": 1},
            "pattern": {"type": "string", "format": "regex-lite"}
        },
        "examples": [{"tools": ["a/b"]}]
    }"#;

    fn checked(schema: Option<&str>, text: Option<&str>) -> Result<(String, String), String> {
        let given = text
            .map(|text| SettingsText { origin: "policy.json".to_owned(), text: text.to_owned() });
        check("layer", schema.map(str::as_bytes), given, &CompositionLimits::default())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn settings_that_fit_become_one_json_text() {
        let text = "{ // the tools\n \"tools\": [\"files/*\",], }";

        let (settings, origin) = checked(Some(SCHEMA), Some(text)).unwrap();

        assert_eq!(
            (settings.as_str(), origin.as_str()),
            (r#"{"tools":["files/*"]}"#, "policy.json")
        );
    }

    #[test]
    fn what_is_wrong_names_its_place_and_key() {
        for (text, words) in [
            ("{\n \"tools\": [\"files\"]\n}", ["policy.json:2:12: /tools/0", "match"]),
            ("{\"tools\": [],\n \"max\": 0}", ["policy.json:2:9: /max", "minimum"]),
            ("{\"tools\": [], \"maxx\": 1}", ["policy.json:1:1: the whole", "maxx"]),
            ("{}", ["policy.json:1:1: the whole", "tools"]),
            ("[]", ["the whole", "object"]),
            ("{\"tools\": [], \"pattern\": \"(\"}", ["/pattern", "regex-lite"]),
            ("{\"tools\": [}", ["policy.json:1:1", "layer"]),
        ] {
            let error = checked(Some(SCHEMA), Some(text)).unwrap_err();

            for word in words {
                assert!(error.contains(word), "no {word:?} in {error}");
            }
        }
    }

    #[test]
    fn a_value_is_not_quoted() {
        let error = checked(Some(SCHEMA), Some(r#"{"tools": "hunter2"}"#)).unwrap_err();

        assert!(error.contains("/tools") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn without_settings_there_is_a_default_or_an_error_with_an_example() {
        let with_default = SCHEMA.replacen('{', r#"{"default": {"tools": []}, "#, 1);

        let (settings, origin) = checked(Some(&with_default), None).unwrap();
        let error = checked(Some(SCHEMA), None).unwrap_err();

        assert_eq!((settings.as_str(), origin.as_str()), (r#"{"tools":[]}"#, "its default"));
        assert!(error.contains("--with layer=FILE") && error.contains("a/b"), "{error}");
        assert_eq!(checked(None, Some("[1]")).unwrap().0, "[1]");
        assert!(checked(None, None).is_err());
    }

    #[test]
    fn a_schema_that_is_none_is_the_middlewares_fault() {
        for schema in ["{", r#"{"type": 7}"#] {
            let error = checked(Some(schema), Some("{}")).unwrap_err();

            assert!(error.contains("layer carries a schema"), "{error}");
        }
    }

    #[test]
    fn what_is_told_is_bounded() {
        let many = format!(r#"{{"tools": [{}]}}"#, vec!["1"; 100].join(","));

        let error = checked(Some(SCHEMA), Some(&many)).unwrap_err();
        let huge = checked(None, Some(&" ".repeat((1 << 20) + 1))).unwrap_err();

        assert_eq!(error.lines().count(), 20, "{error}");
        assert!(huge.contains("more than 1048576 bytes"), "{huge}");
    }
}
