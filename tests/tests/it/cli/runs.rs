//! `callgate run`.

use std::fs;

use callgate_tests::guests;
use serde_json::{Value, json};

use super::{Desk, shell};

/// The input of a workflow that makes one call of the server `files`.
fn call_of(tool: &str, path: &str) -> String {
    json!({ "connection": "files", "tool": tool, "arguments": { "path": path } }).to_string()
}

#[test]
fn standard_output_is_the_result_and_nothing_else() {
    let desk = Desk::new();
    let input = call_of("read_text_file", "note.txt");

    for log in ["off", "debug"] {
        let ended = desk.callgate(&[
            "run",
            guests::ONE_CALL,
            "--allow-all",
            "--input",
            &input,
            "--log",
            log,
        ]);

        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert_eq!(ended.json()["Ok"]["output"], json!({ "content": "TODO: sleep\n" }));
        assert_eq!(ended.stdout.lines().count(), 1, "{ended:?}");
        assert_eq!(ended.stderr.is_empty(), log == "off", "{ended:?}");
    }
}

#[test]
fn an_input_is_json_a_file_or_stdin() {
    let desk = Desk::new();
    fs::write(desk.path("input.json"), r#"["from", "a file"]"#).unwrap();
    let run = ["run", guests::ECHO_INPUT, "--input"];
    let with = |input| [&run[..], &[input]].concat();

    assert_eq!(desk.callgate(&with("[1]")).json(), json!([1]));
    assert_eq!(desk.callgate(&with("@input.json")).json(), json!(["from", "a file"]));
    assert_eq!(desk.callgate_reading(" {\"a\":\n2}", &with("-")).json(), json!({ "a": 2 }));
    assert_eq!(desk.callgate(&run[..2]).json(), Value::Null);
    desk.callgate(&with("nonsense")).assert_complains(2, &["argument is not one JSON text"]);
    desk.callgate(&with("@none.json")).assert_complains(2, &["none.json"]);
    desk.callgate_reading("{", &with("-")).assert_complains(2, &["stdin is not one JSON text"]);
}

#[test]
fn a_workflow_that_fails_says_so_on_standard_error() {
    let ended = Desk::new().callgate(&["run", guests::RETURNS_FAILURE]);

    ended.assert_complains(1, &["sold-out", "no chair is left", r#"{"chairs":0}"#]);
}

#[test]
fn what_can_not_be_run_is_not_run() {
    let desk = Desk::new();
    fs::write(desk.path("text.wasm"), "hello").unwrap();

    desk.callgate(&["run", "none.wasm"]).assert_complains(2, &["none.wasm"]);
    desk.callgate(&["run", "text.wasm"]).assert_complains(2, &["text.wasm"]);
    let without = ["run", guests::ECHO_INPUT, "--config", "none.json"];
    desk.callgate(&without).assert_complains(2, &["none.json"]);
}

#[test]
fn a_run_that_the_sandbox_stops_has_a_code_of_its_own() {
    let desk = Desk::new();
    let many = json!({ "connection": "files", "tool": "list_allowed_directories", "arguments": {},
        "count": 9, "at_once": false });

    let many = many.to_string();
    let cases: [(&[&str], &str); 5] = [
        (&[guests::SPIN, "--timeout", "300ms"], "wall_clock"),
        (&[guests::EXHAUST_MEMORY, "--max-memory", "8MiB"], "max_memory_bytes"),
        (&[guests::MANY_CALLS, "--allow-all", "--max-calls", "3", "--input", &many], "max_calls"),
        (&[guests::TRAPS], "trapped"),
        (&[guests::INVALID_OUTPUT], "not a JSON text"),
    ];
    for (arguments, word) in cases {
        let ended = desk.callgate(&[&["run"], arguments].concat());

        ended.assert_complains(3, &["the run was stopped", word]);
    }
}

#[test]
fn a_run_without_its_connection_has_a_code_of_its_own() {
    let broken = json!({ "command": "no-such-program" });
    let required = json!({ "command": "no-such-program", "required": true });
    let census = json!({ "connection": "broken", "root": "/" }).to_string();

    let during = Desk::with(json!({ "broken": broken })).callgate(&[
        "run",
        guests::CODE_CENSUS,
        "--allow-all",
        "--input",
        &census,
    ]);
    let before = Desk::with(json!({ "broken": required })).callgate(&["run", guests::ECHO_INPUT]);

    during.assert_complains(4, &["connection broken", "no-such-program"]);
    before.assert_complains(4, &["broken is required", "no-such-program"]);
}

#[test]
fn a_connection_that_nobody_uses_is_not_opened() {
    let desk = Desk::with(json!({ "marks": shell("touch started") }));

    let ended = desk.callgate(&["run", guests::ECHO_INPUT, "--input", "1"]);

    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "1\n"), "{ended:?}");
    assert!(!desk.path("started").exists());
}

#[test]
fn a_report_has_every_call_with_its_times() {
    let desk = Desk::new();
    let input = json!({ "connection": "files", "tool": "read_text_file",
        "arguments": [{ "path": "note.txt" }, { "path": "none.txt" }] });
    let arguments = [
        "run",
        guests::FAN_OUT,
        "--allow-all",
        "--input",
        &input.to_string(),
        "--report",
        "report.json",
    ];

    let ended = desk.callgate(&arguments);

    assert_eq!(ended.code, Some(0), "{ended:?}");
    let report = report(&desk);
    assert_eq!(report["version"], 1);
    assert_eq!(report["outcome"]["done"], ended.json());
    assert!(report["duration_ms"].as_f64().unwrap() > 0.0, "{report}");
    assert!(report["peak_memory_bytes"].as_u64().unwrap() > 0, "{report}");
    let calls = report["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2, "{report}");
    for (index, (call, outcome)) in calls.iter().zip(["ok", "error"]).enumerate() {
        let number = index + 1;
        assert_eq!(call["sequence"], number, "{call}");
        assert_eq!([&call["connection"], &call["tool"]], ["files", "read_text_file"], "{call}");
        assert_eq!(call["outcome"], outcome, "{call}");
        assert_eq!([&call["session_epoch"], &call["session_sequence"]], [1, number], "{call}");
        // This century, and not in seconds or microseconds.
        let submitted_at = call["submitted_at_unix_ms"].as_f64().unwrap();
        assert!((1.7e12..4e12).contains(&submitted_at), "{call}");
        let [waited, took] =
            ["queue_wait_ms", "duration_ms"].map(|key| call[key].as_f64().unwrap());
        assert!(0.0 <= waited && waited < took, "{call}");
        assert!(call["argument_bytes"].as_u64().unwrap() > 10, "{call}");
    }
}

#[test]
fn a_run_that_failed_is_reported_as_well() {
    let desk = Desk::new();
    let report_to = ["--report", "report.json"];

    let failed = desk.callgate(&[&["run", guests::RETURNS_FAILURE][..], &report_to].concat());
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert_eq!(report(&desk)["outcome"]["failed"]["kind"], "sold-out");

    let stopped = ["run", guests::SPIN, "--timeout", "300ms"];
    let stopped = desk.callgate(&[&stopped[..], &report_to].concat());
    assert_eq!(stopped.code, Some(3), "{stopped:?}");
    assert!(report(&desk)["outcome"]["stopped"].to_string().contains("wall_clock"));

    let nowhere = ["run", guests::ECHO_INPUT, "--report", "no/such/folder.json"];
    desk.callgate(&nowhere).assert_complains(2, &["no/such/folder.json"]);
}

fn report(desk: &Desk) -> Value {
    serde_json::from_str(&fs::read_to_string(desk.path("report.json")).unwrap()).unwrap()
}

#[test]
fn a_workflow_that_calls_nothing_needs_no_configuration() {
    let desk = Desk::new();
    fs::remove_file(desk.path(".mcp.json")).unwrap();
    let input = call_of("read_text_file", "note.txt");

    let greeted = desk.callgate(&["run", guests::HELLO, "--input", "{}"]);
    let refused = desk.callgate(&["run", guests::ONE_CALL, "--allow-all", "--input", &input]);

    assert_eq!(greeted.json(), json!({ "greeting": "Hello, world!" }));
    assert_eq!(refused.json()["Err"]["refused"]["reason"], "unknown-connection");
}
