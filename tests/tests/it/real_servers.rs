//! Servers that others wrote, over both transports, through the pool and under workflows.

mod census;
mod types;

use std::{fs, path::Path, process::Command};

use callgate::{
    ConnectionId, Connector, Content, Ending, Grants, HttpServer, Json, Outcome, PooledConnection,
    Run, RunOutcome, SessionPool, ToolCallResult,
};
use callgate_tests::{
    guests,
    servers::{self, HttpEverything, StdioCommand},
};
use futures::future::join_all;
use serde_json::{Value, json};

use crate::run::workflow;

/// A pool with these servers, each under a name.
fn pool<const N: usize>(servers: [(&str, StdioCommand); N]) -> SessionPool {
    let connections = servers.map(|(name, server)| (name, server.connector()));
    pool_of(connections)
}

fn pool_of<const N: usize>(connectors: [(&str, Connector); N]) -> SessionPool {
    SessionPool::new(connectors.map(|(name, connector)| {
        let connection = PooledConnection::new(connector);
        (ConnectionId::from(name), connection)
    }))
}

async fn call(
    pool: &SessionPool,
    connection: &str,
    tool: &str,
    arguments: Value,
) -> ToolCallResult {
    let arguments = Json::from_text(arguments.to_string()).unwrap();
    pool.call_tool(&connection.into(), tool, arguments).await.unwrap()
}

/// The output of a call that did what it was asked.
async fn output(pool: &SessionPool, connection: &str, tool: &str, arguments: Value) -> Value {
    let result = call(pool, connection, tool, arguments).await;
    assert_eq!(result.outcome, Outcome::Ok, "{result:?}");
    serde_json::from_str(result.output.as_str()).unwrap()
}

/// What every transport must bring across: text, structure, blocks, and the tool's own failure.
async fn assert_everything_works(pool: &SessionPool) {
    let echo = output(pool, "everything", "echo", json!({ "message": "über \u{1F980}" })).await;
    assert_eq!(echo, json!("Echo: über \u{1F980}"));

    let weather =
        output(pool, "everything", "get-structured-content", json!({ "location": "Chicago" }))
            .await;
    assert_eq!(
        weather,
        json!({ "temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82 })
    );

    let picture = call(pool, "everything", "get-tiny-image", json!({})).await;
    let Some(Content::Image(image)) = picture.content.first() else {
        panic!("{:?}", picture.content)
    };
    assert_eq!(image.mime_type, "image/png");
    assert!(image.data.starts_with(b"\x89PNG"), "{:?}", &image.data[..8]);

    let wrong = call(pool, "everything", "get-sum", json!({ "a": "one", "b": 2 })).await;
    assert_eq!(wrong.outcome, Outcome::Error);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_works_over_stdio() {
    let pool = pool([("everything", servers::everything())]);

    assert_everything_works(&pool).await;

    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_works_over_http() {
    let server = tokio::task::spawn_blocking(HttpEverything::start).await.unwrap();
    let url = server.url().parse().unwrap();
    let pool = pool_of([("everything", Connector::http(HttpServer { url }))]);

    assert_everything_works(&pool).await;

    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_sees_nothing_of_the_host_that_it_was_not_given() {
    // Cargo and nextest set it for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let mut server = servers::everything();
    server.env.insert("GREETING".to_owned(), "hello".to_owned());
    let pool = pool([("everything", server)]);

    let seen = output(&pool, "everything", "get-env", json!({})).await;

    assert_eq!(seen["GREETING"], "hello", "{seen}");
    assert_eq!(seen.get("CARGO_MANIFEST_DIR"), None, "{seen}");
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_state_of_a_server_survives_from_call_to_call() {
    let pool = pool([("thinking", servers::sequential_thinking())]);

    for number in 1..=3 {
        let arguments = json!({
            "thought": "and then", "thoughtNumber": number, "totalThoughts": 3, "nextThoughtNeeded": number < 3,
        });
        let answer = output(&pool, "thinking", "sequentialthinking", arguments).await;

        assert_eq!(answer["thoughtHistoryLength"], number, "{answer}");
    }
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_graph_that_is_written_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let pool = pool([("memory", servers::memory(&folder.path().join("graph.json")))]);
    let ada = json!({ "name": "Ada", "entityType": "person", "observations": ["wrote the first program"] });

    output(&pool, "memory", "create_entities", json!({ "entities": [ada] })).await;
    let graph = output(&pool, "memory", "read_graph", json!({})).await;

    assert_eq!(graph, json!({ "entities": [ada], "relations": [] }));
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_shows_its_commits() {
    let folder = tempfile::tempdir().unwrap();
    make_repository(folder.path());
    let pool = pool([("git", servers::git(folder.path()))]);

    let log = output(&pool, "git", "git_log", json!({ "repo_path": folder.path() })).await;
    let elsewhere = call(&pool, "git", "git_log", json!({ "repo_path": "/" })).await;

    assert!(log.to_string().contains("Say hello"), "{log}");
    assert_eq!(elsewhere.outcome, Outcome::Error, "{elsewhere:?}");
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_is_converted() {
    let pool = pool([("time", servers::time())]);
    let arguments =
        json!({ "source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo" });

    let converted = output(&pool, "time", "convert_time", arguments).await;

    assert!(converted.to_string().contains("T21:00:00+09:00"), "{converted}");
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_run_uses_three_servers_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pool = pool([
        ("everything", servers::everything()),
        ("memory", servers::memory(&folder.path().join("graph.json"))),
        ("time", servers::time()),
    ]);
    let calls = json!([
        { "connection": "everything", "tool": "get-sum", "arguments": { "a": 1, "b": 2 } },
        { "connection": "memory", "tool": "read_graph", "arguments": {} },
        { "connection": "time", "tool": "get_current_time", "arguments": { "timezone": "UTC" } },
    ]);

    let run = Run::new(&workflow(guests::CALLS_AT_ONCE).await, &pool).grants(Grants::all());
    let report = run.start(json_of(&calls)).await;

    let RunOutcome::Done(answers) = &report.outcome else { panic!("{report:?}") };
    let answers: Vec<Value> = serde_json::from_str(answers.as_str()).unwrap();
    assert!(answers[0]["Ok"].to_string().contains('3'), "{answers:?}");
    assert_eq!(answers[1]["Ok"]["entities"], json!([]), "{answers:?}");
    assert!(answers[2]["Ok"].to_string().contains("UTC"), "{answers:?}");
    // All three were under way together: each was made before any of them had its answer.
    let made_last = report.calls.iter().map(|call| call.submitted_at).max().unwrap();
    assert!(
        report.calls.iter().all(|call| made_last < call.submitted_at + call.duration),
        "{report:?}"
    );
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_runs_share_one_session() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let pool = pool([("everything", servers::everything().counting_starts(&starts))]);
    let workflow = workflow(guests::FAN_OUT).await;

    let reports = join_all((0..50).map(|number| {
        let messages = [
            json!({ "message": format!("{number} a") }),
            json!({ "message": format!("{number} b") }),
        ];
        let input = json!({ "connection": "everything", "tool": "echo", "arguments": messages });
        Run::new(&workflow, &pool).grants(Grants::all()).start(json_of(&input))
    }))
    .await;

    for (number, report) in reports.iter().enumerate() {
        let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
        let expected = json!([{ "output": format!("Echo: {number} a") }, { "output": format!("Echo: {number} b") }]);
        assert_eq!(serde_json::from_str::<Value>(output.as_str()).unwrap(), expected);
        assert!(report.calls.iter().all(|call| call.session_epoch == Some(1)), "{report:?}");
        assert!(report.calls.iter().all(|call| call.outcome == Ending::Ok), "{report:?}");
    }
    let mut numbers: Vec<_> = reports
        .iter()
        .flat_map(|report| &report.calls)
        .map(|call| call.session_sequence.unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=100).collect::<Vec<_>>());
    assert_eq!(fs::read_to_string(&starts).unwrap().lines().count(), 1);
    pool.close().await;
}

fn json_of(value: &Value) -> Json {
    Json::from_text(value.to_string()).unwrap()
}

fn make_repository(folder: &Path) {
    fs::write(folder.join("hello.txt"), "Hello\n").unwrap();
    for arguments in
        [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "--message", "Say hello"]]
    {
        let status = Command::new("git")
            .args([
                "-c",
                "user.name=Test",
                "-c",
                "user.email=test@example.test",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .current_dir(folder)
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    }
}
