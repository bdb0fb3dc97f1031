//! `callgate check` and `callgate componentize`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use callgate_tests::guests;
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
