//! What `callgate run` lets a workflow call, on the command line and in the configuration.

use std::fs;

use callgate_tests::guests;
use serde_json::{Value, json};

use super::{Desk, Ended, shell};

fn call_of(tool: &str, arguments: &Value) -> String {
    json!({ "connection": "files", "tool": tool, "arguments": arguments }).to_string()
}

fn read_note() -> String {
    call_of("read_text_file", &json!({ "path": "note.txt" }))
}

/// One call of a workflow under these options.
#[track_caller]
fn run(desk: &Desk, options: &[&str], input: &str) -> Ended {
    let fixed = ["run", guests::ONE_CALL, "--report", "report.json", "--input", input];
    desk.callgate(&[&fixed, options].concat())
}

/// The rule that the report names for the only call.
fn ruling(desk: &Desk) -> Value {
    let text = fs::read_to_string(desk.path("report.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    report["calls"][0]["rule"].clone()
}

/// Adds what the workflow `one_call` may do to the configuration.
fn configure(desk: &Desk, grants: Value) {
    let path = desk.path(".mcp.json");
    let mut config: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let name = std::path::Path::new(guests::ONE_CALL).file_stem().unwrap().to_str().unwrap();
    config["callgate"] = json!({ "workflows": { name: { "grants": grants } } });
    fs::write(path, config.to_string()).unwrap();
}

#[test]
fn nothing_is_called_without_a_grant_and_the_way_out_is_told() {
    let desk = Desk::new();

    let ended = run(&desk, &[], &read_note());

    assert_eq!(ended.json()["Err"]["refused"]["reason"], "denied");
    assert_eq!(ruling(&desk), "none");
    assert!(ended.stderr.contains("no rule allows files/read_text_file"), "{ended:?}");
    assert!(ended.stderr.contains("--allow"), "{ended:?}");
}

#[test]
fn the_command_line_allows_and_denies() {
    let desk = Desk::new();
    for (options, is_allowed, rule) in [
        (&["--allow", "files/read_*"][..], true, "allow files/read_*"),
        (&["--allow", "files/*", "--deny", "files/read_*"], false, "deny files/read_*"),
        (&["--allow", "files/list_*"], false, "none"),
        (&["--allow-all"], true, "all"),
        (&["--allow-all", "--deny", "*/read_text_file"], false, "deny */read_text_file"),
    ] {
        let ended = run(&desk, options, &read_note());

        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert_eq!(ended.json()["Ok"].is_object(), is_allowed, "{options:?}: {ended:?}");
        assert_eq!(ruling(&desk), rule, "{options:?}");
    }
    let both = run(&desk, &["--allow-all", "--allow", "files/*"], &read_note());
    both.assert_complains(2, &["--allow-all", "--allow"]);
}

#[test]
fn a_constraint_comes_from_the_command_line_or_a_file() {
    let desk = Desk::new();
    let schema = r#"{"properties": {"path": {"enum": ["note.txt"]}}}"#;
    fs::write(desk.path("schema.json"), schema).unwrap();
    let other = call_of("read_text_file", &json!({ "path": "../.mcp.json" }));
    for rule in [format!("files/read_*={schema}"), "files/read_*=@schema.json".to_owned()] {
        let fits = run(&desk, &["--allow", &rule], &read_note());
        let fails = run(&desk, &["--allow", &rule], &other);

        assert!(fits.json()["Ok"].is_object(), "{fits:?}");
        let detail = &fails.json()["Err"]["refused"]["detail"];
        let expected =
            r#"rule "allow files/read_*" does not allow these arguments: "/path" fails "enum""#;
        assert_eq!(detail, expected);
    }
}

#[test]
fn the_configuration_grants_by_the_name_of_the_workflow() {
    let desk = Desk::new();
    configure(
        &desk,
        json!({
            "allow": ["files/list_*", { "tools": "files/read_*",
                "arguments": { "required": ["path"], "properties": { "path": { "const": "note.txt" } } } }],
            "deny": ["files/read_multiple_files"],
        }),
    );

    let allowed = run(&desk, &[], &read_note());
    let refused = run(&desk, &[], &call_of("read_text_file", &json!({ "path": "x" })));
    let denied = run(&desk, &["--allow-all"], &call_of("read_multiple_files", &json!({})));
    let input = json!({ "connection": "files", "tool": "read_text_file",
        "arguments": [{ "path": "note.txt" }] });
    let other = desk.callgate(&["run", guests::FAN_OUT, "--input", &input.to_string()]);

    assert!(allowed.json()["Ok"].is_object(), "{allowed:?}");
    assert!(
        refused.json()["Err"]["refused"]["detail"].to_string().contains("const"),
        "{refused:?}"
    );
    assert_eq!(denied.json()["Err"]["refused"]["reason"], "denied", "{denied:?}");
    assert!(other.stderr.contains("no rule allows"), "{other:?}");
}

#[test]
fn rules_that_do_not_fit_are_told_before_the_run() {
    let desk = Desk::with(json!({
        "absent": { "command": "no-such-program" },
        "off": { "command": "no-such-program", "disabled": true },
    }));
    for (options, code, words) in [
        (&["--allow", "files"][..], 2, &["--allow files", "CONNECTION/TOOL"][..]),
        (&["--allow", "flies/*"], 2, &["allow flies/*", "did you mean \"files\""]),
        (
            &["--allow", "files/raed_text_file"],
            2,
            &["allow files/raed_text_file", "did you mean \"read_text_file\""],
        ),
        (&["--allow-all", "--deny", "files/remove_*"], 2, &["deny files/remove_*", "no such tool"]),
        (&["--allow", "files/*={\"patern\": 1}"], 2, &["files/*", "patern"]),
        (
            &["--allow", "files/*={\"$ref\": \"https://example.com/s.json\"}"],
            2,
            &["files/*", "https://example.com/s.json", "network"],
        ),
        (&["--allow", "absent/x"], 4, &["allow absent/x", "no-such-program"]),
        (&["--deny", "off/x"], 4, &["deny off/x", "disabled"]),
    ] {
        run(&desk, options, &read_note()).assert_complains(code, words);
    }
    assert!(!desk.path("report.json").exists(), "one of them was run");
}

#[test]
fn rules_in_the_configuration_are_told_with_their_place() {
    let desk = Desk::new();
    configure(&desk, json!({ "allow": ["files/read_*", "files"], "denny": [] }));

    let ended = run(&desk, &[], &read_note());

    ended.assert_complains(
        2,
        &[".grants.allow[1]\"", "CONNECTION/TOOL", ".grants.denny\"", "mend or remove"],
    );
}

#[test]
fn only_the_connections_of_rules_are_opened_before_the_run() {
    let desk = Desk::with(json!({ "marks": shell("touch started") }));

    let ended = run(&desk, &["--allow", "files/read_*"], &read_note());

    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!desk.path("started").exists());
}

#[test]
fn a_call_of_ones_own_needs_no_grant() {
    let desk = Desk::new();
    configure(&desk, json!({ "deny": ["files/*"] }));

    let ended = desk.callgate(&["call", "files", "read_text_file", r#"{"path": "note.txt"}"#]);

    assert_eq!(ended.json()["output"]["content"], "TODO: sleep\n");
}

#[test]
fn names_in_the_lists_of_tools_that_the_server_does_not_have_are_told() {
    let desk = Desk::new();
    let path = desk.path(".mcp.json");
    let mut config: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    config["mcpServers"]["files"]["disabled_tools"] = json!(["write_flie", "write_file"]);
    fs::write(path, config.to_string()).unwrap();

    let run = run(&desk, &["--allow", "files/read_*"], &read_note());
    let doctor = desk.callgate(&["doctor"]);
    let json = desk.callgate(&["doctor", "--json"]);

    for ended in [&run, &doctor] {
        assert!(ended.stderr.contains("disabled_tools names a tool"), "{ended:?}");
        assert!(ended.stderr.contains("write_flie") && !ended.stderr.contains("write_file"));
    }
    assert!(doctor.stdout.contains("\"disabled_tools\" names \"write_flie\""), "{doctor:?}");
    let unlisted = &json.json()["servers"][0]["tools"]["unlisted"];
    assert_eq!(*unlisted, json!([{ "key": "disabled_tools", "name": "write_flie" }]));
}
