//! What one argument has to be.

use callgate_guest::{is_match, serde_json::Value};
use regex_lite::Regex;
use serde::{Deserialize, Deserializer, de::Error};

/// All that is said must hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Constraint {
    #[serde(default, deserialize_with = "some")]
    equals: Option<Value>,
    one_of: Option<Vec<Value>>,
    glob: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    pattern: Option<Regex>,
    inside: Option<String>,
    min: Option<f64>,
    max: Option<f64>,
    max_length: Option<usize>,
    #[serde(default)]
    optional: bool,
}

/// `null` is a value to compare with, not the absence of one.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A pattern that a text has to match from its first to its last character: half a match would be no constraint.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Regex>, D::Error> {
    let pattern = String::deserialize(deserializer)?;
    // By itself first, so that no bracket in it can close the one around it.
    Regex::new(&pattern).map_err(D::Error::custom)?;
    Regex::new(&format!(r"\A(?:{pattern})\z")).map(Some).map_err(D::Error::custom)
}

impl Constraint {
    /// What is wrong with the argument, if something is.
    pub(crate) fn fault(&self, value: Option<&Value>) -> Option<String> {
        let Some(value) = value else {
            return (!self.optional).then(|| "is not there".to_owned());
        };
        self.fault_of_value(value).or_else(|| self.fault_of_text(value)).or_else(|| {
            let number = value.as_f64();
            let low = self.min.filter(|min| number.is_none_or(|number| number < *min));
            let high = self.max.filter(|max| number.is_none_or(|number| number > *max));
            low.map(|min| format!("is no number from {min} on"))
                .or_else(|| high.map(|max| format!("is no number up to {max}")))
        })
    }

    fn fault_of_value(&self, value: &Value) -> Option<String> {
        if self.equals.as_ref().is_some_and(|wanted| wanted != value) {
            return Some("is another value".to_owned());
        }
        if self.one_of.as_ref().is_some_and(|wanted| !wanted.contains(value)) {
            return Some("is none of the values".to_owned());
        }
        let max_length = self.max_length?;
        let length = match value {
            Value::String(text) => text.chars().count(),
            Value::Array(elements) => elements.len(),
            _ => return Some("is neither a text nor an array".to_owned()),
        };
        (length > max_length).then(|| format!("is longer than {max_length}"))
    }

    fn fault_of_text(&self, value: &Value) -> Option<String> {
        if self.glob.is_none() && self.pattern.is_none() && self.inside.is_none() {
            return None;
        }
        let Some(text) = value.as_str() else { return Some("is not a text".to_owned()) };
        if let Some(glob) = self.glob.as_ref().filter(|glob| !is_match(glob, text)) {
            return Some(format!("is not of the form {glob}"));
        }
        if self.pattern.as_ref().is_some_and(|pattern| !pattern.is_match(text)) {
            return Some("does not match the pattern".to_owned());
        }
        let folder = self.inside.as_ref()?;
        (!is_inside(folder, text)).then(|| format!("is not inside {folder}"))
    }
}

/// By the names in the path alone: what links make of it, only the server knows. A backslash is a separator somewhere, so a
/// path with one is inside of nothing.
fn is_inside(folder: &str, path: &str) -> bool {
    let names = |path: &str| -> Vec<String> {
        path.split('/').filter(|name| !matches!(*name, "" | ".")).map(str::to_owned).collect()
    };
    let (folder_names, path_names) = (names(folder), names(path));
    folder.starts_with('/') == path.starts_with('/')
        && path_names.starts_with(&folder_names)
        && !path_names.iter().any(|name| name == "..")
        && !path.contains(['\\', '\0'])
}

#[cfg(test)]
mod tests {
    use callgate_guest::serde_json::{self, json};

    use super::*;

    fn fault(constraint: Value, value: Value) -> Option<String> {
        serde_json::from_value::<Constraint>(constraint).unwrap().fault(Some(&value))
    }

    #[test]
    fn each_constraint_holds_for_what_it_says() {
        for (constraint, value) in [
            (json!({"equals": null}), json!(null)),
            (json!({"one_of": [1, "a"]}), json!("a")),
            (json!({"glob": "*.md"}), json!("a.md")),
            (json!({"pattern": "a|b+"}), json!("bb")),
            (json!({"inside": "/tmp/"}), json!("/tmp//./a")),
            (json!({"inside": "src"}), json!("src")),
            (json!({"min": 1, "max": 2}), json!(1.5)),
            (json!({"max_length": 2}), json!(["a", "b"])),
        ] {
            assert_eq!(fault(constraint.clone(), value), None, "{constraint}");
        }
    }

    #[test]
    fn each_constraint_fails_for_anything_else() {
        for (constraint, value) in [
            (json!({"equals": null}), json!(0)),
            (json!({"one_of": [1, "a"]}), json!("A")),
            (json!({"glob": "*.md"}), json!("a.md.exe")),
            (json!({"pattern": "a|b+"}), json!("ab")),
            (json!({"pattern": "a"}), json!("a\n")),
            (json!({"pattern": "a"}), json!(1)),
            (json!({"inside": "/tmp"}), json!("/tmp/../etc")),
            (json!({"inside": "/tmp"}), json!("/tmpx/a")),
            (json!({"inside": "/tmp"}), json!("tmp/a")),
            (json!({"inside": "/tmp"}), json!("/tmp/..\\..\\etc")),
            (json!({"min": 1}), json!(0)),
            (json!({"max": 2}), json!("1")),
            (json!({"max_length": 2}), json!(1)),
        ] {
            assert!(fault(constraint.clone(), value).is_some(), "{constraint}");
        }
    }

    #[test]
    fn an_absent_argument_is_a_fault_unless_it_is_optional() {
        let strict: Constraint = serde_json::from_value(json!({"min": 1})).unwrap();
        let lenient: Constraint =
            serde_json::from_value(json!({"min": 1, "optional": true})).unwrap();

        assert!(strict.fault(None).is_some());
        assert!(lenient.fault(None).is_none());
        assert!(lenient.fault(Some(&json!(0))).is_some());
    }

    #[test]
    fn a_constraint_that_can_not_be_read_is_refused() {
        for constraint in [json!({"pattern": "("}), json!({"pattern": "a)|(b"}), json!({"maxx": 1})]
        {
            assert!(
                serde_json::from_value::<Constraint>(constraint.clone()).is_err(),
                "{constraint}"
            );
        }
    }
}
