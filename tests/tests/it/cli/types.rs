//! `callgate types`.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use callgate_tests::guests;
use serde_json::json;

use super::{Desk, shell};

#[test]
fn types_are_the_same_every_time_and_their_size_is_told() {
    let desk = Desk::new();

    let once = desk.callgate(&["types"]);
    let twice = desk.callgate(&["types", "files"]);

    assert_eq!(once.code, Some(0), "{once:?}");
    assert_eq!(once.stdout, twice.stdout);
    for words in [
        "declare const tools: {\n  readonly files: Tools.files.$Tools;\n};",
        "read_text_file(args: read_text_file.Input): Promise<read_text_file.Output>;",
        "Says its server: read-only",
        "declare class ToolError extends Error",
    ] {
        assert!(once.stdout.contains(words), "no {words:?} in {}", once.stdout);
    }
    let bytes = once.stdout.len();
    let said = format!("note: {bytes} bytes, about {} tokens", bytes.div_ceil(4));
    assert!(once.stderr.contains(&said), "{said} is not {}", once.stderr);
}

#[test]
fn the_short_form_has_a_line_for_each_tool() {
    let desk = Desk::new();
    let tools = desk.callgate(&["tools", "files"]).stdout.lines().count();

    let ended = desk.callgate(&["types", "--format", "compact", "-o", "tools.txt"]);

    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{ended:?}");
    let text = fs::read_to_string(desk.path("tools.txt")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("tools.files:"));
    assert!(text.contains("\n  read_text_file(args: {path: string"), "{text}");
    assert_eq!(lines.count(), tools);
}

#[test]
fn what_the_configuration_denies_has_no_type() {
    let desk = Desk::with(json!({
        "files": {
            "command": super::CALLGATE, "args": ["demo-server", "files"], "cwd": "${workspaceFolder}",
            "disabled_tools": ["write_file"],
        },
    }));

    let ended = desk.callgate(&["types"]);

    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.contains("move_file") && !ended.stdout.contains("write_file"));
}

#[test]
fn types_of_a_connection_that_is_not_there_or_does_not_open_are_no_types() {
    let desk = Desk::with(
        json!({ "broken": shell("exit 3"), "later": { "command": "x", "disabled": true } }),
    );

    desk.callgate(&["types", "file"]).assert_complains(2, &["\"file\"", "broken, files, later"]);
    desk.callgate(&["types"]).assert_complains(4, &["broken"]);
    desk.callgate(&["types", "later"]).assert_complains(4, &["later", "disabled"]);
}

#[test]
fn connections_with_the_same_identifier_are_refused() {
    let server = json!({ "command": super::CALLGATE, "args": ["demo-server", "files"], "cwd": "${workspaceFolder}" });
    let desk = Desk::with(json!({ "a-b": server, "a_b": server }));

    desk.callgate(&["types"]).assert_complains(2, &["\"a-b\" and \"a_b\"", "a_b as an identifier"]);
    assert_eq!(desk.callgate(&["types", "a-b"]).code, Some(0));
}

/// The file is part of the test guests, so it compiles, and one of them calls by it.
#[test]
fn bindings_are_those_that_a_guest_was_built_with() {
    let desk = Desk::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("guests/src/bindings/files.rs");

    let ended = desk.callgate(&["bindings", "rust", "files", "--output", "files.rs"]);

    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{ended:?}");
    let written = fs::read_to_string(desk.path("files.rs")).unwrap();
    assert_eq!(written, fs::read_to_string(folder).unwrap());
}

#[test]
fn a_guest_calls_by_its_bindings() {
    let desk = Desk::new();
    let input = json!({ "path": "new.txt", "text": "one\ntwo\n" }).to_string();

    let ended =
        desk.callgate(&["run", guests::TYPED_CALLS, "--allow", "files/*", "--input", &input]);

    assert_eq!(ended.json(), json!({ "text": "one", "missing": "tool-error" }), "{ended:?}");
}

#[test]
fn a_script_is_checked_by_the_compiler_that_is_there() {
    let desk = Desk::new();
    fs::write(desk.path("a.ts"), "return await tools.files.nothing();\n").unwrap();
    let check = ["types", "--check", "a.ts"];
    let without = desk.command(&check).env("PATH", "").output().unwrap();

    let folder = desk.path("node_modules/.bin");
    fs::create_dir_all(&folder).unwrap();
    let tsc = "#!/bin/sh\necho 'script.ts(2,26): error TS2339: It has no nothing.'\nexit 2\n";
    fs::write(folder.join("tsc"), tsc).unwrap();
    fs::set_permissions(folder.join("tsc"), fs::Permissions::from_mode(0o755)).unwrap();
    let ended = desk.callgate(&check);

    super::Ended::from(without).assert_complains(2, &["no tsc", "npm install"]);
    ended.assert_complains(2, &["a.ts:1:26: TS2339: It has no nothing.", "^^^^^^^"]);
}
