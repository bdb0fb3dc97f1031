//! Signals: the work ends in order, with the code that shells expect, and no process is left.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    process::Command,
};

use callgate_tests::guests;
use serde_json::json;

use super::{Desk, Ended};

/// A server that takes a call and never answers it, with a helper that only a signal ends. All of it, and what it reads,
/// goes through a pipe with a name, which ends when the last process of it has.
fn watched() -> Desk {
    let script = r#"exec 9>pipe; (trap '' TERM; sleep 300) & tee /dev/fd/9 | "$0" never"#;
    let desk = Desk::with(json!({ "never": {
        "command": "sh", "args": ["-c", script, env!("CARGO_BIN_EXE_hostile-stdio")],
        "cwd": "${workspaceFolder}",
    } }));
    let made = Command::new("mkfifo").arg(desk.path("pipe")).status().unwrap();
    assert!(made.success());
    desk
}

/// Starts a command, sends it a signal once the call has reached the server, and waits until every process has gone.
fn interrupt(desk: &Desk, arguments: &[&str], signal: &str) -> Ended {
    let child = desk.command(arguments).spawn().unwrap();
    let mut pipe = BufReader::new(File::open(desk.path("pipe")).unwrap());
    let mut line = String::new();
    while !line.contains("tools/call") {
        line.clear();
        assert_ne!(pipe.read_line(&mut line).unwrap(), 0, "the call never came");
    }
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let ended = Ended::from(child.wait_with_output().unwrap());
    let mut rest = String::new();
    pipe.read_to_string(&mut rest).unwrap();
    ended
}

#[test]
fn an_interrupted_run_leaves_no_process() {
    let input = json!({ "connection": "never", "tool": "echo", "arguments": {} }).to_string();
    let run = ["run", guests::ONE_CALL, "--allow-all", "--input", &input];

    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let ended = interrupt(&watched(), &run, signal);

        ended.assert_complains(code, &["interrupted by SIG", signal]);
    }
}

#[test]
fn an_interrupted_call_leaves_no_process() {
    let ended = interrupt(&watched(), &["call", "never", "echo"], "INT");

    ended.assert_complains(130, &["interrupted by SIGINT"]);
}
