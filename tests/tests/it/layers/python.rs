//! Guests in Python in one stack with those in Rust.

use std::time::Duration;

use callgate::ToolCall;
use callgate_tests::{elsewhere, guests};
use futures::{FutureExt, future::BoxFuture};
use serde_json::json;

use super::{
    Answer, compiled_once, done, imports, layer, not_sent, one, output, plain_layer, run_answered,
    stack,
};

/// Longer than answers that overlap, start of the interpreter included, and shorter than the same ones in a row.
const OVERLAPPED: Duration = Duration::from_secs(12);

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_in_python_stands_behind_layers_in_rust() {
    let flow = elsewhere::python("flow");
    let layers =
        vec![plain_layer(guests::RETRY), layer(guests::ALLOW_LIST, json!({"allow": ["a/b"]}))];
    let component = stack(&flow, layers);
    assert_eq!(imports(&component), ["callgate:mcp/tools@0.1.0"]);
    let mut calls = vec![one("a/b", json!({"n": 1})); 20];
    calls.push(one("a/c", json!({})));

    let (report, reached) = run_answered(&compiled_once(&component), &json!(calls), slowly).await;

    let mut expected = vec![json!({"output": {"x": "ß"}}); 20];
    expected.push(json!({"error": "Refused"}));
    assert_eq!(output(&report), json!(expected));
    assert_eq!(reached.count(), 21);
    assert!(report.duration < OVERLAPPED, "{:?}", report.duration);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_layer_in_python_stands_among_layers_in_rust() {
    let python = elsewhere::python("layer");
    let layers = vec![plain_layer(guests::RETRY), plain_layer(&python)];
    let component = stack(guests::CALLS_AT_ONCE, layers);
    assert_eq!(imports(&component), ["callgate:mcp/tools@0.1.0"]);
    let mut calls = vec![one("a/b", json!({"n": 1})); 20];
    calls.push(one("a/b", json!({"password": "x"})));

    let (report, reached) = run_answered(&compiled_once(&component), &json!(calls), slowly).await;

    let heard = output(&report);
    assert_eq!(heard.as_array().unwrap()[..20], vec![json!({"Ok": {"x": "ß"}}); 20]);
    assert!(heard[20]["Err"]["refused"].to_string().contains("python layer"), "{heard}");
    assert_eq!(reached.count(), 21);
    assert!(report.duration < OVERLAPPED, "{:?}", report.duration);
}

/// One second each, and the first is lost.
fn slowly(number: usize, _: &ToolCall) -> BoxFuture<'static, Answer> {
    async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        if number == 1 { not_sent() } else { done(&json!({"x": "ß"})) }
    }
    .boxed()
}
