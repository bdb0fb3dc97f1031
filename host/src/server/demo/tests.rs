//! The file server behind a real client, in one process.

mod changes;

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::PathBuf,
};

use futures::future::join_all;
use rmcp::{
    RoleClient, ServiceExt,
    model::{CallToolRequestParams, CallToolResult},
    service::RunningService,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::*;

/// A served folder `root`, which has a neighbour `root/../secret`.
struct Fixture {
    outer: TempDir,
    client: RunningService<RoleClient, ()>,
    /// The one task that serves.
    server: JoinSet<Result<(), ServeError>>,
}

impl Fixture {
    async fn new() -> Self {
        Self::with_limits(FileServerLimits::default()).await
    }

    async fn with_limits(limits: FileServerLimits) -> Self {
        let outer = tempfile::tempdir().unwrap();
        fs::create_dir(outer.path().join("root")).unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        let root = outer.path().join("root");
        let (near, far) = tokio::io::duplex(64 << 10);
        let mut server = JoinSet::new();
        server.spawn(async move { serve(&root, limits, far).await });
        let client = ().serve(near).await.unwrap();
        Self { outer, client, server }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.outer.path().join("root").join(path)
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(path), content).unwrap();
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("{arguments}") };
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(params).await.unwrap()
    }

    /// The text of an answer that has to be good.
    async fn ok(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{result:?}");
        let text = text(&result);
        assert_eq!(result.structured_content, Some(json!({ "content": text })));
        text
    }

    /// The text of an answer that has to be a tool error.
    async fn error(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{result:?}");
        assert_eq!(result.structured_content, None);
        text(&result)
    }
}

fn text(result: &CallToolResult) -> String {
    let [block] = &result.content[..] else { panic!("{result:?}") };
    block.as_text().expect("a text block").text.clone()
}

#[tokio::test]
async fn the_tools_say_what_they_take_and_give_and_whether_they_only_read() {
    let server = Fixture::new().await;

    let tools = server.client.list_all_tools().await.unwrap();

    let read_only = |tool: &rmcp::model::Tool| {
        assert!(tool.output_schema.is_some() && tool.title.is_some(), "{tool:?}");
        let annotations = tool.annotations.as_ref().unwrap();
        assert_eq!(annotations.open_world_hint, Some(false));
        (tool.name.to_string(), annotations.read_only_hint.unwrap())
    };
    let mut told: Vec<_> = tools.iter().map(read_only).collect();
    told.sort();
    let expected = [
        ("create_directory", false),
        ("directory_tree", true),
        ("get_file_info", true),
        ("list_allowed_directories", true),
        ("list_directory", true),
        ("move_file", false),
        ("read_multiple_files", true),
        ("read_text_file", true),
        ("search_files", true),
        ("write_file", false),
    ];
    assert_eq!(told, expected.map(|(name, read_only)| (name.to_owned(), read_only)));
}

#[tokio::test]
async fn folders_are_listed_as_lists_trees_and_matches() {
    let server = Fixture::new().await;
    fs::create_dir_all(server.path("sub/deep")).unwrap();
    server.write("a.md", "");
    server.write("sub/b.md", "");
    server.write("sub/deep/.c.md", "");
    symlink("..", server.path("sub/up")).unwrap();

    let list = server.ok("list_directory", json!({ "path": "." })).await;
    let tree =
        server.ok("directory_tree", json!({ "path": "sub", "excludePatterns": ["b.*"] })).await;
    let search = async |pattern: &str, excluded: &str| {
        let arguments = json!({ "path": "", "pattern": pattern, "excludePatterns": [excluded] });
        let found = server.ok("search_files", arguments).await;
        let root = format!("{}/", server.path("").canonicalize().unwrap().display());
        found.replace(&root, "")
    };

    assert_eq!(list, "[FILE] a.md\n[DIR] sub");
    let tree: Value = serde_json::from_str(&tree).unwrap();
    let deep = json!([{ "name": ".c.md", "type": "file" }]);
    let expected = json!([
        { "name": "deep", "type": "directory", "children": deep },
        { "name": "up", "type": "file" },
    ]);
    assert_eq!(tree, expected);
    assert_eq!(search("*.md", "").await, "a.md");
    assert_eq!(search("**/*.md", "").await, "a.md\nsub/b.md\nsub/deep/.c.md");
    assert_eq!(search("**/*.md", "sub/deep").await, "a.md\nsub/b.md");
    assert_eq!(search("nothing", "").await, "No matches found");
}

#[tokio::test]
async fn a_pattern_that_is_none_is_a_tool_error() {
    let server = Fixture::new().await;

    let told = server.error("search_files", json!({ "path": ".", "pattern": "[" })).await;

    assert!(told.starts_with("\"[\" isn't a pattern: "), "{told}");
}

#[tokio::test]
async fn files_are_read_whole_and_by_lines() {
    let server = Fixture::new().await;
    server.write("file", "one\ntwo\r\ngrün\n");
    let absolute = server.path("file").display().to_string();

    for (arguments, expected) in [
        (json!({ "path": "file" }), "one\ntwo\r\ngrün\n"),
        (json!({ "path": absolute }), "one\ntwo\r\ngrün\n"),
        (json!({ "path": "./x/../file", "head": 0, "tail": 0 }), "one\ntwo\r\ngrün\n"),
        (json!({ "path": "file", "head": 1 }), "one"),
        (json!({ "path": "file", "head": 9 }), "one\ntwo\r\ngrün"),
        (json!({ "path": "file", "tail": 1 }), "grün"),
        (json!({ "path": "file", "tail": 2 }), "two\r\ngrün"),
        (json!({ "path": "file", "tail": 9 }), "one\ntwo\r\ngrün"),
    ] {
        assert_eq!(server.ok("read_text_file", arguments.clone()).await, expected, "{arguments}");
    }
    let both = json!({ "path": "file", "head": 1, "tail": 1 });
    assert_eq!(server.error("read_text_file", both).await, "head and tail can't be given both");
}

#[tokio::test]
async fn several_files_are_read_at_once_and_one_error_keeps_none_back() {
    let server = Fixture::new().await;
    server.write("a", "one");
    server.write("b", "two");

    let text = server.ok("read_multiple_files", json!({ "paths": ["a", "none", "b"] })).await;

    let missing = "none: Error - none can't be read: No such file or directory (os error 2)";
    assert_eq!(text, format!("a:\none\n\n---\n{missing}\n---\nb:\ntwo\n"));
    let told = server.error("read_multiple_files", json!({ "paths": [] })).await;
    assert_eq!(told, "paths is empty; name at least one file");
}

#[tokio::test]
async fn no_tool_reaches_outside_the_folder() {
    let server = Fixture::new().await;
    let secret = server.outer.path().join("secret");
    server.write("inner", "inner");
    symlink(&secret, server.path("absolute_link")).unwrap();
    symlink("../secret", server.path("link")).unwrap();
    symlink("..", server.path("up")).unwrap();
    symlink("../new", server.path("dangling")).unwrap();
    symlink("/proc/self/cwd", server.path("magic")).unwrap();
    let outside = |path: &str| path.starts_with('/') || path.starts_with("..");
    let paths = [
        "../secret",
        "up/../../secret",
        "x/../../secret",
        secret.to_str().unwrap(),
        "/etc/passwd",
        "absolute_link",
        "link",
        "up/secret",
        "dangling",
        "magic/x",
    ];
    for path in paths {
        let mut calls = vec![
            ("write_file", json!({ "path": path, "content": "overwritten" })),
            ("create_directory", json!({ "path": format!("{path}/new") })),
            ("move_file", json!({ "source": "inner", "destination": format!("{path}/moved") })),
            ("move_file", json!({ "source": format!("{path}/x"), "destination": "moved" })),
        ];
        calls.extend(
            ["read_text_file", "get_file_info", "list_directory", "directory_tree"]
                .map(|tool| (tool, json!({ "path": path }))),
        );
        calls.push(("search_files", json!({ "path": path, "pattern": "**" })));
        for (tool, arguments) in calls {
            let told = server.error(tool, arguments).await;
            assert!(told.contains("access denied: "), "{tool} {path}: {told}");
            assert!(!outside(path) || told.contains("is outside"), "{tool} {path}: {told}");
        }
    }

    assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
    assert!(!server.outer.path().join("new").exists());
    assert!(server.path("inner").exists());
}

#[tokio::test]
async fn a_file_is_described() {
    let server = Fixture::new().await;
    server.write("file", "12345");
    fs::set_permissions(server.path("file"), fs::Permissions::from_mode(0o600)).unwrap();

    let told = server.ok("get_file_info", json!({ "path": "file" })).await;

    let lines: Vec<_> = told.lines().filter(|line| !line.contains("ed: ")).collect();
    assert_eq!(lines, ["size: 5", "isDirectory: false", "isFile: true", "permissions: 600"]);
    assert!(told.contains("\nmodified: 2") && told.contains("Z\n"), "{told}");
}

#[tokio::test]
async fn what_is_too_much_is_refused_with_the_name_of_the_limit() {
    let limits =
        FileServerLimits { max_text_bytes: 100, max_entries: 3, ..FileServerLimits::default() };
    let server = Fixture::with_limits(limits).await;
    let big = "123456789\n".repeat(11);
    server.write("big", &big);
    server.write("fits", &big[..100]);

    for (tool, arguments) in [
        ("read_text_file", json!({ "path": "big" })),
        ("read_text_file", json!({ "path": "big", "head": 11 })),
        ("read_text_file", json!({ "path": "big", "tail": 11 })),
        ("read_multiple_files", json!({ "paths": ["fits", "fits"] })),
        ("write_file", json!({ "path": "new", "content": big })),
    ] {
        let told = server.error(tool, arguments.clone()).await;
        assert!(told.contains("100 bytes") && told.contains("(max_text_bytes)"), "{told}");
    }
    assert_eq!(server.ok("read_text_file", json!({ "path": "fits" })).await, big[..100]);
    let tail = server.ok("read_text_file", json!({ "path": "big", "tail": 2 })).await;
    assert_eq!(tail, "123456789\n123456789");
    let head = server.ok("read_text_file", json!({ "path": "big", "head": 10 })).await;
    assert_eq!(head, big[..99]);

    server.write("three", "");
    server.ok("list_directory", json!({ "path": "." })).await;
    server.write("four", "");
    let told = server.error("list_directory", json!({ "path": "." })).await;
    assert!(told.contains("more than 3 files and folders"), "{told}");
}

#[tokio::test]
async fn what_is_not_text_is_a_tool_error() {
    let server = Fixture::new().await;
    server.write("binary", b"\xff\xfe\n");
    fs::create_dir(server.path("folder")).unwrap();
    let pipe = server.path("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();

    for (path, told) in [
        ("binary", "binary isn't text in UTF-8, and only text can be read here"),
        ("folder", "folder isn't a regular file"),
        ("pipe", "pipe isn't a regular file"),
    ] {
        assert_eq!(server.error("read_text_file", json!({ "path": path })).await, told);
    }
}

#[tokio::test]
async fn many_calls_run_at_once() {
    let limits = FileServerLimits { max_in_flight: 2, ..FileServerLimits::default() };
    let server = Fixture::with_limits(limits).await;
    for number in 0..50 {
        server.write(&format!("{number}"), format!("text {number}"));
    }

    let reads = (0..50).map(async |number| {
        server.ok("read_text_file", json!({ "path": number.to_string() })).await
    });
    let texts = join_all(reads).await;

    let expected: Vec<_> = (0..50).map(|number| format!("text {number}")).collect();
    assert_eq!(texts, expected);
}

#[tokio::test]
async fn the_server_ends_when_its_client_goes_away() {
    let Fixture { client, mut server, outer: _outer } = Fixture::new().await;

    drop(client);

    server.join_next().await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn a_client_that_only_looks_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let (near, far) = tokio::io::duplex(64);

    drop(near);

    serve(folder.path(), FileServerLimits::default(), far).await.unwrap();
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named() {
    let (_near, far) = tokio::io::duplex(64);

    let error = serve("/no/such/folder".as_ref(), FileServerLimits::default(), far).await;

    assert_eq!(error.unwrap_err().to_string(), "the folder /no/such/folder can't be served");
}
