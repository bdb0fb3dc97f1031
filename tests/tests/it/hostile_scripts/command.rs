//! The command with hostile scripts: its exit codes, and what it lets through to a terminal.

use std::{fs, path::Path, process::Command};

use crate::cli::CALLGATE;

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn callgate_run(folder: &Path, file: &str, source: &str, options: &[&str]) -> Ended {
    fs::write(folder.join(file), source).unwrap();
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");
    let ended = Command::new(CALLGATE)
        .args(["run", file, "--cache-dir", cache])
        .args(options)
        .current_dir(folder)
        .env_remove("CALLGATE_CONFIG")
        .env_remove("CALLGATE_LOG")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: ended.status.code(), stdout: text(ended.stdout), stderr: text(ended.stderr) }
}

#[test]
fn each_end_has_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let cases: &[(&str, &str, &[&str], i32, &str)] = &[
        ("a.js", "return '\\u001b[2J'", &[], 0, ""),
        ("a.js", "throw null", &[], 1, "it threw null"),
        ("a.js", "await new Promise(() => {})", &[], 1, "never-settles"),
        ("a.js", "return 1n", &[], 1, "invalid-result"),
        ("a.js", "}); globalThis.out = 1; (() => {", &[], 1, "syntax-error"),
        ("a.js", "import 'std'", &[], 1, "refused-import"),
        ("a.ts", "enum A {}", &[], 2, "an enum is more than a type"),
        ("a.js", "for (;;);", &["--cpu-time", "100ms"], 3, "raise it with --cpu-time"),
        (
            "a.js",
            "for (;;) await callTool('a', 'b').catch(() => {})",
            &["--max-calls", "5"],
            3,
            "raise it with --max-calls",
        ),
        (
            "a.js",
            "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return a",
            &[],
            3,
            "raise it with --max-stack",
        ),
        (
            "a.js",
            "return 'x'.repeat(1 << 20)",
            &["--max-output", "1KiB"],
            3,
            "raise it with --max-output",
        ),
    ];

    for (file, source, options, code, said) in cases {
        let ended = callgate_run(folder.path(), file, source, options);

        assert_eq!(ended.code, Some(*code), "{source}: {}", ended.stderr);
        assert!(ended.stderr.contains(said), "{source}: {}", ended.stderr);
        assert_eq!(ended.stdout.is_empty(), *code != 0, "{source}: {}", ended.stdout);
    }
}

#[test]
fn what_a_script_says_commands_no_terminal_and_is_no_line_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let source = r#"
        console.log("\u001b[2J\u009b31m\u0007 \u202e turned \u2066\nerror: forged\n\rlog: forged");
        class Forged extends Error { name = "error: \u001b[31m" }
        throw new Forged("x\nerror: the run was stopped: \u202e\nwarning: \u001b]0;title\u0007")"#;

    let ended = callgate_run(folder.path(), "a.js", source, &[]);

    assert_eq!(ended.code, Some(1));
    let turns = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_plain = |c: char| c == '\n' || !(c.is_control() || turns(c));
    assert!(ended.stderr.chars().all(is_plain), "{:?}", ended.stderr);
    let own: Vec<&str> =
        ended.stderr.lines().filter(|line| line.starts_with(char::is_alphabetic)).collect();
    assert!(
        own.iter().all(|line| line.starts_with("log: ")
            || line.starts_with("error: the script failed: exception: ")),
        "{own:?}"
    );
    assert_eq!(own.len(), 4, "{own:?}");
}
