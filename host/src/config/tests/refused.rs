//! What is wrong with files and entries, and how it's told.

use super::*;

#[test]
fn a_missing_variable_puts_its_server_alone_out_of_use_and_names_all() {
    let problems = unusable(
        r#"{"command": "x", "args": ["${MISSING}", "${input:who}"],
            "env": {"T": "${env:ABSENT}"}, "envFile": "no-such-file"}"#,
    );

    let told: Vec<_> = problems.iter().map(Problem::to_string).collect();
    assert_eq!(
        told,
        [
            r#"/project/mcp.json:1:48: server "s": key "args[0]": variable MISSING isn't set: set it, or write a default as in ${MISSING:-default}"#,
            r#"/project/mcp.json:1:62: server "s": key "args[1]": input "who" has no value: set CALLGATE_INPUT_WHO"#,
            &told[2],
            r#"/project/mcp.json:2:21: server "s": key "env.T": variable ABSENT isn't set: set it, or write a default as in ${ABSENT:-default}"#,
        ]
    );
    assert!(told[2].contains(r#"key "envFile": env file /project/no-such-file: it can't be read"#));
}

#[test]
fn a_required_server_that_is_out_of_use_refuses_the_file() {
    let text =
        r#"{"servers": {"s": {"command": "${MISSING}", "required": true}, "t": {"command": "x"}}}"#;

    assert_eq!(
        problems(text),
        [(Some("command".into()), Fault::MissingVariable { variable: "MISSING".into() })]
    );
}

#[test]
fn what_variables_hold_is_the_surroundings_fault_and_never_shown() {
    let bad_url = Fault::BadUrl { detail: url::ParseError::RelativeUrlWithoutBase };
    for (entry, fault) in [
        (r#"{"url": "${TOKEN}"}"#, bad_url),
        (r#"{"url": "file://${TOKEN}"}"#, Fault::NotHttp),
        (r#"{"url": "https://u:${TOKEN}@example.com"}"#, Fault::UrlCredentials),
        (
            r#"{"url": "https://example.com", "headers": {"x": "${NEWLINE}"}}"#,
            Fault::BadHeaderValue,
        ),
        (r#"{"url": "https://example.com", "auth": {"bearer": "${EMPTY}"}}"#, Fault::Empty),
        (
            r#"{"url": "https://example.com", "bearer_token_env_var": "NEWLINE"}"#,
            Fault::BadHeaderValue,
        ),
        (r#"{"command": "${EMPTY}"}"#, Fault::Empty),
        (r#"{"command": "x", "cwd": "${EMPTY}"}"#, Fault::Empty),
    ] {
        let problems = unusable(entry);
        assert_eq!(problems[0].fault, Fault::Expanded(Box::new(fault)), "{entry}");
        assert!(!format!("{problems:?} {}", problems[0]).contains("s3cret"), "{entry}");
    }
}

#[test]
fn a_bad_entry_refuses_the_file_and_says_what_and_where() {
    let wrong = |expected, found| Fault::WrongType { expected, found };
    let timeout = || Fault::Timeout { max_timeout: ConfigLimits::default().max_timeout };
    let expression = |text: &str| Fault::UnknownExpression { expression: text.into() };
    for (entry, key, fault) in [
        (r#"{}"#, "", Fault::NoTransport),
        (r#"[]"#, "", wrong("an object", "an array")),
        (r#"{"command": "x", "url": "https://e.com"}"#, "", Fault::TwoTransports),
        (r#"{"type": "http", "url": "https://e.com", "command": "x"}"#, "", Fault::TwoTransports),
        (r#"{"type": "sse", "url": "https://e.com"}"#, "type", Fault::Sse),
        (
            r#"{"type": "ws", "url": "https://e.com"}"#,
            "type",
            Fault::UnknownType { kind: "ws".into() },
        ),
        (
            r#"{"type": "stdio", "url": "https://e.com"}"#,
            "type",
            Fault::TypeWithout { kind: "stdio".into(), needs: "command" },
        ),
        (
            r#"{"type": "http", "command": "x"}"#,
            "type",
            Fault::TypeWithout { kind: "http".into(), needs: "url" },
        ),
        (r#"{"command": ["x"]}"#, "command", wrong("a string", "an array")),
        (r#"{"command": ""}"#, "command", Fault::Empty),
        (r#"{"command": "~/x"}"#, "command", Fault::Tilde),
        (r#"{"command": "x\u0000"}"#, "command", Fault::Nul),
        (r#"{"command": "x", "command": "y"}"#, "command", Fault::DuplicateKey),
        (r#"{"command": "x", "args": "y"}"#, "args", wrong("an array", "a string")),
        (r#"{"command": "x", "args": ["y", 1]}"#, "args[1]", wrong("a string", "a number")),
        (r#"{"command": "x", "args": ["${TOKEN"]}"#, "args[0]", Fault::Unclosed),
        (r#"{"command": "x", "args": ["${}"]}"#, "args[0]", expression("")),
        (r#"{"command": "x", "args": ["${config:a}"]}"#, "args[0]", expression("config:a")),
        (r#"{"command": "x", "args": ["${TOKEN-a}"]}"#, "args[0]", expression("TOKEN-a")),
        (
            r#"{"command": "x", "args": ["${A:-${B}}"]}"#,
            "args[0]",
            Fault::NestedDefault { variable: "A".into() },
        ),
        (r#"{"command": "x", "env": []}"#, "env", wrong("an object", "an array")),
        (r#"{"command": "x", "env": {"A": true}}"#, "env.A", wrong("a string", "true")),
        (r#"{"command": "x", "env": {"A=B": ""}}"#, "env.A=B", Fault::BadVariableName),
        (r#"{"command": "x", "env": {"A": "", "A": ""}}"#, "env.A", Fault::DuplicateKey),
        (r#"{"command": "x", "cwd": "~"}"#, "cwd", Fault::Tilde),
        (r#"{"command": "x", "required": 1}"#, "required", wrong("true or false", "a number")),
        (r#"{"command": "x", "disabled": false, "enabled": false}"#, "", Fault::Contradiction),
        (r#"{"command": "x", "disabled": true, "enabled": true}"#, "", Fault::Contradiction),
        (r#"{"command": "x", "tool_timeout_sec": 0}"#, "tool_timeout_sec", timeout()),
        (r#"{"command": "x", "tool_timeout_sec": -1}"#, "tool_timeout_sec", timeout()),
        (r#"{"command": "x", "tool_timeout_sec": 1e-30}"#, "tool_timeout_sec", timeout()),
        (r#"{"command": "x", "startup_timeout_sec": 1e300}"#, "startup_timeout_sec", timeout()),
        (
            r#"{"command": "x", "startup_timeout_sec": "1"}"#,
            "startup_timeout_sec",
            wrong("a number of seconds", "a string"),
        ),
        (r#"{"command": "x", "enabled_tools": [""]}"#, "enabled_tools[0]", Fault::Empty),
        (
            r#"{"command": "x", "ordering": "fast"}"#,
            "ordering",
            Fault::UnknownWord {
                word: "fast".into(),
                expected: "it's \"serial\", \"annotated\" or \"parallel\"",
            },
        ),
        (r#"{"url": "ftp://e.com"}"#, "url", Fault::NotHttp),
        (r#"{"url": "https://u@e.com"}"#, "url", Fault::UrlCredentials),
        (
            r#"{"url": "/mcp"}"#,
            "url",
            Fault::BadUrl { detail: url::ParseError::RelativeUrlWithoutBase },
        ),
        (
            r#"{"url": "https://e.com", "headers": {"a b": ""}}"#,
            "headers.a b",
            Fault::BadHeaderName,
        ),
        (
            r#"{"url": "https://e.com", "headers": {"Mcp-Session-Id": "1"}}"#,
            "headers.Mcp-Session-Id",
            Fault::ReservedHeader,
        ),
        (
            r#"{"url": "https://e.com", "headers": {"a": "x\ny"}}"#,
            "headers.a",
            Fault::BadHeaderValue,
        ),
        (
            r#"{"url": "https://e.com", "headers": {"A": "1", "a": "2"}}"#,
            "headers.a",
            Fault::Collision { other: "a".into() },
        ),
        (r#"{"url": "https://e.com", "auth": {}}"#, "auth", Fault::NoBearer),
        (r#"{"url": "https://e.com", "auth": "x"}"#, "auth", wrong("an object", "a string")),
        (r#"{"url": "https://e.com", "auth": {"bearer": ""}}"#, "auth.bearer", Fault::Empty),
        (
            r#"{"url": "https://e.com", "auth": {"bearer": "x"}, "headers": {"Authorization": "y"}}"#,
            "",
            Fault::TwoCredentials { other: "headers" },
        ),
        (
            r#"{"url": "https://e.com", "auth": {"bearer": "x"}, "bearer_token_env_var": "TOKEN"}"#,
            "",
            Fault::TwoCredentials { other: "auth" },
        ),
    ] {
        let found = problems(&format!(r#"{{"mcpServers": {{"s": {entry}}}}}"#));
        let key = (!key.is_empty()).then(|| key.to_owned());
        assert_eq!(found, [(key, fault)], "{entry}");
    }
}

#[test]
fn a_bad_file_is_refused_and_says_what_and_where() {
    let wrong = |expected, found| Fault::WrongType { expected, found };
    for (text, key, fault) in [
        ("", "", wrong("an object", "nothing")),
        ("[]", "", wrong("an object", "an array")),
        ("{}", "", Fault::NoServers),
        (r#"{"mcpServers": []}"#, "mcpServers", wrong("an object", "an array")),
        (r#"{"mcpServers": {}, "mcpServers": {}}"#, "mcpServers", Fault::DuplicateKey),
        (r#"{"servers": {"": {}}}"#, "servers.", Fault::BadName),
        (r#"{"servers": {"a\n": {}}}"#, "servers.a\n", Fault::BadName),
        (
            r#"{"servers": {"a": {"command": "x"}, "a": {"command": "y"}}}"#,
            "servers.a",
            Fault::DuplicateKey,
        ),
        (
            r#"{"servers": {"a": {"command": "x"}}, "mcpServers": {"a": {"command": "y"}}}"#,
            "servers.a",
            Fault::Collision { other: "mcpServers.a".into() },
        ),
        (r#"{"servers": {}, "inputs": {}}"#, "inputs", wrong("an array", "an object")),
        (r#"{"servers": {}, "inputs": [1]}"#, "inputs[0]", wrong("an object", "a number")),
        (
            r#"{"servers": {}, "inputs": [{}]}"#,
            "inputs[0]",
            wrong("an object with the key \"id\"", "one without it"),
        ),
        (
            r#"{"servers": {}, "inputs": [{"id": "a-b"}, {"id": "a_b"}]}"#,
            "inputs[1].id",
            Fault::Collision { other: "a-b".into() },
        ),
    ] {
        let key = (!key.is_empty()).then(|| key.to_owned());
        assert_eq!(problems(text), [(key, fault)], "{text}");
    }
}

#[test]
fn what_is_not_json_is_refused_with_line_and_column() {
    for (text, line, column) in [
        ("{", 1, 1),
        ("{\n  \"servers\": {},,\n}", 2, 17),
        ("{\"servers\": {\"é\": {\"command\": 'x'}}}", 1, 31),
        ("{servers: {}}", 1, 2),
        ("{\"servers\" {}}", 1, 12),
        ("{\"servers\": {} \"inputs\": []}", 1, 15),
        ("{} {}", 1, 4),
    ] {
        match parse(text) {
            Err(ConfigError::NotJson { at, .. }) => {
                assert_eq!(at, Position { line, column }, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn all_problems_of_a_file_are_told_at_once_in_its_order() {
    let error = parse(
        r#"{"mcpServers": {
            "z": {"type": "sse", "ordering": "fast"},
            "a": {"command": "${MISSING}", "args": [1]},
            "m": {}
        }}"#,
    )
    .unwrap_err();

    let told = error.to_string();
    let lines: Vec<_> = told.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(
        lines,
        [r#"server "z""#, r#"server "z""#, r#"server "a""#, r#"server "a""#, r#"server "m""#]
    );
    assert!(
        told.starts_with(r#"/project/mcp.json:2:19: server "z": key "type": the SSE"#),
        "{told}"
    );
}

#[test]
fn a_token_variable_that_is_not_there_is_named() {
    for variable in ["MISSING", "EMPTY"] {
        let entry = format!(r#"{{"url": "https://e.com", "bearer_token_env_var": "{variable}"}}"#);
        let fault = Fault::MissingToken { variable: variable.to_owned() };
        assert_eq!(unusable(&entry)[0].fault, fault);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mcp.json");
    let limits = ConfigLimits { max_file_bytes: 20, ..ConfigLimits::default() };
    let load = || Config::load_within(&file, &surroundings(), &limits);

    assert!(matches!(load(), Err(ConfigError::Unreadable { .. })));
    std::fs::write(&file, "{\"servers\": {}}      ").unwrap();
    let told = load().unwrap_err().to_string();
    assert!(told.ends_with("is over max_file_bytes (20 bytes)"), "{told}");
    std::fs::write(&file, b"{\n \"\xff\"").unwrap();
    let Err(ConfigError::NotJson { at, .. }) = load() else { panic!() };
    assert_eq!(at, Position { line: 2, column: 3 });
    std::fs::write(&file, b"\xef\xbb\xbf{\"servers\": {}}").unwrap();
    assert!(load().is_ok());
}
