//! Lists of which no declarations can be made.

use serde_json::json;

use super::{
    super::{TypesError, compact, rust, typescript},
    server,
};
use crate::limits::TypesLimits;

fn list(names: &[&str]) -> String {
    let tools =
        names.iter().map(|name| json!({ "name": name, "inputSchema": { "type": "object" } }));
    serde_json::Value::from_iter(tools).to_string()
}

#[test]
fn tools_that_are_the_same_as_identifiers_are_both_named() {
    let error = server("s", &list(&["get-sum", "other", "get_sum"]), &TypesLimits::default());

    let error = error.unwrap_err().to_string();
    for word in ["\"get-sum\"", "\"get_sum\"", "tools", "rename"] {
        assert!(error.contains(word), "no {word} in {error}");
    }
}

#[test]
fn connections_that_are_the_same_as_identifiers_are_both_named() {
    let limits = TypesLimits::default();
    let servers = ["a.b", "a/b"].map(|name| server(name, "[]", &limits).unwrap());

    let error = typescript(&servers, &limits).unwrap_err().to_string();

    assert!(error.contains("\"a.b\" and \"a/b\"") && error.contains("connections"), "{error}");
    assert!(compact(&servers, &limits).is_err());
}

#[test]
fn a_text_over_the_limit_names_it() {
    let mut limits = TypesLimits::default();
    let servers = [server("s", &list(&["a", "b"]), &limits).unwrap()];
    limits.max_output_bytes = 20;

    for error in [typescript(&servers, &limits), compact(&servers, &limits)] {
        let error = error.unwrap_err();

        assert!(matches!(error, TypesError::TooLong(20)));
        assert!(error.to_string().contains("max_output_bytes"), "{error}");
    }
}

#[test]
fn a_name_over_the_limit_names_it() {
    let long = "x".repeat(300);
    for error in [
        server("s", &list(&[&long]), &TypesLimits::default()),
        server(&long, "[]", &TypesLimits::default()),
    ] {
        let error = error.unwrap_err().to_string();

        assert!(error.contains("max_name_bytes") && error.len() < 200, "{error}");
    }
}

#[test]
fn a_schema_that_never_ends_is_cut_and_says_so() {
    let limits = TypesLimits::default();
    let choices: Vec<_> = (0..40).map(|_| json!({ "$ref": "#/$defs/a" })).collect();
    let mut defs = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/{}", level + 1) });
        let items: Vec<_> =
            choices.iter().map(|_| json!({ "type": "array", "items": next })).collect();
        defs.insert(level.to_string(), json!({ "type": "array", "prefixItems": items }));
    }
    let fields: serde_json::Map<_, _> =
        (0..20_000).map(|number| (format!("f{number}"), json!({ "type": "string" }))).collect();
    let tool = json!({
        "name": "endless",
        "inputSchema": { "properties": { "a": { "$ref": "#/$defs/0" }, "b": { "properties": fields } }, "$defs": defs },
    });

    let server = server("s", &json!([tool]).to_string(), &limits).unwrap();

    let text = typescript(&[server], &limits).unwrap();
    assert!(text.contains("left out here (limit max_"), "{}", &text[..2000]);
    assert!(text.len() < 2 << 20, "{}", text.len());
}

#[test]
fn equal_names_and_references_by_the_thousand_take_no_longer_than_their_number() {
    let limits = TypesLimits::default();
    let mut fields = serde_json::Map::new();
    let mut defs = serde_json::Map::new();
    for number in 0..1_000 {
        let name = "_".repeat(number % 50) + "a" + &"-".repeat(number / 50);
        fields.insert(format!("f{number}"), json!({ "$ref": format!("#/$defs/{name}") }));
        fields.insert(format!("g{number}"), json!({ "$ref": format!("#anchor{number}") }));
        defs.insert(name, json!({ "type": "object", "properties": { "x": { "type": "null" } } }));
    }
    let input = json!({ "properties": fields, "$defs": defs });
    let list = json!([{ "name": "many", "inputSchema": input }]).to_string();

    let servers = [server("s", &list, &limits).unwrap()];

    for text in [typescript(&servers, &limits), rust(&servers, &limits)] {
        assert!(text.unwrap().contains("A1000"));
    }
}
