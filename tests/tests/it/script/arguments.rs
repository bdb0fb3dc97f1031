//! Arguments of scripts against the schemas of a server, before they are sent.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

use crate::cli::CALLGATE;

const SOURCE: &str = r#"
const heard = [];
for (const args of [{ pth: "note.txt" }, { path: 7 }, { path: "note.txt" }]) {
  const answer = await tools.files.read_text_file(args).catch((error) => error);
  heard.push(answer instanceof ToolError ? [answer.kind, answer.reason, answer.detail] : answer.content);
}
return heard;
"#;

/// What the script hears of a server with these settings, and the outcomes that the report has.
fn heard(more: &Value) -> (Value, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("files")).unwrap();
    fs::write(path("files/note.txt"), "hi").unwrap();
    let mut server = json!({ "command": CALLGATE, "args": ["demo-server", "files"] });
    server.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fs::write(path(".mcp.json"), json!({ "mcpServers": { "files": server } }).to_string()).unwrap();
    fs::write(path("read.js"), SOURCE).unwrap();

    let (output, report) = run(folder.path());
    let calls = report["calls"].as_array().unwrap();
    (output, calls.iter().map(|call| call["outcome"].clone()).collect())
}

fn run(folder: &Path) -> (Value, Value) {
    let arguments =
        ["run", "read.js", "--allow", "files/*", "--report", "report.json", "--cache-dir"];
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");
    let ended =
        Command::new(CALLGATE).args(arguments).arg(cache).current_dir(folder).output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let report = fs::read(folder.join("report.json")).unwrap();
    (serde_json::from_slice(&ended.stdout).unwrap(), serde_json::from_slice(&report).unwrap())
}

#[test]
fn what_does_not_fit_is_refused_with_its_fault_and_never_sent() {
    let (heard, outcomes) = heard(&json!({}));

    let fault = |said: &str| {
        let detail =
            format!("the arguments do not fit the input schema of \"read_text_file\": {said}");
        json!(["refused", "invalid-arguments", detail])
    };
    let expected = json!([
        fault("\"path\" is a required property"),
        fault("/path: value is not of type \"string\""),
        "hi"
    ]);
    assert_eq!(heard, expected);
    assert_eq!(outcomes, ["refused", "refused", "ok"]);
}

#[test]
fn a_server_whose_schemas_are_wrong_can_be_left_out() {
    let (heard, outcomes) = heard(&json!({ "check_arguments": false }));

    // The server has the word then.
    for wrong in [&heard[0], &heard[1]] {
        assert!(["rejected", "tool-failed"].contains(&wrong[0].as_str().unwrap()), "{heard}");
    }
    assert_eq!(heard[2], "hi");
    assert!(!outcomes.contains(&json!("refused")), "{outcomes:?}");
}
