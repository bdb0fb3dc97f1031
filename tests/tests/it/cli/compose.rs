//! `callgate compose`, and `callgate run --with`.

use std::fs;

use callgate_tests::guests;
use serde_json::json;

use super::Desk;

/// The input of a workflow that makes one call of the server `files`.
fn read_note() -> String {
    json!({ "connection": "files", "tool": "read_text_file", "arguments": { "path": "note.txt" } })
        .to_string()
}

const POLICY: &str = r#"{
    // Reading is harmless.
    "allow": ["files/read_*"],
}"#;

#[test]
fn a_composed_workflow_runs_like_any_other() {
    let desk = Desk::new();
    fs::write(desk.path("policy.json"), POLICY).unwrap();
    let with = ["--with", "allow-list=policy.json", "--with", "retry"];

    let composed =
        desk.callgate(&[&["compose", guests::ONE_CALL, "-o", "out.wasm"][..], &with].concat());
    let checked = desk.callgate(&["check", "out.wasm"]);
    let read = desk.callgate(&["run", "out.wasm", "--allow-all", "--input", &read_note()]);
    let written = read_note().replace("read_text_file", "write_file");
    let written = desk.callgate(&["run", "out.wasm", "--allow-all", "--input", &written]);

    assert_eq!((composed.code, composed.stdout.as_str()), (Some(0), ""), "{composed:?}");
    assert!(checked.stdout.contains("imports: callgate:mcp/tools@0.1.0\n"), "{checked:?}");
    assert_eq!(read.json()["Ok"]["output"], json!({ "content": "TODO: sleep\n" }));
    assert_eq!(written.json()["Err"]["refused"]["reason"], "denied");
}

#[test]
fn a_plan_shows_the_way_of_a_call() {
    let desk = Desk::new();
    fs::write(desk.path("policy.json"), POLICY).unwrap();
    fs::copy(guests::DENY_WRITES, desk.path("mine.wasm")).unwrap();

    let plan = desk.callgate(&[
        "compose",
        guests::ONE_CALL,
        "--plan",
        "--with",
        "allow-list=policy.json",
        "--with",
        "./mine.wasm",
        "--with",
        "retry",
        "--with",
        r#"mock={"answers": []}"#,
    ]);

    let lines: Vec<Vec<&str>> =
        plan.stdout.lines().map(|line| line.split("  ").collect()).collect();
    let starts: Vec<&str> =
        lines.iter().map(|words| words[0].trim()).filter(|word| word.starts_with("->")).collect();
    assert_eq!(plan.code, Some(0), "{plan:?}");
    assert_eq!(starts, ["-> allow-list", "-> mine", "-> retry", "-> mock", "-> the end"]);
    for words in ["settings: policy.json", "no settings", "its default", "the command line"] {
        assert!(plan.stdout.contains(words), "no {words:?} in {}", plan.stdout);
    }
}

#[test]
fn a_run_is_composed_on_the_fly() {
    let desk = Desk::new();
    let run = ["run", guests::ONE_CALL, "--allow-all", "--input", &read_note(), "--with"];

    let refused = desk.callgate(&[&run[..], &[r#"allow-list={"allow": []}"#]].concat());
    let renamed = r#"rename={"names": [{"from": "files/read_text_file", "to": "files/nothing"}]}"#;
    let both = desk.callgate(&[&run[..], &["deny-writes", "--with", renamed]].concat());
    let nothing = desk.callgate(&["run", guests::HELLO, "--input", "{}", "--with", "retry"]);

    assert_eq!(refused.json()["Err"]["refused"]["reason"], "denied");
    assert_eq!(both.json()["Err"]["rejected"]["message"], "tool not found");
    assert_eq!(nothing.json(), json!({ "greeting": "Hello, world!" }));
    assert!(nothing.stderr.contains("calls no tool"), "{nothing:?}");
}

#[test]
fn what_can_not_be_composed_says_why() {
    let desk = Desk::new();
    fs::write(desk.path("policy.json"), "{\n  \"allow\": [\"files\"]\n}").unwrap();
    let compose = |with: &str| {
        desk.callgate(&["compose", guests::ONE_CALL, "-o", "out.wasm", "--with", with])
    };

    for (with, words) in [
        ("allow-list=policy.json", ["policy.json:2:13", "/allow/0"]),
        ("allow-list=none.json", ["none.json", "No such file"]),
        ("allow-list", ["needs settings", "--with allow-list=FILE"]),
        ("deny-writes=policy.json", ["deny-writes", "no settings"]),
        ("retri", ["no middleware is called \"retri\"", "retry"]),
        ("./none.wasm", ["none.wasm", "No such file"]),
        ("retry={\"attempts\": 2, \"attempts\": 3}", ["the command line:1:", "second time"]),
    ] {
        compose(with).assert_complains(2, &words);
        assert!(!desk.path("out.wasm").exists(), "{with}");
    }
    let flow = ["compose", guests::RETRY, "--plan"];
    desk.callgate(&flow).assert_complains(2, &["not a workflow", "callgate:mcp/run"]);
    let nowhere = desk.callgate(&["compose", guests::ONE_CALL]);
    assert!(nowhere.code == Some(2) && nowhere.stderr.contains("--output"), "{nowhere:?}");
}

#[test]
fn a_folder_for_wac_has_the_source_and_all_parts() {
    let desk = Desk::new();
    let with = ["--with", "deny-writes", "--with", "retry"];
    let compose = [&["compose", guests::ONE_CALL, "--wac", "stack"][..], &with].concat();

    let made = desk.callgate(&compose);
    let again = desk.callgate(&compose);

    assert_eq!(made.code, Some(0), "{made:?}");
    let source = fs::read_to_string(desk.path("stack/stack.wac")).unwrap();
    assert!(source.contains("new layers:layer1") && source.contains("settings-of-layer2"));
    for part in ["workflow/flow", "layers/layer1", "layers/layer2", "settings/layer2"] {
        assert!(desk.path("stack/deps").join(part).with_extension("wasm").exists(), "{part}");
    }
    again.assert_complains(2, &["stack.wac is there already"]);
}
