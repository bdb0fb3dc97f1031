//! `--wasi` on the command line and in the configuration.

use std::fs;

use callgate_tests::guests;
use serde_json::{Value, json};

use super::Desk;

#[test]
fn the_option_lets_a_component_with_wasi_run_and_shows_what_it_writes() {
    let desk = Desk::new();

    let refused = desk.callgate(&["run", guests::SEES_WASI]);
    let ran = desk.callgate(&[
        "run",
        guests::SEES_WASI,
        "--wasi",
        "deterministic",
        "--seed",
        "5",
        "--clock",
        "1000",
        "--report",
        "report.json",
    ]);

    refused.assert_complains(2, &["wasi:", "--wasi deterministic"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("stdout: hello from inside"), "{}", ran.stderr);
    assert!(ran.stderr.contains("stderr: and a complaint"), "{}", ran.stderr);
    let report: Value =
        serde_json::from_str(&fs::read_to_string(desk.path("report.json")).unwrap()).unwrap();
    assert_eq!(report["world"], json!({"seed": 5, "clock_ms": 1_000_000.0}));
    assert_eq!(report["logs"]["entries"][1], json!({"to": "stderr", "text": "and a complaint\n"}));
}

#[test]
fn the_configuration_may_let_one_workflow_have_it() {
    let desk = Desk::new();
    let mut config: Value =
        serde_json::from_str(&fs::read_to_string(desk.path(".mcp.json")).unwrap()).unwrap();
    config["callgate"] = json!({ "workflows": { "sees_wasi": { "wasi": "deterministic" } } });
    fs::write(desk.path(".mcp.json"), config.to_string()).unwrap();

    let ran = desk.callgate(&["run", guests::SEES_WASI]);
    let refused = desk.callgate(&["run", guests::SEES_WASI, "--wasi", "refuse"]);
    config["callgate"]["workflows"]["sees_wasi"]["wasi"] = json!("yes");
    fs::write(desk.path(".mcp.json"), config.to_string()).unwrap();
    let wrong = desk.callgate(&["run", guests::SEES_WASI]);

    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    refused.assert_complains(2, &["wasi:"]);
    wrong.assert_complains(2, &["wasi", "\"refuse\" or \"deterministic\""]);
}

#[test]
fn the_check_says_what_the_run_would() {
    let desk = Desk::new();

    let refused = desk.callgate(&["check", guests::SEES_WASI]);
    let may_run = desk.callgate(&["check", guests::SEES_WASI, "--wasi", "deterministic"]);

    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--wasi deterministic"), "{}", refused.stderr);
    assert_eq!(may_run.code, Some(0), "{}", may_run.stderr);
    assert!(may_run.stdout.contains("verdict: may run"), "{}", may_run.stdout);
}
