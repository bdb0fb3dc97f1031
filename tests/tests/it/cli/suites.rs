//! `callgate test`.

use std::{fs, path::Path};

use callgate_tests::guests;
use serde_json::{Value, json};

use super::{Desk, Ended, scripts::CACHE};

/// A suite of one case for `calls_at_once`.
fn suite(case: Value) -> Value {
    json!({ "workflow": guests::CALLS_AT_ONCE, "cases": [case] })
}

fn tested(suite: &Value, more: &[&str]) -> Ended {
    let desk = Desk::new();
    // No connection may be needed, nor a configuration.
    fs::remove_file(desk.path(".mcp.json")).unwrap();
    fs::write(desk.path("suite.json"), suite.to_string()).unwrap();
    desk.callgate(&[&["test", "suite.json"], more].concat())
}

fn two_calls() -> Value {
    json!([{ "connection": "a", "tool": "b", "arguments": { "n": 1 } },
        { "connection": "a", "tool": "b", "arguments": { "n": 2 } }])
}

#[test]
fn a_case_in_which_all_is_as_expected_passes() {
    let ended = tested(
        &suite(json!({
            "name": "two calls", "input": two_calls(), "in_order": true,
            "calls": [
                { "tool": "a/b", "arguments": { "n": 1 }, "delay_ms": 50, "answer": { "output": [1.5] } },
                { "tool": "a/b", "arguments_include": {}, "answer": { "not-sent": { "cause": "timeout", "detail": "x" } } }],
            "expect": { "output": [{ "Ok": [1.5] }, { "Err": { "not-sent": { "cause": "timeout", "detail": "x" } } }] }
        })),
        &[],
    );

    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("ok    two calls"), "{ended:?}");
    assert!(ended.stdout.ends_with("1 cases, 0 failed\n"), "{ended:?}");
}

#[test]
fn an_unexpected_call_an_unused_row_and_another_result_fail() {
    let ended = tested(
        &suite(json!({
            "name": "two calls", "input": two_calls(),
            "calls": [
                { "tool": "a/b", "arguments": { "n": 1 }, "answer": { "output": "yes" } },
                { "tool": "a/b", "arguments": { "n": 3 }, "answer": { "output": "yes" } },
                { "tool": "x/y", "answer": { "output": "never" }, "times": 2 }],
            "expect": { "output": [{ "Ok": "yes" }, { "Ok": "yes" }] }
        })),
        &["--junit", "junit.xml"],
    );

    assert_eq!(ended.code, Some(1), "{ended:?}");
    for line in [
        "FAIL  two calls",
        "call 2 is unexpected: a/b {\"n\":2}",
        "the nearest is row 2:",
        "/n: expected 3, got 2",
        "row 2 is unused: a/b {\"n\":3}",
        "row 3 is unused (0 of 2 times): x/y",
        "the output differs:",
        "/1/Ok: expected \"yes\", got nothing",
        "1 cases, 1 failed",
    ] {
        assert!(ended.stdout.contains(line), "no {line:?} in {}", ended.stdout);
    }
}

#[test]
fn a_run_that_ends_in_another_way_fails() {
    let case = |expect: Value| json!({ "workflow": guests::RETURNS_FAILURE, "cases": [{ "name": "x", "expect": expect }] });
    let trap = json!({ "workflow": guests::TRAPS,
        "cases": [{ "name": "x", "expect": { "stopped": "trap" } }] });
    let slow = json!({ "workflow": guests::SPIN,
        "cases": [{ "name": "x", "timeout_ms": 200, "expect": { "stopped": "limit" } }] });

    let fits = tested(&case(json!({ "failure": { "kind": "sold-out" } })), &[]);
    let differs = tested(&case(json!({ "failure": { "kind": "sold" } })), &[]);
    let other = tested(&case(json!({ "output": null })), &[]);

    assert_eq!([fits.code, tested(&trap, &[]).code, tested(&slow, &[]).code], [Some(0); 3]);
    assert!(differs.stdout.contains("/kind: expected \"sold\", got \"sold-out\""), "{differs:?}");
    assert!(other.stdout.contains("should end with the output, and it failed: sold-out"));
    assert_eq!([differs.code, other.code], [Some(1), Some(1)]);
}

#[test]
fn layers_stand_between_the_workflow_and_the_table() {
    let desk = Desk::new();
    let suite = json!({
        "workflow": guests::ONE_CALL,
        "with": ["retry", { "middleware": "rename", "settings": { "names": [{ "from": "a/b", "to": "c/d" }] } }],
        "cases": [{
            "name": "again", "input": { "connection": "a", "tool": "b", "arguments": {} },
            "calls": [
                { "tool": "c/d", "answer": { "not-sent": { "cause": "connect-failed" } } },
                { "tool": "c/d", "answer": { "output": 2 } }],
            "expect": { "output_includes": { "Ok": { "output": 2 } } }
        }]
    });
    fs::write(desk.path("suite.json"), suite.to_string()).unwrap();
    fs::write(desk.path("wrong.json"), suite.to_string().replace("c/d\"}]", "*/d\"}]")).unwrap();

    assert_eq!(desk.callgate(&["test", "suite.json"]).code, Some(0));
    desk.callgate(&["test", "wrong.json"]).assert_complains(2, &["wrong.json", "/names/0/to"]);
}

#[test]
fn junit_has_every_case_of_every_suite() {
    let desk = Desk::new();
    let suite = json!({ "workflow": guests::ECHO_INPUT, "cases": [
        { "name": "one & two", "input": 1, "expect": { "output": 1 } },
        { "name": "three", "input": 3, "expect": { "output": 4 } }] });
    fs::write(desk.path("a.json"), suite.to_string()).unwrap();
    fs::write(desk.path("b.json"), suite.to_string()).unwrap();

    let all = desk.callgate(&["test", "a.json", "b.json", "--junit", "out.xml"]);
    let one = desk.callgate(&["test", "a.json", "--case", "one &"]);
    let none = desk.callgate(&["test", "a.json", "--case", "nothing"]);

    assert_eq!((all.code, one.code, none.code), (Some(1), Some(0), Some(2)), "{one:?}{none:?}");
    let xml = fs::read_to_string(desk.path("out.xml")).unwrap();
    assert_eq!(xml.matches("<testsuite ").count(), 2, "{xml}");
    assert_eq!(xml.matches("name=\"one &amp; two\"").count(), 2, "{xml}");
    assert_eq!(xml.matches("<failure message=\"the output differs:\">").count(), 2, "{xml}");
}

#[test]
fn a_suite_that_can_not_be_used_is_told_from_one_that_fails() {
    let desk = Desk::new();
    fs::write(desk.path("odd.json"), r#"{ "workflow": "x.wasm", "casse": [] }"#).unwrap();
    fs::write(
        desk.path("lost.json"),
        suite(json!({ "name": "x", "expect": { "output": 1 } }))
            .to_string()
            .replace("calls_at_once", "lost"),
    )
    .unwrap();

    desk.callgate(&["test", "odd.json"]).assert_complains(2, &["odd.json:1:1", "casse"]);
    desk.callgate(&["test", "lost.json"]).assert_complains(2, &["lost.json", "lost.wasm"]);
    desk.callgate(&["test", "none.json"]).assert_complains(2, &["none.json"]);
}

/// The suites of the repository, each for the workflow in whose folder it is.
#[test]
fn the_suites_of_the_shipped_workflows_pass() {
    let desk = Desk::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (workflow, component) in
        [("fan-out", guests::FAN_OUT), ("error-handling", guests::ERROR_HANDLING)]
    {
        let suite = root.join("guest/workflows").join(workflow).join("suite.jsonc");

        let ended = desk.callgate(&["test", suite.to_str().unwrap(), "--workflow", component]);

        assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    }
}

#[test]
fn the_suites_of_the_shipped_scripts_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = fs::read_dir(root.join("guest/scripts")).unwrap();
    let suites: Vec<String> = folders
        .map(|folder| folder.unwrap().path().join("suite.jsonc").to_str().unwrap().to_owned())
        .collect();
    let mut arguments = vec!["test", "--cache-dir", CACHE];
    arguments.extend(suites.iter().map(String::as_str));

    let ended = Desk::new().callgate(&arguments);

    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("a file that can't be read is null"), "{ended:?}");
}
