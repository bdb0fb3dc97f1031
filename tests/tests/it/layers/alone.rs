//! Each middleware of the library by itself, inside its component.

use callgate_tests::guests;
use serde_json::{Value, json};

use super::{done, kinds, layer, many, not_sent, one, plain_layer, run_through};

#[tokio::test(flavor = "multi_thread")]
async fn allow_list_passes_what_is_on_it() {
    let settings = json!({"allow": ["files/read_*",
        {"tools": "files/write", "arguments": {"/path": {"inside": "/tmp"}}}]});
    let calls = json!([
        one("files/read_text", json!({})),
        one("files/write", json!({"path": "/tmp/a"})),
        one("files/write", json!({"path": "/tmp/../etc/passwd"})),
        one("mail/send", json!({})),
    ]);

    let (heard, reached) = run_through(
        guests::CALLS_AT_ONCE,
        vec![layer(guests::ALLOW_LIST, settings)],
        calls,
        |_, _| done(&json!(1)),
    )
    .await;

    assert_eq!(kinds(&heard), ["ok", "ok", "refused", "refused"]);
    assert!(heard[2].to_string().contains("not inside /tmp"), "{heard}");
    assert_eq!(reached.calls(), ["files/read_text {}", r#"files/write {"path":"/tmp/a"}"#]);
}

#[tokio::test(flavor = "multi_thread")]
async fn audit_reports_each_call_to_its_tool() {
    let settings = json!({"to": "log/append", "when": "both", "include": ["arguments"]});

    let (heard, reached) = run_through(
        guests::ONE_CALL,
        vec![layer(guests::AUDIT, settings)],
        one("files/read", json!({"n": 1})),
        |_, _| done(&json!("fine")),
    )
    .await;

    assert_eq!(heard["Ok"]["output"], "fine");
    let calls = reached.calls();
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert!(calls[0].starts_with(r#"log/append {"number":1,"event":"call""#), "{calls:?}");
    assert_eq!(calls[1], r#"files/read {"n":1}"#);
    assert!(calls[2].contains(r#""outcome":"ok""#), "{calls:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn budget_refuses_what_is_over_it() {
    let settings = json!({"budgets": [{"tools": ["a/*"], "max_calls": 2}]});

    let (heard, reached) = run_through(
        guests::MANY_CALLS,
        vec![layer(guests::BUDGET, settings)],
        many("a/b", 3, true),
        |_, _| done(&json!(1)),
    )
    .await;

    assert_eq!(kinds(&heard), ["ok", "ok", "refused"]);
    assert_eq!(heard[2]["Err"]["refused"]["reason"], "limit-reached");
    assert_eq!(reached.count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn cache_answers_what_it_has_seen() {
    let (heard, reached) = run_through(
        guests::MANY_CALLS,
        vec![layer(guests::CACHE, json!({"read_only": ["a/b"]}))],
        many("a/b", 5, false),
        |number, _| if number == 1 { not_sent() } else { done(&json!(number)) },
    )
    .await;

    assert_eq!(kinds(&heard), ["not-sent", "ok", "ok", "ok", "ok"]);
    assert!(heard.as_array().unwrap()[1..].iter().all(|heard| heard["Ok"] == 2), "{heard}");
    assert_eq!(reached.count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn fault_makes_calls_go_wrong() {
    let settings = json!({"faults": [
        {"at": [1], "answer": {"rejected": {"code": -32602, "message": "no", "data": [1]}}},
        {"at": [3], "after": true, "answer": {"outcome-unknown": {"cause": "timeout"}}}]});

    let (heard, reached) = run_through(
        guests::MANY_CALLS,
        vec![layer(guests::FAULT, settings)],
        many("a/b", 3, false),
        |_, _| done(&json!(1)),
    )
    .await;

    assert_eq!(kinds(&heard), ["rejected", "ok", "outcome-unknown"]);
    assert_eq!(heard[0]["Err"]["rejected"], json!({"code": -32602, "message": "no", "data": [1]}));
    assert_eq!(reached.count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn mock_answers_everything_itself() {
    let settings = json!({"answers": [
        {"tool": "a/b", "arguments": {"n": 1}, "times": 1, "answer": {"output": {"x": 1.5}}}]});

    let (heard, reached) = run_through(
        guests::MANY_CALLS,
        vec![layer(guests::MOCK, settings)],
        many("a/b", 2, false),
        |_, call| unreachable!("{call:?} reached the host"),
    )
    .await;

    assert_eq!(heard[0]["Ok"], json!({"x": 1.5}));
    assert_eq!((kinds(&heard)[1].as_str(), reached.count()), ("refused", 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn redact_takes_secrets_out_both_ways() {
    let settings = json!({"patterns": ["sk-[0-9]+"], "paths": ["/user/email"]});

    let (heard, reached) = run_through(
        guests::ONE_CALL,
        vec![layer(guests::REDACT, settings)],
        one("a/b", json!({"key": "sk-12", "user": {"email": "ada@example.org"}})),
        |_, _| done(&json!({"echo": "sk-345", "n": 1.5})),
    )
    .await;

    let passed = r#"a/b {"key":"[redacted]","user":{"email":"[redacted]"}}"#;
    assert_eq!(reached.calls(), [passed]);
    assert_eq!(heard["Ok"]["output"], json!({"echo": "[redacted]", "n": 1.5}));
}

#[tokio::test(flavor = "multi_thread")]
async fn rename_presents_a_tool_under_another_name() {
    let settings = json!({"names": [{"from": "docs/search", "to": "github/search_code"}]});

    let (heard, reached) = run_through(
        guests::ONE_CALL,
        vec![layer(guests::RENAME, settings)],
        one("docs/search", json!({"q": "x"})),
        |_, _| done(&json!([])),
    )
    .await;

    assert_eq!(heard["Ok"]["output"], json!([]));
    assert_eq!(reached.calls(), [r#"github/search_code {"q":"x"}"#]);
}

#[tokio::test(flavor = "multi_thread")]
async fn retry_makes_a_call_again_by_default() {
    let (heard, reached) = run_through(
        guests::ONE_CALL,
        vec![plain_layer(guests::RETRY)],
        one("a/b", json!({})),
        |number, _| if number < 3 { not_sent() } else { done(&json!(number)) },
    )
    .await;

    assert_eq!((&heard["Ok"]["output"], reached.count()), (&json!(3), 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_middleware_without_settings_imports_none() {
    let (heard, reached) = run_through(
        guests::ONE_CALL,
        vec![plain_layer(guests::DENY_WRITES)],
        one("files/write_file", json!({})),
        |_, _| done(&Value::Null),
    )
    .await;

    assert_eq!((heard["Err"]["refused"]["reason"].as_str(), reached.count()), (Some("denied"), 0));
}
