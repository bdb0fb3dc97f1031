//! `callgate call` and `callgate tools`.

use std::fs;

use serde_json::{Value, json};

use super::Desk;

#[test]
fn a_call_prints_the_canonical_result() {
    let desk = Desk::new();
    let arguments = json!({ "path": "note.txt" }).to_string();
    fs::write(desk.path("arguments.json"), &arguments).unwrap();
    let call = |arguments| ["call", "files", "read_text_file", arguments];
    let expected = json!({
        "outcome": "ok", "output": { "content": "TODO: sleep\n" },
        "content": [{ "type": "text", "value": "TODO: sleep\n" }], "meta": null,
    });

    let ended = [
        desk.callgate(&call(&arguments)),
        desk.callgate(&call("@arguments.json")),
        desk.callgate_reading(&arguments, &call("-")),
    ];

    for ended in ended {
        assert_eq!((ended.code, ended.json()), (Some(0), expected.clone()), "{ended:?}");
    }
}

#[test]
fn a_tool_that_fails_is_told_from_one_that_can_not_be_called() {
    let desk = Desk::with(json!({
        "broken": { "command": "no-such-program" },
        "few": { "command": "no-such-program", "enabled_tools": ["read"] },
        "asleep": { "command": "no-such-program", "disabled": true },
    }));

    let failed = desk.callgate(&["call", "files", "read_text_file", r#"{"path":"none.txt"}"#]);
    assert_eq!((failed.code, &failed.json()["outcome"]), (Some(1), &json!("error")), "{failed:?}");

    desk.callgate(&["call", "files", "fly"]).assert_complains(1, &["rejected by the server"]);
    desk.callgate(&["call", "none", "x"]).assert_complains(2, &["none", "files", "broken"]);
    desk.callgate(&["call", "few", "write"]).assert_complains(2, &["write", "few"]);
    desk.callgate(&["call", "files", "x", "[]"]).assert_complains(2, &["not a JSON object"]);
    desk.callgate(&["call", "broken", "x"]).assert_complains(4, &["broken", "no-such-program"]);
    desk.callgate(&["call", "asleep", "x"]).assert_complains(4, &["asleep", "disabled"]);
}

#[test]
fn a_call_that_takes_too_long_is_given_up() {
    let never = json!({ "command": env!("CARGO_BIN_EXE_hostile-stdio"), "args": ["never"] });
    let desk = Desk::with(json!({ "never": never }));

    let ended = desk.callgate(&["call", "never", "echo", "--call-timeout", "500ms"]);

    ended.assert_complains(1, &["outcome unknown", "deadline"]);
}

#[test]
fn tools_are_listed_a_line_each() {
    let desk = Desk::with(json!({ "more": { "command": "no-such-program" } }));

    let one = desk.callgate(&["tools", "files"]);
    assert_eq!(one.code, Some(0), "{one:?}");
    assert!(one.stdout.contains("files\tread_text_file\tReads a text file"), "{one:?}");
    assert!(one.stdout.lines().all(|line| line.split('\t').count() == 3), "{one:?}");

    // One that doesn't open doesn't hide the others.
    let all = desk.callgate(&["tools"]);
    assert_eq!((all.code, all.stdout), (Some(4), one.stdout));
    assert!(all.stderr.contains("more: ") && all.stderr.contains("no-such-program"));
}

#[test]
fn tools_are_listed_as_json() {
    let ended = Desk::new().callgate(&["tools", "--json"]);

    let tools = ended.json();
    let read = tools.as_array().unwrap().iter().find(|tool| tool["tool"] == "read_text_file");
    let read = read.unwrap_or_else(|| panic!("{tools}"));
    assert_eq!((&read["connection"], &read["read_only"]), (&json!("files"), &Value::Bool(true)));
    assert!(read["input_schema"]["properties"]["path"].is_object(), "{read}");
}
