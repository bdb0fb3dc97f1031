//! Types of servers that others wrote, as the compiler of TypeScript sees them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use callgate_tests::servers::{self, StdioCommand};
use serde_json::json;
use tempfile::TempDir;

use crate::cli::CALLGATE;

/// A folder with a configuration of these servers, and files that they may have.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repository = folder.path().join("repository");
        let made = Command::new("git").args(["init", "-q"]).arg(repository).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        let path = |name: &str| folder.path().join(name);
        let servers: [(&str, StdioCommand); 5] = [
            ("everything", servers::everything()),
            ("filesystem", servers::filesystem(folder.path())),
            ("git", servers::git(&path("repository"))),
            ("memory", servers::memory(&path("memory.json"))),
            ("time", servers::time()),
        ];
        let servers: serde_json::Map<_, _> =
            servers.into_iter().map(|(name, server)| (name.to_owned(), json!(server))).collect();
        fs::write(path(".mcp.json"), json!({ "mcpServers": servers }).to_string()).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn callgate(&self, arguments: &[&str]) -> Output {
        run(Command::new(CALLGATE).args(arguments), self.folder.path())
    }

    fn tsc(&self, arguments: &[&str]) -> Output {
        let tsc = servers::typescript().join("tsc");
        run(Command::new(tsc).args(arguments), self.folder.path())
    }
}

/// Everything that a script finds. It is checked and run, so the declarations can't say what isn't so.
const EVERYTHING: &str = r#"
const answer = await callTool("files", "read_text_file", { path: "note.txt" });
const kinds: string[] = answer.content.map((block) => block.type);
const { content }: { content: string } = await tools.files.read_text_file({ path: "note.txt" });
let ticks = 0;
const every = setInterval((by: number) => { ticks += by; if (ticks > 2) clearInterval(every); }, 5, 1);
clearTimeout(setTimeout(() => { ticks = -1; }, 1));
await new Promise<void>((resolve) => setTimeout(resolve, 100));
queueMicrotask(() => console.debug("micro"));
const url = new URL("/c?d=e", "https://a.b");
url.searchParams.append("f", "g");
const bytes: Uint8Array = new TextEncoder().encode("\u00e4");
const text: string = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const copy = structuredClone({ text, bytes: [...bytes] });
console.assert(performance.now() >= 100, "time has passed");
console.group("group"); console.table([1]); console.dir({}); console.trace("here"); console.groupEnd();
let heard: (string | undefined)[] = [];
try {
  await callTool("nowhere", "nothing");
} catch (error) {
  if (error instanceof ToolError) heard = [error.kind, error.reason, typeof error.detail, error.cause];
}
return { kinds, content, ticks, href: url.href, size: url.searchParams.size, copy, b: atob(btoa("hi")), heard };
"#;

#[test]
fn a_script_is_checked_before_it_runs_and_finds_what_was_declared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("files")).unwrap();
    fs::write(path("files/note.txt"), "hi").unwrap();
    let server = json!({ "command": CALLGATE, "args": ["demo-server", "files"] });
    fs::write(path(".mcp.json"), json!({ "mcpServers": { "files": server } }).to_string()).unwrap();
    fs::write(path("right.ts"), EVERYTHING).unwrap();
    fs::write(
        path("wrong.ts"),
        "console.log(1);\nreturn await tools.files.read_text_file({ pth: 'a' });",
    )
    .unwrap();
    let check = |script: &str| {
        let arguments = ["run", script, "--check", "--allow", "files/*", "--cache-dir"];
        let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");
        run(Command::new(CALLGATE).args(arguments).arg(cache), folder.path())
    };

    let right = check("right.ts");
    let wrong = check("wrong.ts");

    assert_ended(&right, 0);
    let output: serde_json::Value = serde_json::from_slice(&right.stdout).unwrap();
    let expected = json!({
        "kinds": ["text"], "content": "hi", "ticks": 3, "href": "https://a.b/c?d=e&f=g", "size": 2,
        "copy": { "text": "\u{e4}", "bytes": [195, 164] }, "b": "hi",
        "heard": ["refused", "denied", "string", null],
    });
    assert_eq!(output, expected);
    assert_ended(&wrong, 2);
    let told = String::from_utf8(wrong.stderr).unwrap();
    assert!(told.contains("wrong.ts:2:") && told.contains("'pth'"), "{told}");
    assert!(!told.contains("log: 1"), "it ran: {told}");
}

/// Runs a command with the compiler in its search path.
fn run(command: &mut Command, folder: &Path) -> Output {
    let path = std::env::var_os("PATH").unwrap();
    let folders = std::iter::once(servers::typescript()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap();
    command.current_dir(folder).env("PATH", path).env_remove("CALLGATE_CONFIG").output().unwrap()
}

#[track_caller]
fn assert_ended(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

const RIGHT: &str = r#"
const { entities } = await tools.memory.read_graph();
const names = entities.map((entity) => entity.name.toUpperCase());
const now = await tools.time.get_current_time({ timezone: "UTC" });
const sum = await tools.everything["get-sum"]({ a: 1, b: 2 });
try {
  await tools.filesystem.read_text_file({ path: "a", head: 3 });
} catch (error) {
  if (error instanceof ToolError && error.kind === "tool-failed") console.log(error.output);
}
return { names, now, sum, args };
"#;

/// One fault a line, and the word that tells it.
const WRONG: &[(&str, &str)] = &[
    ("await tools.memory.read_grahp();", "read_grahp"),
    ("await tools.time.get_current_time();", "Expected 1 argument"),
    ("await tools.time.get_current_time({ timezone: 1 });", "not assignable"),
    ("await tools.everything[\"get-sum\"]({ a: 1 });", "'b'"),
    ("await tools.filesystem.read_text_file({ path: \"a\", haed: 3 });", "haed"),
    ("const text: string = (await tools.memory.read_graph()).entities;", "not assignable"),
    ("document.title = \"a\";", "document"),
];

// One process of node and several servers, each a second or more: together they are asked once.
#[test]
fn types_of_real_servers_are_types_and_tell_right_from_wrong() {
    let desk = Desk::new();

    let all = desk.callgate(&["types", "-o", "all.d.ts"]);

    assert_ended(&all, 0);
    assert_ended(&desk.tsc(&["--noEmit", "--strict", "all.d.ts"]), 0);
    let wrong: String = WRONG.iter().map(|(line, _)| format!("{line}\n")).collect();
    fs::write(desk.path("script.ts"), wrong + RIGHT).unwrap();
    let ended = desk.callgate(&["types", "--check", "script.ts"]);
    assert_ended(&ended, 2);
    let told = String::from_utf8(ended.stderr).unwrap();
    let faults: Vec<&str> = told.lines().filter(|line| line.starts_with("script.ts:")).collect();
    assert_eq!(faults.len(), WRONG.len(), "{told}");
    for (index, (line, word)) in WRONG.iter().enumerate() {
        let place = format!("script.ts:{}:", index + 1);
        assert!(faults[index].starts_with(&place), "{line}: {told}");
        assert!(faults[index].contains(word), "{line}: {told}");
    }
}
