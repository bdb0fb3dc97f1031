//! Guests in C in one stack with those in Rust.

use std::time::Duration;

use callgate::ToolCall;
use callgate_tests::guests;
use futures::future::BoxFuture;
use serde_json::json;

use super::{
    Answer, compiled, echoed_but_first, imports, layer, one, output, plain_layer, run_answered,
    stack,
};

/// One answer takes so long.
const WAIT: Duration = Duration::from_millis(300);

fn slowly(number: usize, call: &ToolCall) -> BoxFuture<'static, Answer> {
    echoed_but_first(WAIT, number, call)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_in_c_stands_behind_layers_in_rust_and_in_c() {
    let settings = json!({"allow": ["files/read_*"]});
    let layers = vec![
        plain_layer(guests::RETRY),
        layer(guests::ALLOW_LIST, settings),
        plain_layer(guests::C_LAYER),
    ];
    let component = stack(guests::C_FLOW, layers);
    assert_eq!(imports(&component), ["callgate:mcp/tools@0.1.0"]);

    let (report, reached) = run_answered(&compiled(&component), &json!(null), slowly).await;

    let expected = json!([{"path": "README.md"}, {"path": "CHANGELOG.md"}, "refused"]);
    assert_eq!(output(&report), expected);
    // Two calls, and the first one again.
    assert_eq!(reached.count(), 3, "{:?}", reached.calls());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_layer_in_c_has_any_number_of_calls_under_way() {
    let layers = vec![plain_layer(guests::C_LAYER), plain_layer(guests::RETRY)];
    let component = stack(guests::CALLS_AT_ONCE, layers);
    let mut calls: Vec<_> = (0..100).map(|n| one("a/b", json!({ "n": n }))).collect();
    calls.push(one("a/b", json!({"password": "x"})));

    let (report, reached) = run_answered(&compiled(&component), &json!(calls), slowly).await;

    let heard = output(&report);
    let expected: Vec<_> = (0..100).map(|n| json!({"Ok": {"n": n}})).collect();
    assert_eq!(heard.as_array().unwrap()[..100], expected);
    assert!(heard[100]["Err"]["refused"].to_string().contains("c layer"), "{heard}");
    assert_eq!(reached.count(), 101);
    // One after the other they would take half a minute.
    assert!(report.duration < 10 * WAIT, "{:?}", report.duration);
}
