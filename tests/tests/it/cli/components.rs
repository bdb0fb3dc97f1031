//! `callgate check` and `callgate componentize`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use callgate_tests::{
    components::{self, SEVEN},
    guests,
};
use serde_json::json;

use super::{CALLGATE, Desk};

/// The core module of a guest, which the build of these tests left beside the command's own target folder.
fn core_module(name: &str) -> PathBuf {
    let target = Path::new(CALLGATE).parent().and_then(Path::parent).unwrap();
    target.join("guests/wasm32-unknown-unknown/guest").join(name)
}

#[test]
fn a_workflow_passes_the_check() {
    let ended = Desk::new().callgate(&["check", guests::FAN_OUT]);

    assert_eq!(ended.code, Some(0), "{ended:?}");
    for line in
        ["imports: callgate:mcp/tools@0.1.0", "exports: callgate:mcp/run@0.1.0", "verdict: may run"]
    {
        assert!(ended.stdout.lines().any(|printed| printed == line), "no {line:?} in {ended:?}");
    }
}

#[test]
fn a_component_that_asks_for_more_is_named_with_what_it_asks_for() {
    let desk = Desk::new();
    let component = r#"(component
        (import "wasi:cli/environment@0.2.0" (instance (export "f" (func)))))"#;
    fs::write(desk.path("greedy.wasm"), wat::parse_str(component).unwrap()).unwrap();

    let check = desk.callgate(&["check", "greedy.wasm"]);
    assert_eq!(check.code, Some(2), "{check:?}");
    assert!(check.stdout.ends_with("verdict: refused\n"), "{check:?}");
    assert!(check.stderr.contains("wasi:cli/environment@0.2.0"), "{check:?}");

    let run = desk.callgate(&["run", "greedy.wasm"]);
    run.assert_complains(2, &["greedy.wasm", "wasi:cli/environment@0.2.0"]);
}

#[test]
fn the_check_tells_what_memory_a_component_needs() {
    let desk = Desk::new();
    let component = components::workflow(&format!("(table 3 9 funcref) {SEVEN}"));
    fs::write(desk.path("seven.wasm"), &component).unwrap();

    let text = desk.callgate(&["check", "seven.wasm"]);
    let data = desk.callgate(&["check", "seven.wasm", "--json"]);

    for line in
        ["core modules: 2", "memories: 65536 bytes, growing", "tables: 3 elements, at most 9"]
    {
        assert!(text.stdout.lines().any(|printed| printed == line), "no {line:?} in {text:?}");
    }
    assert_eq!((text.code, data.code), (Some(0), Some(0)));
    let data = data.json();
    assert_eq!(data["size_bytes"], component.len());
    assert_eq!(data["imports"], json!([]));
    assert_eq!(data["exports"], json!(["callgate:mcp/run@0.1.0"]));
    assert_eq!(
        data["demands"],
        json!({ "core_modules": 2,
            "memories": [{ "initial_bytes": 65536, "maximum_bytes": null }],
            "tables": [{ "initial_elements": 3, "maximum_elements": 9 }] })
    );
    assert_eq!([&data["reasons"], &data["may_run"]], [&json!([]), &json!(true)]);
}

#[test]
fn a_component_that_starts_beyond_a_limit_is_refused_by_the_check() {
    let desk = Desk::new();
    let component = components::workflow(&format!("(table 3 9 funcref) {SEVEN}"));
    fs::write(desk.path("seven.wasm"), component).unwrap();
    let small = ["--max-memory", "64KiB", "--max-table-elements", "2", "--json"];
    let smaller = ["--max-memory", "63KiB"];

    let tables = desk.callgate(&[&["check", "seven.wasm"][..], &small].concat());
    let memory = desk.callgate(&[&["check", "seven.wasm"][..], &smaller].concat());

    assert_eq!((tables.code, memory.code), (Some(2), Some(2)));
    assert_eq!(tables.json()["may_run"], false);
    assert!(tables.stderr.contains("--max-table-elements"), "{tables:?}");
    assert!(!tables.stderr.contains("--max-memory"), "{tables:?}");
    assert!(memory.stderr.contains("65536 bytes") && memory.stderr.contains("--max-memory"));
}

#[test]
fn what_is_no_component_is_told_apart() {
    let desk = Desk::new();
    fs::write(desk.path("module.wasm"), wat::parse_str("(module)").unwrap()).unwrap();
    fs::write(desk.path("text.wasm"), "hello").unwrap();

    desk.callgate(&["check", "module.wasm"]).assert_complains(2, &["module.wasm", "componentize"]);
    desk.callgate(&["check", "text.wasm"]).assert_complains(2, &["text.wasm"]);
    desk.callgate(&["check", "none.wasm"]).assert_complains(2, &["none.wasm"]);
}

#[test]
fn a_core_module_becomes_a_component_that_runs() {
    let desk = Desk::new();
    let module = core_module("hello.wasm");

    let made = desk.callgate(&["componentize", module.to_str().unwrap(), "-o", "hello.wasm"]);
    let run = desk.callgate(&["run", "hello.wasm", "--input", r#"{"name":"Ada"}"#]);

    assert_eq!((made.code, made.stdout, made.stderr), (Some(0), String::new(), String::new()));
    assert_eq!((run.code, run.json()), (Some(0), json!({ "greeting": "Hello, Ada!" })));
}

#[test]
fn a_module_of_something_else_becomes_nothing() {
    let desk = Desk::new();
    fs::write(desk.path("module.wasm"), wat::parse_str("(module)").unwrap()).unwrap();
    fs::write(desk.path("text.wasm"), "hello").unwrap();

    for (module, word) in
        [("module.wasm", "world"), ("text.wasm", "text.wasm"), ("none.wasm", "none.wasm")]
    {
        let ended = desk.callgate(&["componentize", module, "-o", "out.wasm"]);

        ended.assert_complains(2, &[module, word]);
        assert!(!desk.path("out.wasm").exists(), "{module}");
    }
}
