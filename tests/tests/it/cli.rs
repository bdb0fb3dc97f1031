//! The command line, from outside: what goes to standard output, what to standard error, and the exit codes.

mod calls;
mod components;
mod compose;
mod doctor;
mod grants;
#[cfg(unix)]
mod interrupted;
mod limits;
mod runs;
mod script_suites;
mod scripts;
mod suites;
#[cfg(unix)]
mod types;
mod wasi;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use callgate_tests::guests;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The command, and the server that comes with it.
pub(crate) const CALLGATE: &str = env!("CARGO_BIN_EXE_callgate-under-test");

/// A folder with a configuration in which the command is started, and files for the server `files`.
struct Desk {
    folder: TempDir,
}

/// How one command ended.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Desk {
    /// A desk with these servers beside `files`.
    fn with(servers: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("files")).unwrap();
        fs::write(folder.path().join("files/note.txt"), "TODO: sleep\n").unwrap();
        let mut all = json!({ "files": { "command": CALLGATE, "args": ["demo-server", "files"] } });
        all["files"]["cwd"] = json!("${workspaceFolder}");
        all.as_object_mut().unwrap().extend(servers.as_object().unwrap().clone());
        let config = json!({ "mcpServers": all }).to_string();
        fs::write(folder.path().join(".mcp.json"), config).unwrap();
        Self { folder }
    }

    fn new() -> Self {
        Self::with(json!({}))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(CALLGATE);
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("CALLGATE_CONFIG")
            .env_remove("CALLGATE_LOG")
            // The middleware that these tests were built with, not what an earlier build left beside the command.
            .env("CALLGATE_LIBRARY", Path::new(guests::RETRY).parent().unwrap())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    #[track_caller]
    fn callgate(&self, arguments: &[&str]) -> Ended {
        Ended::from(self.command(arguments).output().unwrap())
    }

    #[track_caller]
    fn callgate_reading(&self, stdin: &str, arguments: &[&str]) -> Ended {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
        Ended::from(child.wait_with_output().unwrap())
    }
}

impl From<std::process::Output> for Ended {
    fn from(output: std::process::Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Ended {
    /// The JSON that is all of standard output.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// It ended with this code, had nothing to say on standard output, and named `words` on standard error.
    #[track_caller]
    fn assert_complains(&self, code: i32, words: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{self:?}");
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} in {}", self.stderr);
        }
    }
}

/// Arguments of a server that a shell is.
fn shell(script: &str) -> Value {
    json!({ "command": "sh", "args": ["-c", script] })
}

#[test]
fn the_help_of_each_command_says_what_one_has_to_know() {
    let desk = Desk::new();
    let cases: [(&[&str], &[&str]); 11] = [
        (&["--help"], &["run", "call", "tools", "doctor", "check", "Exit codes", "130", "--log"]),
        (
            &["run", "--help"],
            &[
                "@FILE",
                "--report",
                "--timeout",
                "--max-memory",
                "300s",
                "256MiB",
                "--allow-all",
                "--no-cache",
            ],
        ),
        (&["call", "--help"], &["CONNECTION", "TOOL", "@FILE", "--call-timeout"]),
        (&["tools", "--help"], &["--json", "[default: all]", "--config"]),
        (&["types", "--help"], &["compact", "--check", "[default: all]", "standard error"]),
        (&["doctor", "--help"], &["--json", "[default: all]", "No tool is called", ".mcp.json"]),
        (&["check", "--help"], &["FLOW", "2 when it may not", "--json", "or whether a script"]),
        (&["compose", "--help"], &["--with", "--plan", "is nearest to the", "--library"]),
        (&["test", "--help"], &["SUITE", "--junit", "--case", "no network is used"]),
        (&["componentize", "--help"], &["MODULE", "--output", "SDK"]),
        (&["demo-server", "--help"], &["DIRECTORY", "server-filesystem", "refused"]),
    ];

    for (arguments, words) in cases {
        let help = desk.callgate(arguments);

        assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        for word in words {
            assert!(help.stdout.contains(word), "no {word:?} in {arguments:?}: {}", help.stdout);
        }
    }
}

#[test]
fn bad_usage_is_told_from_everything_else() {
    let desk = Desk::new();

    for arguments in [&["fly"][..], &["run"], &["run", "x.wasm", "--max-calls", "-1"], &[]] {
        let ended = desk.callgate(arguments);

        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}: {ended:?}");
        assert!(ended.stderr.contains("Usage"), "{ended:?}");
    }
    desk.callgate(&["tools", "--log", "a=b=c"]).assert_complains(2, &["a=b=c", "log filter"]);
}

#[test]
fn a_configuration_that_can_not_be_used_says_where() {
    let desk = Desk::new();
    fs::write(
        desk.path("odd.json"),
        r#"{ "mcpServers": { "web": { "type": "sse", "url": "http://x/" } } }"#,
    )
    .unwrap();

    desk.callgate(&["tools", "--config", "none.json"]).assert_complains(2, &["none.json"]);
    for command in [&["tools"][..], &["doctor"], &["call", "web", "x"]] {
        let arguments = [command, &["--config", "odd.json"]].concat();

        let ended = desk.callgate(&arguments);

        ended.assert_complains(2, &["odd.json:1:", "server \"web\"", "key \"type\"", "\"http\""]);
    }
}
