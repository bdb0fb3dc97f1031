//! Any text at all as a configuration: it is one, or it is refused with the place of what is wrong. It never takes long.

use std::time::Duration;

use proptest::{collection::vec, option, prelude::*, sample::select};
use tokio::time::Instant;

use super::*;
use crate::cases::cases;

/// What a reader takes for one text of this size is read in a hundredth of this, and checked by people who wait for it.
const SOON: Duration = Duration::from_secs(2);

/// Keys that mean something, and some that don't.
const KEYS: [&str; 32] = [
    "mcpServers",
    "servers",
    "inputs",
    "workflows",
    "command",
    "args",
    "env",
    "envFile",
    "cwd",
    "url",
    "headers",
    "type",
    "disabled",
    "required",
    "timeout",
    "ordering",
    "enabledTools",
    "disabledTools",
    "oauth",
    "grants",
    "allow",
    "deny",
    "limits",
    "default",
    "id",
    "$schema",
    "__proto__",
    "",
    "a.b",
    "\u{1b}",
    "ü",
    "serverUrl",
];

/// Texts that mean something, and some that don't.
const TEXTS: [&str; 20] = [
    "stdio",
    "http",
    "sse",
    "x",
    "",
    "${TOKEN}",
    "${env:TOKEN}",
    "${MISSING}",
    "${MISSING:-d}",
    "${",
    "${input:who}",
    "${workspaceFolder}",
    "${a${b}}",
    "https://example.com/mcp",
    "http://[::1",
    "../..",
    "\0",
    "*/*",
    "serial",
    "5s",
];

/// A value with the keys and texts of configurations, as text.
fn value() -> impl Strategy<Value = String> {
    let text = prop_oneof![select(&TEXTS[..]).prop_map(str::to_owned), any::<String>()];
    let number = select(vec!["0", "-1", "1.5", "1e400", "-0", "18446744073709551616", "30000"]);
    let leaf = prop_oneof![
        text.prop_map(|text| serde_json::to_string(&text).unwrap()),
        number.prop_map(str::to_owned),
        select(vec!["true", "false", "null", "[]", "{}"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        let key = select(&KEYS[..]).prop_map(|key| serde_json::to_string(key).unwrap());
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(|values| format!("[{}]", values.join(","))),
            vec((key, inner), 0..6).prop_map(|members| {
                let members: Vec<_> =
                    members.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// A configuration that is good, to be spoiled.
const GOOD: &str = r#"{
    // Comments are fine.
    "inputs": [{"id": "who", "type": "promptString"}],
    "mcpServers": {
        "files": {"command": "x", "args": ["-a", "${TOKEN:-t}"], "env": {"A": "${env:TOKEN}"}, "cwd": "sub"},
        "web": {"type": "http", "url": "https://example.com/mcp?q=1", "headers": {"X-Key": "${TOKEN}"}},
        "off": {"command": "y", "disabled": true}
    },
    "workflows": {"w": {"grants": {"allow": ["files/read_*", {"tool": "web/get", "arguments": {"type": "object"}}]}}}
}"#;

/// Reads it, and holds what comes against what has to hold of anything.
fn check(text: &str) -> Result<(), TestCaseError> {
    let started = Instant::now();
    let parsed = parse(text);
    let took = started.elapsed();

    prop_assert!(took < SOON, "{took:?} for {} bytes", text.len());
    let lines = text.lines().count() + 1;
    let is_in_it = |at: Position| at.line >= 1 && at.line <= lines && at.column >= 1;
    match parsed {
        Ok(config) => {
            for warning in &config.warnings {
                prop_assert!(is_in_it(warning.place.at), "{warning}");
            }
            for configured in config.connections.values() {
                if let Configured::Unusable(problems) = configured {
                    prop_assert!(!problems.is_empty());
                }
            }
        }
        Err(ConfigError::NotJson { at, detail, .. }) => {
            prop_assert!(is_in_it(at) && !detail.is_empty(), "{at}: {detail}");
        }
        Err(ConfigError::Invalid { problems, .. }) => {
            prop_assert!(!problems.is_empty());
            for problem in problems {
                prop_assert!(is_in_it(problem.place.at), "{problem}");
                prop_assert!(!problem.fault.to_string().is_empty());
                prop_assert!(!problem.to_string().contains("s3cret"), "{problem}");
            }
        }
        Err(other) => return Err(TestCaseError::fail(format!("{other:?}"))),
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn any_text_is_a_configuration_or_refused_at_a_place(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn any_json_is_a_configuration_or_refused_at_a_place(text in value()) {
        check(&text)?;
    }

    #[test]
    fn any_entry_of_a_server_is_one_or_refused_at_a_place(entry in value(), name in any::<String>()) {
        let name = serde_json::to_string(&name).unwrap();
        check(&format!(r#"{{"mcpServers": {{{name}: {entry}}}}}"#))?;
        check(&format!(r#"{{"servers": {{}}, "workflows": {{{name}: {entry}}}}}"#))?;
        check(&format!(r#"{{"servers": {{"s": {{"command": "x", "oauth": {entry}}}}}, "inputs": {entry}}}"#))?;
    }

    #[test]
    fn a_good_file_with_a_piece_missing_or_wrong_is_one_or_refused_at_a_place(
        from in 0..GOOD.len(), length in 0..20_usize, put in option::of(any::<String>()),
    ) {
        let (before, rest) = GOOD.split_at(from);
        let after = &rest[length.min(rest.len())..];
        check(&format!("{before}{}{after}", put.unwrap_or_default()))?;
    }

    #[test]
    fn any_bytes_of_a_file_are_a_configuration_or_refused(bytes in vec(any::<u8>(), 0..200)) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mcp.json");
        std::fs::write(&file, &bytes).unwrap();

        match Config::load(&file, &surroundings()) {
            Ok(_) | Err(ConfigError::NotJson { .. } | ConfigError::Invalid { .. }) => {}
            Err(other) => return Err(TestCaseError::fail(format!("{other:?}"))),
        }
    }
}

#[test]
fn texts_that_grow_without_sense_are_read_in_time() {
    parse(GOOD).unwrap();
    for text in [
        "[".repeat(200_000),
        "{\"a\":".repeat(100_000),
        format!("{{\"mcpServers\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000)),
        "/*".repeat(200_000),
        format!("{{\"mcpServers\": {{{}}}}}", "\"s\": {\"command\": \"x\"},".repeat(2_000)),
        format!(r#"{{"mcpServers": {{"s": {{"command": "{}"}}}}}}"#, "${TOKEN:-".repeat(20_000)),
        format!(r#"{{"mcpServers": {{"s": {{"command": "{}"}}}}}}"#, "${TOKEN}".repeat(20_000)),
    ] {
        check(&text).unwrap();
    }
}
