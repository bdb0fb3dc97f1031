//! A layer in front of a workflow: what `wac plug` makes of two components is a workflow like any other.

use std::fs;

use callgate::{Ending, Engine, Grants, Rule, Run, RunLimits, RunOutcome, RunReport, Workflow};
use callgate_tests::{
    fake::{FakeConnection, FakeServer},
    guests,
};
use serde_json::{Value, json};
use wac_graph::{CompositionGraph, EncodeOptions, plug, types::Package};

use crate::run::input;

/// What `wac plug --plug LAYER WORKFLOW` writes.
fn plugged(layer: &[u8], workflow: &[u8]) -> Vec<u8> {
    let mut graph = CompositionGraph::new();
    let package = |graph: &mut CompositionGraph, name, bytes: &[u8]| {
        let package = Package::from_bytes(name, None, bytes.to_vec(), graph.types_mut()).unwrap();
        graph.register_package(package).unwrap()
    };
    let layer = package(&mut graph, "test:layer", layer);
    let workflow = package(&mut graph, "test:workflow", workflow);
    plug(&mut graph, vec![layer], workflow).unwrap();
    graph.encode(EncodeOptions::default()).unwrap()
}

fn read(path: &str) -> Vec<u8> {
    fs::read(path).unwrap()
}

async fn run_with_server<F, S>(component: Vec<u8>, given: Value, serve: F) -> RunReport
where
    F: FnOnce(FakeConnection) -> S,
    S: Future<Output = ()>,
{
    run_granted(component, given, Grants::all(), serve).await
}

async fn run_granted<F, S>(component: Vec<u8>, given: Value, grants: Grants, serve: F) -> RunReport
where
    F: FnOnce(FakeConnection) -> S,
    S: Future<Output = ()>,
{
    let (mut server, pool) = FakeServer::pooled();
    let workflow = Workflow::from_bytes(&Engine::new().unwrap(), &component).unwrap();
    let run =
        Run::new(&workflow, &pool).limits(RunLimits::default()).grants(grants).start(input(&given));
    // A run that calls nothing opens nothing, so the server may wait in vain.
    let serving = async {
        serve(server.accept().await).await;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        report = run => report,
        () = serving => unreachable!("it never ends by itself"),
    }
}

fn one_call(tool: &str) -> Value {
    json!({"connection": "fake", "tool": tool, "arguments": {"path": "a"}})
}

#[test]
fn a_composed_workflow_still_imports_the_tools_and_nothing_else() {
    let component = plugged(&read(guests::DENY_WRITES), &read(guests::ONE_CALL));

    let verdict = Workflow::check(&Engine::new().unwrap(), &component).unwrap();

    assert_eq!(verdict.imports, ["callgate:mcp/tools@0.1.0"]);
    assert_eq!(verdict.exports, ["callgate:mcp/run@0.1.0"]);
    assert_eq!(verdict.reasons, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_layer_refuses_what_it_should_and_nothing_of_it_reaches_the_host() {
    let component = plugged(&read(guests::DENY_WRITES), &read(guests::ONE_CALL));

    let report = run_with_server(component, one_call("write_file"), async |_server| {}).await;

    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    assert!(output.as_str().contains("refused"), "{output:?}");
    assert!(output.as_str().contains("deny-writes"), "{output:?}");
    assert!(report.calls.is_empty(), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_layer_passes_on_what_it_has_nothing_against() {
    let component = plugged(&read(guests::DENY_WRITES), &read(guests::ONE_CALL));

    let report = run_with_server(component, one_call("read"), async |mut server| {
        let call = server.expect_call("read").await;
        assert_eq!(call.arguments, json!({"path": "a"}));
        server.answer(&call, "passed").await;
    })
    .await;

    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    assert!(output.as_str().contains("passed"), "{output:?}");
    assert_eq!(report.calls[0].outcome, Ending::Ok);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_overlap_through_a_stack_of_layers() {
    let layer = read(guests::DENY_WRITES);
    let component = plugged(&layer, &plugged(&layer, &read(guests::MANY_CALLS)));
    let given = json!({
        "connection": "fake", "tool": "read", "arguments": {}, "count": 10, "at_once": true
    });

    let report = run_with_server(component, given, async |mut server| {
        let mut calls = Vec::new();
        for _ in 0..10 {
            calls.push(server.expect_call("read").await);
        }
        for call in &calls {
            server.answer(call, "x").await;
        }
    })
    .await;

    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
    assert_eq!(report.calls.len(), 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_layer_passes_on_is_judged_by_the_rules_of_the_run() {
    let component = plugged(&read(guests::DENY_WRITES), &read(guests::ONE_CALL));
    let grants = Grants::none().allow(Rule::new("fake/look").unwrap());

    let report = run_granted(component, one_call("read"), grants, async |_server| {}).await;

    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    assert!(output.as_str().contains("no rule allows this run to call"), "{output:?}");
    assert_eq!(report.calls[0].outcome, Ending::Refused);
}
