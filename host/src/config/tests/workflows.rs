//! What a file says of workflows.

use super::*;
use crate::{
    call::Json,
    grants::{Grants, Rule, RuleFault},
};

/// A file with this as its `callgate`.
fn with(own: &str) -> String {
    format!(r#"{{"mcpServers": {{}}, "callgate": {own}}}"#)
}

/// A file with these grants of the workflow `w`.
fn with_grants(grants: &str) -> String {
    with(&format!(r#"{{"workflows": {{"w": {{"grants": {grants}}}}}}}"#))
}

#[test]
fn each_workflow_has_its_rules() {
    let config = parse(&with(
        r#"{"workflows": {
            "census": {"grants": {
                "allow": ["files/read_*", {
                    "tools": "files/write",
                    // commas and comments are fine in a schema as well
                    "arguments": {"properties": {"n": {"maximum": 1.50, "enum": [null, true, "a\"b"],},},},
                }],
                "deny": ["*/delete_*"],
            }},
            "quiet": {"grants": {}},
            "none": {},
        }}"#,
    ))
    .unwrap();

    assert_eq!(config.warnings, []);
    let rule = |tools| Rule::new(tools).unwrap();
    let schema = r#"{"properties":{"n":{"maximum":1.50,"enum":[null,true,"a\"b"]}}}"#;
    let schema = Json::from_text(schema.to_owned()).unwrap();
    let grants = Grants::none()
        .allow(rule("files/read_*"))
        .allow(rule("files/write").with_arguments(&schema).unwrap())
        .deny(rule("*/delete_*"));
    assert_eq!(config.workflows["census"].grants, grants);
    assert_eq!(config.workflows["quiet"].grants, Grants::none());
    assert_eq!(config.workflows["none"].grants, Grants::none());
    assert!(config.workflow(Path::new("target/quiet.wasm")).is_some());
    assert!(config.workflow(Path::new("quiet/other.wasm")).is_none());
}

#[test]
fn a_rule_that_is_none_refuses_the_file() {
    let text = |found| Fault::WrongType { expected: "a string", found };
    for (grants, key, fault) in [
        (r#"{"allow": ["files"]}"#, ".allow[0]", Fault::Rule(RuleFault::NoSlash)),
        (r#"{"deny": ["a/b", "a/b/c"]}"#, ".deny[1]", Fault::Rule(RuleFault::SecondSlash)),
        (r#"{"allow": [1]}"#, ".allow[0]", text("a number")),
        (r#"{"allow": [{"tools": 1}]}"#, ".allow[0].tools", text("a number")),
        (r#"{"allow": [{"arguments": {}}]}"#, ".allow[0]", Fault::NoTools),
        (
            r#"{"allow": [{"tools": "a/b", "argument": {}}]}"#,
            ".allow[0].argument",
            Fault::UnknownKey,
        ),
        (r#"{"denny": ["a/b"]}"#, ".denny", Fault::UnknownKey),
    ] {
        let key = format!("callgate.workflows.w.grants{key}");
        assert_eq!(problems(&with_grants(grants)), [(Some(key), fault)], "{grants}");
    }
}

#[test]
fn a_schema_that_is_none_is_told_with_its_rule() {
    for (schema, word) in [
        (r#"{"patern": "x"}"#, "patern"),
        (r#"{"not": {}, "not": {}}"#, "twice"),
        (r#"{"$ref": "https://example.com/schema"}"#, "https://example.com/schema"),
        ("1", "object of keywords"),
    ] {
        let grants = format!(r#"{{"deny": [{{"tools": "a/b", "arguments": {schema}}}]}}"#);

        let error = parse(&with_grants(&grants)).unwrap_err().to_string();

        assert!(error.contains(".grants.deny[0]\"") && error.contains(word), "{error}");
    }
}

#[test]
fn a_key_that_nobody_knows_refuses_the_file() {
    let text = with(r#"{"workflow": {}, "workflows": {"w": {"grant": {}}}}"#);

    let problems = problems(&text);

    let key = |key: &str| (Some(key.to_owned()), Fault::UnknownKey);
    assert_eq!(problems, [key("callgate.workflow"), key("callgate.workflows.w.grant")]);
}

#[test]
fn the_example_of_the_page_on_grants_is_valid() {
    let page = include_str!("../../../../docs/grants.md");
    let example = page.split("```jsonc\n").nth(1).and_then(|rest| rest.split("```").next());

    let config = parse(example.unwrap()).unwrap();

    assert_eq!(config.warnings, []);
    assert_ne!(config.workflows["census"].grants, Grants::none());
}
