//! Guests in Python in one stack with those of this repository. Their compiler and they themselves take minutes, so these tests
//! are run by `cargo xtask elsewhere` alone, which does that first.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use callgate::{Engine, ToolCall};
use callgate_tests::guests;
use futures::{FutureExt, future::BoxFuture};
use serde_json::json;

use super::{
    Answer, compiled, done, layer, not_sent, one, output, plain_layer, run_answered, stack,
};

/// Longer than answers that overlap, start of the interpreter included, and shorter than the same ones in a row.
const OVERLAPPED: Duration = Duration::from_secs(8);

/// What was installed or built under the target folder.
fn there(path: &str) -> PathBuf {
    let binary = Path::new(env!("CARGO_BIN_EXE_callgate-under-test"));
    let path = binary.ancestors().nth(2).unwrap().join(path);
    assert!(path.is_file(), "{} is missing; `cargo xtask elsewhere` makes it", path.display());
    path
}

fn built(name: &str) -> PathBuf {
    there("elsewhere/stamp");
    there(&format!("elsewhere/{name}.wasm"))
}

fn imports(component: &[u8]) -> Vec<String> {
    callgate::Workflow::check(&Engine::new().unwrap(), component).unwrap().imports
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_in_python_stands_behind_layers_in_rust() {
    let flow = built("python-flow");
    let layers =
        vec![plain_layer(guests::RETRY), layer(guests::ALLOW_LIST, json!({"allow": ["a/b"]}))];
    let component = stack(flow.to_str().unwrap(), layers);
    assert_eq!(imports(&component), ["callgate:mcp/tools@0.1.0"]);
    let mut calls = vec![one("a/b", json!({"n": 1})); 20];
    calls.push(one("a/c", json!({})));

    let (report, reached) = run_answered(&compiled(&component), &json!(calls), slowly).await;

    let mut expected = vec![json!({"output": {"x": "ß"}}); 20];
    expected.push(json!({"error": "Refused"}));
    assert_eq!(output(&report), json!(expected));
    assert_eq!(reached.count(), 21);
    assert!(report.duration < OVERLAPPED, "{:?}", report.duration);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_layer_in_python_stands_among_layers_in_rust() {
    let python = built("python-layer");
    let layers = vec![plain_layer(guests::RETRY), plain_layer(python.to_str().unwrap())];
    let component = stack(guests::CALLS_AT_ONCE, layers);
    assert_eq!(imports(&component), ["callgate:mcp/tools@0.1.0"]);
    let mut calls = vec![one("a/b", json!({"n": 1})); 20];
    calls.push(one("a/b", json!({"password": "x"})));

    let (report, reached) = run_answered(&compiled(&component), &json!(calls), slowly).await;

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
