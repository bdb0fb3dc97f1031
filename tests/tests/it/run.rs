//! Runs: what a workflow may do, what ends it, and what is told about it.

use std::time::Duration;

use callgate::{
    Ending, Engine, Grants, Json, Run, RunLimits, RunOutcome, RunReport, SessionPool, Stopped,
    Workflow, WorkflowError,
};
use callgate_tests::{
    fake::{FakeConnection, FakeServer},
    guests,
};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

/// Compiling is what costs time, so all tests share one engine.
pub(crate) async fn workflow(path: &str) -> Workflow {
    static ENGINE: OnceCell<Engine> = OnceCell::const_new();
    let engine = ENGINE.get_or_init(|| async { Engine::new().unwrap() }).await.clone();
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || Workflow::from_file(&engine, path.as_ref()).unwrap())
        .await
        .unwrap()
}

fn empty_pool() -> SessionPool {
    SessionPool::new([])
}

pub(crate) fn input(value: &Value) -> Json {
    Json::from_text(value.to_string()).unwrap()
}

pub(crate) fn limits(change: impl FnOnce(&mut RunLimits)) -> RunLimits {
    let mut limits = RunLimits::default();
    change(&mut limits);
    limits
}

pub(crate) async fn run_alone(path: &str, given: Value, limits: RunLimits) -> RunReport {
    let run = Run::new(&workflow(path).await, &empty_pool()).limits(limits).grants(Grants::all());
    run.start(input(&given)).await
}

fn limit_of(report: &RunReport) -> &'static str {
    match &report.outcome {
        RunOutcome::Stopped(Stopped::Limit(limit)) => limit.limit,
        other => panic!("{other:?}"),
    }
}

/// A pool with one connection `fake`, served by `serve`, for one run of `path`.
pub(crate) async fn run_with_server<F, S>(
    path: &str,
    given: Value,
    limits: RunLimits,
    serve: F,
) -> RunReport
where
    F: FnOnce(FakeConnection) -> S,
    S: Future<Output = ()>,
{
    let (mut server, pool) = FakeServer::pooled();
    let run = Run::new(&workflow(path).await, &pool).limits(limits).grants(Grants::all());
    let serving = async { serve(server.accept().await).await };
    let (report, ()) = tokio::join!(run.start(input(&given)), serving);
    report
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_returns_json() {
    let report =
        run_alone(guests::ECHO_INPUT, json!({"a": [1, "two"]}), RunLimits::default()).await;

    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    assert_eq!(serde_json::from_str::<Value>(output.as_str()).unwrap(), json!({"a": [1, "two"]}));
    assert!(report.calls.is_empty());
    assert!(report.peak_memory_bytes > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_reports_its_own_failure() {
    let report = run_alone(guests::RETURNS_FAILURE, json!({}), RunLimits::default()).await;

    assert!(matches!(report.outcome, RunOutcome::Failed(_)), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trap_stops_the_run_and_the_host_lives() {
    let report = run_alone(guests::TRAPS, json!({}), RunLimits::default()).await;
    let after = run_alone(guests::ECHO_INPUT, json!(1), RunLimits::default()).await;

    assert!(matches!(report.outcome, RunOutcome::Stopped(Stopped::Trap(_))), "{report:?}");
    assert!(matches!(after.outcome, RunOutcome::Done(_)), "{after:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_not_json_is_no_result() {
    let report = run_alone(guests::INVALID_OUTPUT, json!({}), RunLimits::default()).await;

    let RunOutcome::Stopped(Stopped::InvalidResult(_)) = report.outcome else {
        panic!("{report:?}")
    };
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spinning_workflow_ends_at_its_wall_clock_and_the_limit_names_itself() {
    let limits = limits(|limits| limits.wall_clock = Duration::from_millis(300));

    let report = run_alone(guests::SPIN, json!({}), limits).await;

    assert_eq!(limit_of(&report), "wall_clock");
    assert!(report.duration < Duration::from_secs(5), "{:?}", report.duration);
}

#[tokio::test]
async fn a_spinning_workflow_leaves_turns_to_others_on_the_same_thread() {
    let spin = limits(|limits| limits.wall_clock = Duration::from_millis(500));

    let (spun, echoed) = tokio::join!(
        run_alone(guests::SPIN, json!({}), spin),
        run_alone(guests::ECHO_INPUT, json!(1), RunLimits::default()),
    );

    assert_eq!(limit_of(&spun), "wall_clock");
    assert!(matches!(echoed.outcome, RunOutcome::Done(_)), "{echoed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_that_takes_too_much_memory_is_stopped_by_that_limit() {
    let limits = limits(|limits| limits.max_memory_bytes = 8 << 20);

    let report = run_alone(guests::EXHAUST_MEMORY, json!({}), limits).await;

    assert_eq!(limit_of(&report), "max_memory_bytes");
    assert!(report.peak_memory_bytes <= 8 << 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_that_calls_too_often_is_stopped_by_that_limit() {
    let limits = limits(|limits| limits.max_calls = 3);
    let given = json!({"connection": "fake", "tool": "read", "arguments": {}, "count": 10, "at_once": false});

    let report = run_with_server(guests::MANY_CALLS, given, limits, async |mut server| {
        for _ in 0..3 {
            let call = server.expect_call("read").await;
            server.answer(&call, "x").await;
        }
    })
    .await;

    assert_eq!(limit_of(&report), "max_calls");
    assert_eq!(report.calls.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_one_workflow_overlap() {
    let given = json!({"connection": "fake", "tool": "read", "arguments": {}, "count": 10, "at_once": true});

    let report =
        run_with_server(guests::MANY_CALLS, given, RunLimits::default(), async |mut server| {
            // All ten arrive before the first is answered.
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
    let numbers: Vec<u64> = report.calls.iter().map(|call| call.sequence).collect();
    assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
    assert!(report.calls.iter().all(|call| call.outcome == Ending::Ok), "{report:?}");
    assert!(report.calls.iter().all(|call| call.session_epoch == Some(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_the_workflow_gives_up_is_cancelled_at_the_server() {
    let call = |tool| json!({"connection": "fake", "tool": tool, "arguments": {}});
    let given = json!([{"calls": [call("read"), call("look")], "wanted": 1}]);

    let report =
        run_with_server(guests::CALLS_IN_STEPS, given, RunLimits::default(), async |mut server| {
            let first = server.expect_call("read").await;
            let second = server.expect_call("look").await;
            server.answer(&second, "seen").await;
            server.expect_cancelled(&first).await;
        })
        .await;

    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    assert_eq!(output.as_str(), r#"[[null,{"Ok":"seen"}]]"#);
    let endings: Vec<Ending> = report.calls.iter().map(|entry| entry.outcome).collect();
    assert_eq!(endings, [Ending::Cancelled, Ending::Ok]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_ends_cancels_its_calls_at_the_server() {
    let limits = limits(|limits| limits.wall_clock = Duration::from_millis(300));
    let given = json!({"connection": "fake", "tool": "write", "arguments": {}});

    let report = run_with_server(guests::ONE_CALL, given, limits, async |mut server| {
        let call = server.expect_call("write").await;
        server.expect_cancelled(&call).await;
    })
    .await;

    assert_eq!(limit_of(&report), "wall_clock");
    assert_eq!(report.calls[0].outcome, Ending::Cancelled);
    // It was sent, and the report must not look as if it wasn't.
    assert_eq!((report.calls[0].attempts, report.calls[0].session_epoch), (1, Some(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_answer_reaches_the_workflow() {
    let given = |connection: &str, arguments: Value| json!({"connection": connection, "tool": "write", "arguments": arguments});
    let refused =
        run_alone(guests::ONE_CALL, given("nowhere", json!({})), RunLimits::default()).await;
    let invalid =
        run_alone(guests::ONE_CALL, given("nowhere", json!([])), RunLimits::default()).await;
    let rejected = run_with_server(
        guests::ONE_CALL,
        given("fake", json!({})),
        RunLimits::default(),
        async |mut server| {
            let call = server.expect_call("write").await;
            server.reject(&call, -32602, "no").await;
        },
    )
    .await;
    let unknown = run_with_server(
        guests::ONE_CALL,
        given("fake", json!({})),
        RunLimits::default(),
        async |mut server| {
            server.expect_call("write").await;
        },
    )
    .await;

    let endings = [&refused, &invalid, &rejected, &unknown].map(|report| report.calls[0].outcome);
    assert_eq!(
        endings,
        [Ending::Refused, Ending::Refused, Ending::Rejected, Ending::OutcomeUnknown]
    );
    for (report, word) in
        [(&refused, "refused"), (&rejected, "rejected"), (&unknown, "outcome-unknown")]
    {
        let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
        assert!(output.as_str().contains(word), "{output:?} has no {word}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_asks_for_more_is_refused_by_the_name_of_the_import() {
    let engine = Engine::new().unwrap();
    let component = r#"(component
        (import "wasi:cli/environment@0.2.0" (instance (export "f" (func))))
        (import "callgate:mcp/prompts@0.1.0" (instance)))"#;
    let bytes = wat::parse_str(component).unwrap();

    let Err(WorkflowError::Refused(reasons)) = Workflow::from_bytes(&engine, &bytes) else {
        panic!("it was not refused")
    };

    let reasons = reasons.join("\n");
    for word in ["wasi:cli/environment@0.2.0", "callgate:mcp/prompts@0.1.0", "callgate:mcp/run@0.1"]
    {
        assert!(reasons.contains(word), "{reasons}");
    }
}

#[test]
fn a_core_module_and_garbage_are_told_apart() {
    let engine = Engine::new().unwrap();
    let module = wat::parse_str("(module)").unwrap();

    assert!(matches!(Workflow::from_bytes(&engine, &module), Err(WorkflowError::CoreModule)));
    assert!(matches!(Workflow::from_bytes(&engine, b"hello"), Err(WorkflowError::Invalid(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_can_live_with_memory_that_it_does_not_get() {
    let limits = limits(|limits| limits.max_memory_bytes = 8 << 20);

    let report = run_alone(guests::GROW_MEMORY, json!({}), limits).await;

    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    let output: Value = serde_json::from_str(output.as_str()).unwrap();
    assert!(output["bytes"].as_u64().unwrap() < 8 << 20, "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_chooses_how_many_of_its_calls_are_under_way() {
    let given = json!({
        "connection": "fake", "tool": "read", "arguments": {}, "count": 5, "in_flight": 2
    });

    let report = run_with_server(
        guests::CALLS_IN_FLIGHT,
        given,
        RunLimits::default(),
        async |mut server| {
            let mut earlier = server.expect_call("read").await;
            for _ in 0..4 {
                let next = server.expect_call("read").await;
                server.answer(&earlier, "x").await;
                earlier = next;
            }
            server.answer(&earlier, "x").await;
        },
    )
    .await;

    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    assert_eq!(output.as_str(), r#"{"answered":5}"#);
}
