//! What a file says and what comes of it.

mod any_text;
mod limits;
mod oauth;
mod refused;
mod workflows;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use super::*;

const FILE: &str = "/project/mcp.json";

fn surroundings() -> Environment {
    Environment::empty()
        .with_home("/users/ada")
        .with_var("PATH", "/bin")
        .with_var("TOKEN", "s3cret")
        .with_var("EMPTY", "")
        .with_var("NESTED", "${TOKEN}")
        .with_var("NEWLINE", "a\nb")
        .with_var("HOST_SECRET", "not for children")
        .with_var("CALLGATE_INPUT_API_KEY", "k3y")
}

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, Path::new(FILE), &surroundings())
}

/// The one server `s` of a file, which has to be ready.
fn server(entry: &str) -> ConnectionConfig {
    let config = parse(&format!(r#"{{"mcpServers": {{"s": {entry}}}}}"#)).unwrap();
    match config.connections.into_values().next().unwrap() {
        Configured::Ready(connection) => *connection,
        other => panic!("{entry}: {other:?}"),
    }
}

fn stdio(entry: &str) -> StdioServer {
    match server(entry).server {
        Server::Stdio(server) => server,
        other => panic!("{entry}: {other:?}"),
    }
}

/// The headers of the server `s`, as text.
fn headers(entry: &str) -> Vec<(String, String)> {
    let auth = server(entry).auth;
    let header = |(n, v): (&::http::HeaderName, &::http::HeaderValue)| {
        (n.to_string(), v.to_str().unwrap().to_owned())
    };
    auth.headers().map(header).collect()
}

/// The problems of a file that is refused, as (key, fault).
fn problems(text: &str) -> Vec<(Option<String>, Fault)> {
    match parse(text) {
        Err(ConfigError::Invalid { problems, .. }) => {
            problems.into_iter().map(|problem| (problem.place.key, problem.fault)).collect()
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// The problems that put the server `s` out of use.
fn unusable(entry: &str) -> Vec<Problem> {
    let text = format!(r#"{{"mcpServers": {{"s": {entry}, "other": {{"command": "x"}}}}}}"#);
    let mut config = parse(&text).unwrap();
    assert!(matches!(config.connections[&"other".into()], Configured::Ready(_)));
    match config.connections.remove(&ConnectionId::from("s")).unwrap() {
        Configured::Unusable(problems) => problems,
        other => panic!("{entry}: {other:?}"),
    }
}

#[test]
fn a_desktop_file_with_comments_and_trailing_commas_is_read() {
    let config = parse(
        r#"{
            // what everybody has
            "$schema": "https://example.com/schema.json",
            "mcpServers": {
                "files": { "command": "npx", "args": ["-y", "server", "${userHome}/docs",], },
                /* and this */
                "web": { "type": "http", "url": "https://example.com/mcp" },
            },
        }"#,
    )
    .unwrap();

    assert_eq!(config.warnings, []);
    let names: Vec<_> = config.connections.keys().map(ConnectionId::as_str).collect();
    assert_eq!(names, ["files", "web"]);
    let Configured::Ready(files) = &config.connections[&"files".into()] else { panic!() };
    assert_eq!(files.ordering, Ordering::Annotated);
    let Server::Stdio(child) = &files.server else { panic!() };
    assert_eq!(child.command, "npx");
    assert_eq!(child.args, ["-y", "server", "/users/ada/docs"]);
    let Configured::Ready(web) = &config.connections[&"web".into()] else { panic!() };
    let Server::Http(http) = &web.server else { panic!() };
    assert_eq!(http.url.as_str(), "https://example.com/mcp");
}

#[test]
fn an_editor_file_with_inputs_is_read() {
    let config = Config::parse(
        r#"{
            "inputs": [{ "type": "promptString", "id": "api-key", "description": "key", "password": true }],
            "servers": {
                "s": {
                    "type": "stdio", "command": "./run", "cwd": "${workspaceFolder}",
                    "args": ["--key=${input:api-key}", "${workspaceFolderBasename}${/}x"],
                    "env": { "N": 1.50, "T": "${env:TOKEN}", "PATH": null }
                }
            }
        }"#,
        Path::new("/project/.vscode/mcp.json"),
        &surroundings(),
    )
    .unwrap();

    let Configured::Ready(connection) = &config.connections[&"s".into()] else { panic!() };
    let Server::Stdio(child) = &connection.server else { panic!() };
    assert_eq!(child.command, "/project/run");
    assert_eq!(child.cwd.as_deref(), Some(Path::new("/project")));
    assert_eq!(child.args, ["--key=k3y", "project/x"]);
    let env: Vec<_> = child.env.iter().map(|(n, v)| (n.to_str(), v.to_str())).collect();
    assert_eq!(env, [(Some("N"), Some("1.50")), (Some("T"), Some("s3cret"))]);
}

#[test]
fn variables_expand_in_values_once() {
    for (raw, expanded) in [
        ("${TOKEN}", "s3cret"),
        ("a${TOKEN}b${TOKEN}c", "as3cretbs3cretc"),
        ("${env:TOKEN}", "s3cret"),
        ("${MISSING:-default}", "default"),
        ("${env:MISSING:-default}", "default"),
        ("${MISSING:-}", ""),
        ("${MISSING:-a:-b}", "a:-b"),
        ("${TOKEN:-default}", "s3cret"),
        // Set to nothing is set.
        ("${EMPTY:-default}", ""),
        ("${NESTED}", "${TOKEN}"),
        ("$TOKEN $ {TOKEN} }", "$TOKEN $ {TOKEN} }"),
        ("${userHome}", "/users/ada"),
        ("${workspaceFolder}", "/project"),
        ("${input:api.key}", "k3y"),
        ("Grüße ${TOKEN}", "Grüße s3cret"),
    ] {
        let entry = format!(r#"{{"command": "x", "args": ["{raw}"]}}"#);
        assert_eq!(stdio(&entry).args, [expanded], "{raw}");
    }
}

#[test]
fn names_and_keys_do_not_expand() {
    let entry = r#"{"command": "x", "env": {"${TOKEN}": "v"}, "enabled_tools": ["${TOKEN}"]}"#;

    let connection = server(entry);

    assert_eq!(connection.enabled_tools, Some(vec!["${TOKEN}".to_owned()]));
    let Server::Stdio(child) = connection.server else { panic!() };
    assert!(child.env.contains_key(&OsString::from("${TOKEN}")));
}

#[test]
fn a_disabled_server_is_kept_and_not_looked_at() {
    for entry in
        [r#"{"disabled": true, "command": "${MISSING}", "type": 1}"#, r#"{"enabled": false}"#]
    {
        let config = parse(&format!(r#"{{"mcpServers": {{"s": {entry}}}}}"#)).unwrap();
        assert_eq!(config.connections[&"s".into()], Configured::Disabled);
        assert_eq!(config.warnings, []);
    }
    server(r#"{"disabled": false, "enabled": true, "command": "x"}"#);
}

#[test]
fn the_other_settings_are_read() {
    let connection = server(
        r#"{"url": "http://localhost:1/mcp", "type": "streamable-http", "ordering": "serial",
            "enabled_tools": ["a", "b"], "disabled_tools": ["b"], "startup_timeout_sec": 2.5,
            "tool_timeout_sec": 120, "required": true, "replay": "always", "on_session_loss": "fail",
            "idle_timeout_sec": 7.5, "era": "legacy", "elicitation": "defaults", "check_arguments": false}"#,
    );

    assert_eq!(connection.ordering, Ordering::Serial);
    assert_eq!(connection.enabled_tools, Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(connection.disabled_tools, ["b"]);
    assert_eq!(connection.startup_timeout, Some(Duration::from_millis(2500)));
    assert_eq!(connection.tool_timeout, Some(Duration::from_secs(120)));
    assert_eq!(connection.idle_timeout, Some(Duration::from_millis(7500)));
    assert_eq!(connection.era, EraPolicy::Legacy);
    assert_eq!(connection.elicitation, Elicitation::AcceptDefaults);
    assert!(connection.required);
    assert!(!connection.checks_arguments);
    assert_eq!(connection.replay, Replay::Always);
    assert_eq!(connection.on_session_loss, OnSessionLoss::Fail);
    assert_eq!(connection.auth, AuthRecord::none());
}

#[test]
fn headers_and_tokens_make_the_auth_record() {
    let bearer = [("authorization".to_owned(), "Bearer s3cret".to_owned())];
    assert_eq!(headers(r#"{"url": "https://e.com", "auth": {"bearer": "${TOKEN}"}}"#), bearer);
    assert_eq!(headers(r#"{"url": "https://e.com", "bearer_token_env_var": "TOKEN"}"#), bearer);
    let headers = headers(
        r#"{"url": "https://e.com", "headers": {"X-B": "2", "x-a": "${TOKEN}"}, "auth": {"bearer": "t"}}"#,
    );
    let expected = [("authorization", "Bearer t"), ("x-a", "s3cret"), ("x-b", "2")];
    assert_eq!(headers, expected.map(|(n, v)| (n.to_owned(), v.to_owned())));
}

#[test]
fn the_order_of_headers_makes_no_other_auth_record() {
    let one = server(r#"{"url": "https://e.com", "headers": {"a": "1", "b": "2"}}"#);
    let other = server(r#"{"url": "https://e.com", "headers": {"b": "2", "A": "1"}}"#);

    assert_eq!(one.auth, other.auth);
}

#[test]
fn odd_things_are_warnings() {
    for (entry, key, remark) in [
        (r#"{"command": "x", "frobnicate": 1}"#, "frobnicate", Remark::UnknownKey),
        (
            r#"{"command": "x", "timeout": 1}"#,
            "timeout",
            Remark::ForeignKey { instead: "write \"tool_timeout_sec\", in seconds" },
        ),
        (
            r#"{"command": "x", "headers": {}}"#,
            "headers",
            Remark::NoEffect { kind: "a server that is a child process" },
        ),
        (
            r#"{"url": "https://e.com", "cwd": "/"}"#,
            "cwd",
            Remark::NoEffect { kind: "a server that is reached by HTTP" },
        ),
        (
            r#"{"url": "https://e.com", "auth": {"bearer": "t", "scopes": []}}"#,
            "auth.scopes",
            Remark::UnknownKey,
        ),
        (r#"{"url": "http://e.com", "auth": {"bearer": "t"}}"#, "url", Remark::Cleartext),
    ] {
        let config = parse(&format!(r#"{{"mcpServers": {{"s": {entry}}}}}"#)).unwrap();
        let [warning] = &config.warnings[..] else { panic!("{entry}: {:?}", config.warnings) };
        assert_eq!(warning.place.server, Some("s".into()));
        assert_eq!((warning.place.key.as_deref(), &warning.remark), (Some(key), &remark));
    }
    let config = parse(r#"{"servers": {}, "theme": "dark"}"#).unwrap();
    let told = config.warnings[0].to_string();
    assert_eq!(told, r#"/project/mcp.json:1:17: key "theme": this key isn't known and is ignored"#);
}

#[test]
fn cleartext_is_fine_on_this_machine_and_without_credentials() {
    for entry in [
        r#"{"url": "http://127.0.0.2/", "auth": {"bearer": "t"}}"#,
        r#"{"url": "http://[::1]:1/", "auth": {"bearer": "t"}}"#,
        r#"{"url": "http://localhost/", "auth": {"bearer": "t"}}"#,
        r#"{"url": "http://example.com/"}"#,
    ] {
        let config = parse(&format!(r#"{{"mcpServers": {{"s": {entry}}}}}"#)).unwrap();
        assert_eq!(config.warnings, [], "{entry}");
    }
}

#[test]
fn relative_paths_start_at_the_workspace_folder() {
    for (origin, folder) in [
        ("/project/mcp.json", "/project"),
        ("/project/.vscode/mcp.json", "/project"),
        ("/project/.cursor/mcp.json", "/project"),
        ("/project/.config/mcp.json", "/project/.config"),
    ] {
        for (command, expected) in [
            ("tool", PathBuf::from("tool")),
            ("./tool", Path::new(folder).join("tool")),
            ("bin/tool", Path::new(folder).join("bin/tool")),
            ("/opt/tool", PathBuf::from("/opt/tool")),
        ] {
            let text =
                format!(r#"{{"servers": {{"s": {{"command": "{command}", "cwd": "sub"}}}}}}"#);
            let config = Config::parse(&text, Path::new(origin), &surroundings()).unwrap();
            let Configured::Ready(connection) = &config.connections[&"s".into()] else { panic!() };
            let Server::Stdio(child) = &connection.server else { panic!() };
            assert_eq!(child.command, expected, "{origin} {command}");
            assert_eq!(child.cwd, Some(Path::new(folder).join("sub")));
        }
    }
}

#[test]
fn a_child_gets_what_passes_then_the_env_file_then_env() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".env"), "A=file\nB=file\nPATH=/file\n").unwrap();
    let text = r#"{"servers": {"s": {"command": "x", "envFile": ".env", "env": {"A": "env"}}}}"#;
    let file = folder.path().join("mcp.json");
    std::fs::write(&file, text).unwrap();

    let config = Config::load(&file, &surroundings()).unwrap();

    let Configured::Ready(connection) = &config.connections[&"s".into()] else { panic!() };
    let Server::Stdio(child) = &connection.server else { panic!() };
    let expected = [("A", "env"), ("B", "file"), ("PATH", "/file")];
    let expected = expected.map(|(n, v)| (n.into(), v.into()));
    assert_eq!(child.env, BTreeMap::<OsString, OsString>::from(expected));
}

#[test]
fn nothing_that_may_be_secret_has_a_debug_form() {
    let config = parse(
        r#"{"servers": {
            "c": {"command": "x", "args": ["${TOKEN}"], "env": {"T": "${TOKEN}"}},
            "h": {"url": "https://e.com/?key=${TOKEN}", "headers": {"x": "${TOKEN}"}}
        }}"#,
    )
    .unwrap();

    let told = format!("{config:?} {:?}", surroundings());

    assert!(told.contains("https://e.com/?..."), "{told}");
    assert!(!told.contains("s3cret"), "{told}");
}

#[test]
fn a_pool_takes_every_connection_and_says_why_one_cannot_be_used() {
    let config = parse(
        r#"{"servers": {
            "off": {"disabled": true},
            "missing": {"command": "${MISSING}"},
            "fine": {"command": "x", "required": true}
        }}"#,
    )
    .unwrap();
    assert_eq!(config.required().map(ConnectionId::as_str).collect::<Vec<_>>(), ["fine"]);

    let pool = config.into_pool(None);

    let told: Vec<_> = pool.connections().map(|(id, usable)| (id.as_str(), usable)).collect();
    let missing = r#"/project/mcp.json:3:25: server "missing": key "command": variable MISSING isn't set: set it, or write a default as in ${MISSING:-default}"#;
    let off = r#"/project/mcp.json: server "off" is disabled there"#;
    assert_eq!(told, [("fine", Ok(())), ("missing", Err(missing)), ("off", Err(off))]);
}

/// The text of `docs/configuration.md`.
const REFERENCE: &str = include_str!("../../../docs/configuration.md");

#[test]
fn the_examples_of_the_reference_are_valid() {
    let examples = REFERENCE.split("```jsonc\n").skip(1);
    let examples: Vec<_> = examples.map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 5);
    for example in examples {
        let text = match example.starts_with('{') {
            true => example.to_owned(),
            false => format!(r#"{{"servers": {{"s": {{"command": "x", {example}}}}}}}"#),
        };
        let config = parse(&text).unwrap();
        assert_eq!(config.warnings, [], "{example}");
    }
}

#[test]
fn the_reference_has_every_key() {
    let others =
        ["mcpServers", "servers", "inputs", "command", "url", "type", "ordering", "required"];
    let lists = [
        "replay",
        "on_session_loss",
        "enabled_tools",
        "disabled_tools",
        "check_arguments",
        "startup_timeout_sec",
        "tool_timeout_sec",
    ];
    for key in [entry::STDIO_KEYS, entry::HTTP_KEYS, &others, &lists].concat() {
        assert!(REFERENCE.contains(&format!("`{key}`")), "{key}");
    }
}
