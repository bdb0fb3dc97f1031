//! `callgate doctor`.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener},
    thread,
};

use serde_json::{Value, json};

use super::{Desk, Ended, shell};

/// What the JSON report says of one server.
#[track_caller]
fn about(ended: &Ended, name: &str) -> Value {
    let report = ended.json();
    let servers = report["servers"].as_array().unwrap();
    let server = servers.iter().find(|server| server["name"] == name);
    server.unwrap_or_else(|| panic!("no {name} in {report}")).clone()
}

/// The JSON report on one server that is not fine.
#[track_caller]
fn diagnose(server: Value) -> Value {
    let desk = Desk::with(json!({ "sick": server }));
    let ended = desk.callgate(&["doctor", "sick", "--json"]);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    about(&ended, "sick")
}

#[track_caller]
fn assert_problem(server: &Value, kind: &str, detail: &str, advice: &[&str]) {
    let problem = &server["problem"];
    assert_eq!(problem["kind"], kind, "{server}");
    assert!(problem["detail"].as_str().unwrap().contains(detail), "no {detail:?} in {server}");
    for word in advice {
        assert!(problem["advice"].as_str().unwrap().contains(word), "no {word:?} in {server}");
    }
}

#[test]
fn a_server_that_is_fine_is_described() {
    let ended = Desk::new().callgate(&["doctor", "--json"]);

    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    let report = ended.json();
    assert_eq!((&report["counted"], &report["fine"]), (&json!(1), &json!(1)), "{report}");
    let files = about(&ended, "files");
    assert_eq!(files["problem"], Value::Null);
    assert_eq!(files["reached"]["by"], "stdio");
    assert_eq!(files["reached"]["arguments"], 2);
    assert_eq!(files["session"]["era"], "stateless");
    assert_eq!(files["session"]["second_start"], false);
    assert_eq!(files["session"]["protocol_version"], "2026-07-28");
    assert_eq!(files["session"]["server_name"], "callgate-files");
    assert_eq!(
        files["tools"],
        json!({ "count": 10, "read_only": 7, "clashes": [], "unlisted": [] })
    );
    let [open, round_trip] = ["open_ms", "round_trip_ms"].map(|key| files[key].as_f64().unwrap());
    assert!(0.0 < round_trip && round_trip < open, "{files}");
    let end = &files["end"];
    assert_eq!([&end["code"], &end["farewell"]], [&json!(0), &json!("left")], "{end}");
    assert_eq!(end["left_processes"], false);
}

#[test]
fn the_report_fits_on_a_terminal_and_ends_with_the_sum() {
    let desk = Desk::with(json!({
        "missing": { "command": "no-such-program" },
        "asleep": { "command": "no-such-program", "disabled": true },
    }));

    let ended = desk.callgate(&["doctor"]);

    assert_eq!((ended.code, ended.stderr.as_str()), (Some(4), ""), "{ended:?}");
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", ended.stdout);
    for line in ["asleep: disabled in the configuration", "files: fine", "missing: FAILED"] {
        assert!(lines.contains(&line), "no {line:?} in {}", ended.stdout);
    }
    assert_eq!(lines.last(), Some(&"2 servers, 1 fine"));
}

#[test]
fn only_what_is_asked_for_is_tried() {
    let desk = Desk::with(json!({
        "missing": { "command": "no-such-program" },
        "asleep": { "command": "no-such-program", "disabled": true },
    }));

    let ended = desk.callgate(&["doctor", "files", "asleep"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.ends_with("\n1 servers, 1 fine\n"), "{ended:?}");
    assert!(!ended.stdout.contains("missing"), "{ended:?}");

    desk.callgate(&["doctor", "none"]).assert_complains(2, &["none", "asleep, files, missing"]);
}

#[test]
fn a_program_that_is_not_there_is_looked_for_where_it_says() {
    let mut server = json!({ "command": "no-such-program" });
    server["env"] = json!({ "PATH": "/nowhere:/else" });

    let sick = diagnose(server);

    assert_problem(
        &sick,
        "no-program",
        "/nowhere:/else",
        &["\"command\" in .mcp.json", "\"PATH\""],
    );
    assert_eq!([&sick["session"], &sick["end"], &sick["open_ms"]], [&Value::Null; 3]);
}

#[test]
fn a_server_that_exits_at_once_is_quoted() {
    let sick = diagnose(shell("echo no database >&2; exit 3"));

    assert_problem(&sick, "exited", "exit status: 3", &["stderr", "\"env\""]);
    assert_eq!(sick["stderr"], json!(["no database"]));
    assert_eq!([&sick["end"]["code"], &sick["end"]["farewell"]], [&json!(3), &json!("gone")]);
}

#[test]
fn a_server_that_hangs_is_given_up_and_named_by_the_key_that_gives_it_more_time() {
    let mut server = shell("echo waiting for nothing >&2; sleep 300");
    server["startup_timeout_sec"] = json!(0.5);

    let sick = diagnose(server);

    assert_problem(&sick, "late", "500ms", &["\"startup_timeout_sec\" in .mcp.json"]);
    assert_eq!(sick["stderr"], json!(["waiting for nothing"]));
    let end = &sick["end"];
    assert_eq!([&end["signal"], &end["farewell"]], [&json!(15), &json!("terminated")], "{end}");
}

#[test]
fn a_server_that_will_not_leave_is_told_of() {
    let script = r#"(trap '' TERM; sleep 300) & "$0" "$@""#;
    let stays =
        json!({ "command": "sh", "args": ["-c", script, super::CALLGATE, "demo-server", "."] });

    let ended = Desk::with(json!({ "stays": stays })).callgate(&["doctor", "stays", "--json"]);

    assert_eq!(ended.code, Some(0), "{ended:?}");
    let end = &about(&ended, "stays")["end"];
    assert_eq!([&end["farewell"], &end["left_processes"]], [&json!("left"), &json!(true)], "{end}");
}

#[test]
fn a_server_that_is_none_is_told_from_one_that_refuses() {
    let hostile = |mode| json!({ "command": env!("CARGO_BIN_EXE_hostile-stdio"), "args": [mode] });

    let refuses = diagnose(hostile("init-error"));
    let leaves = diagnose(hostile("initialized-exits"));

    assert_problem(&refuses, "handshake", "no licence", &["standard output"]);
    assert_problem(&leaves, "exited", "exit status: 0", &["stderr"]);
}

#[test]
fn a_server_without_a_list_of_tools_is_fine_and_says_so() {
    let hostile = json!({ "command": env!("CARGO_BIN_EXE_hostile-stdio"), "args": ["list-error"] });

    let ended = Desk::with(json!({ "odd": hostile }))
        .callgate(&["doctor", "odd", "--json", "--log", "off"]);

    assert_eq!(ended.code, Some(0), "{ended:?}");
    let odd = about(&ended, "odd");
    assert_eq!(odd["tools"], Value::Null);
    assert!(odd["no_tools"].is_string(), "{odd}");
}

#[test]
fn a_variable_that_is_not_set_is_named_with_its_place() {
    let sick = diagnose(json!({ "command": "sh", "env": { "TOKEN": "${NOBODY_SETS_THIS}" } }));

    assert_problem(&sick, "unusable", ".mcp.json:1:", &["mend"]);
    for word in ["server \\\"sick\\\"", "key \\\"env.TOKEN\\\"", "NOBODY_SETS_THIS"] {
        assert!(sick["problem"].to_string().contains(word), "no {word:?} in {sick}");
    }
}

#[test]
fn a_server_has_no_power_over_the_terminal_and_no_endless_speech() {
    let script = r"printf '\033[31mred \302\233 \342\200\256 %01000d\n' 7 >&2; exit 1";
    let desk = Desk::with(json!({ "loud": shell(script) }));

    for arguments in [&["doctor", "loud"][..], &["doctor", "loud", "--json"]] {
        let ended = desk.callgate(arguments);

        let is_foul = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!ended.stdout.contains(is_foul), "{ended:?}");
        assert!(ended.stdout.contains("red"), "{ended:?}");
        assert!(ended.stdout.len() < 2000, "{ended:?}");
    }
}

#[test]
fn no_secret_is_printed() {
    let desk = Desk::with(json!({
        "local": { "command": "sh", "args": ["-c", "exit 1", "s3cret"], "env": { "KEY": "s3cret" } },
        "remote": { "url": "http://127.0.0.1:1/mcp?key=s3cret", "auth": { "bearer": "s3cret" } },
    }));

    for arguments in [&["doctor", "local", "remote"][..], &["doctor", "--json", "--log", "debug"]] {
        let ended = desk.callgate(arguments);

        assert_eq!(ended.code, Some(4), "{ended:?}");
        assert!(!format!("{ended:?}").contains("s3cret"), "{ended:?}");
    }
}

/// An HTTP server that gives every request this answer. Its thread ends with the test binary.
fn answering(head: &'static str, body: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut request = [0; 4096];
            let _whatever_it_is = connection.read(&mut request);
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
            let _the_client_may_have_gone = connection.write_all(answer.as_bytes());
            let _until_the_client_hangs_up = connection.read(&mut request);
        }
    });
    address
}

#[test]
fn each_way_of_not_reaching_a_server_by_http_has_its_own_advice() {
    let url = |address: SocketAddr| json!({ "url": format!("http://{address}/mcp") });
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let wants = answering("401 Unauthorized\r\nwww-authenticate: Bearer", "");
    let moved = answering("302 Found\r\nlocation: https://example.test/new", "");
    let cases = [
        (url(closed), "refused", "refused", &["start the server", "\"url\""][..]),
        (json!({ "url": "http://no-such-host.invalid/mcp" }), "unknown-host", "", &["\"url\""]),
        (json!({ "url": format!("https://{}/", answering("200 OK", "")) }), "tls", "", &["https"]),
        (
            url(wants),
            "http-status",
            "HTTP 401",
            &["\"auth\"", "\"bearer_token_env_var\"", "\"headers\""],
        ),
        (url(answering("404 Not Found", "")), "http-status", "HTTP 404", &["path", "/mcp"]),
        (url(moved), "http-status", "https://example.test/new", &["redirects", "\"url\""]),
        (url(answering("503 Busy", "")), "http-status", "HTTP 503", &["server's"]),
        (
            url(answering("200 OK\r\ncontent-type: text/html", "<h1>Hello</h1>")),
            "not-mcp",
            "<h1>Hello</h1>",
            &["path of \"url\" in .mcp.json"],
        ),
    ];

    for (server, kind, detail, advice) in cases {
        let sick = diagnose(server);

        assert_eq!(sick["reached"]["by"], "http", "{sick}");
        assert_problem(&sick, kind, detail, advice);
    }
    let mut denied = url(wants);
    denied["auth"] = json!({ "bearer": "wrong" });
    assert_problem(&diagnose(denied), "http-status", "HTTP 401", &["not accepted"]);
}
