//! Where two JSON values differ, in words for people.

use serde_json::Value;

/// Longer texts are cut in what is told.
const MAX_SHOWN: usize = 400;
/// More than so many differences are no help.
const MAX_TOLD: usize = 8;

/// What is different between what was expected of `what` and what came; nothing when they are the same.
pub(super) fn differences(what: &str, expected: &Value, actual: &Value) -> Vec<String> {
    let mut told = Vec::new();
    collect(what, expected, actual, &mut told);
    told.truncate(MAX_TOLD);
    told
}

fn collect(path: &str, expected: &Value, actual: &Value, told: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(one), Value::Object(other)) => {
            for (key, value) in one {
                match other.get(key) {
                    Some(actual) => collect(&format!("{path}/{key}"), value, actual, told),
                    None => {
                        told.push(format!("{path}/{key} is missing; expected {}", shown(value)))
                    }
                }
            }
            for (key, value) in other.iter().filter(|(key, _)| !one.contains_key(*key)) {
                told.push(format!("{path}/{key} is too much: {}", shown(value)));
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (value, actual)) in one.iter().zip(other).enumerate() {
                collect(&format!("{path}/{index}"), value, actual, told);
            }
        }
        (Value::String(one), Value::String(other)) if one.contains('\n') && one != other => {
            let (mut lines, mut others) = (one.split('\n'), other.split('\n'));
            let at = (1..).find(|_| lines.next() != others.next()).unwrap_or(0);
            told.push(format!("{path}, from line {at}:\nexpected\n{one}\nactual\n{other}"));
        }
        _ if same(expected, actual) => {}
        _ => {
            told.push(format!("{path}:\nexpected {}\nactual   {}", shown(expected), shown(actual)))
        }
    }
}

/// JavaScript writes 40.0 as 40.
fn same(expected: &Value, actual: &Value) -> bool {
    expected == actual
        || expected.is_number() && actual.is_number() && expected.as_f64() == actual.as_f64()
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_SHOWN) {
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], text.len()),
        None => text,
    }
}

#[test]
fn what_differs_is_named_by_its_place() {
    let one = serde_json::json!({ "a": [1, { "b": "x\ny" }], "c": null, "d": 2 });
    let other = serde_json::json!({ "a": [1, { "b": "x\nz" }], "d": 2.0, "e": true });

    let told = differences("it", &one, &other);

    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("it/a/1/b, from line 2:"), "{told:?}");
    assert_eq!(told[1..], ["it/c is missing; expected null", "it/e is too much: true"]);
    assert!(differences("it", &one, &one).is_empty());
}
