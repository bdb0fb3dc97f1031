//! Limits: each one ends a run, or refuses a call, and says which it was, its value, what was reached and how to raise it.

mod calls;

use std::time::Duration;

use callgate::{
    Engine, EngineOptions, Json, LimitReached, Run, RunLimits, RunOutcome, RunReport, SessionPool,
    Stopped, Workflow,
};
use callgate_tests::{
    components::{self, Parts, SEVEN},
    guests,
};
use serde_json::{Value, json};

use crate::run::{input, limits, run_alone, run_with_server};

/// An endless loop.
pub(crate) const SPIN: &str =
    r#"(func (export "run") (param i32 i32) (result i32) (loop (br 0)) unreachable)"#;

/// Runs a component on an engine with these options.
pub(crate) async fn run_on(
    options: EngineOptions,
    component: &[u8],
    given: &Value,
    limits: RunLimits,
) -> RunReport {
    let engine = Engine::with(options).unwrap();
    let workflow = Workflow::from_bytes(&engine, component).unwrap();
    Run::new(&workflow, &SessionPool::new([])).limits(limits).start(input(given)).await
}

async fn run_component(component: &[u8], limits: RunLimits) -> RunReport {
    run_on(EngineOptions::default(), component, &Value::Null, limits).await
}

/// The limit that stopped the run.
#[track_caller]
pub(crate) fn reached(report: &RunReport) -> &LimitReached {
    match &report.outcome {
        RunOutcome::Stopped(Stopped::Limit(limit)) => limit,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn assert_reached(report: &RunReport, limit: &str, value: &str, raise_with: &str) {
    let reached = reached(report);
    assert_eq!((reached.limit, &*reached.value, reached.raise_with), (limit, value, raise_with));
    assert!(!reached.reached.is_empty());
    let said = reached.to_string();
    for word in [limit, value, &reached.reached, raise_with] {
        assert!(said.contains(word), "no {word:?} in {said}");
    }
}

#[track_caller]
fn output(report: &RunReport) -> &Json {
    match &report.outcome {
        RunOutcome::Done(output) => output,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_of_core_code_is_a_workflow() {
    let report = run_component(&components::workflow(SEVEN), RunLimits::default()).await;

    assert_eq!(output(&report).as_str(), "7");
}

#[tokio::test]
async fn a_run_that_computes_too_long_ends_soon_after_its_budget() {
    let budget = Duration::from_millis(100);
    let limits = limits(|limits| limits.cpu_time = budget);

    let report = run_component(&components::workflow(SPIN), limits).await;

    assert_reached(&report, "cpu_time", "100ms", "--cpu-time");
    assert!(report.cpu_time >= budget, "{report:?}");
    // A tick is 2 ms; the rest is for machines that have more to do.
    assert!(report.cpu_time < budget + Duration::from_millis(100), "{report:?}");
}

#[tokio::test]
async fn waiting_for_a_tool_is_no_computing() {
    let limits = limits(|limits| limits.cpu_time = Duration::from_millis(500));
    let given = json!({"connection": "fake", "tool": "read", "arguments": {}});
    let wait = Duration::from_millis(700);

    let report = run_with_server(guests::ONE_CALL, given, limits, async |mut server| {
        let call = server.expect_call("read").await;
        tokio::time::sleep(wait).await;
        server.answer(&call, "x").await;
    })
    .await;

    output(&report);
    assert!(report.duration >= wait && report.cpu_time < wait, "{report:?}");
}

fn counting() -> EngineOptions {
    let mut options = EngineOptions::default();
    options.counts_fuel = true;
    options
}

#[tokio::test(flavor = "multi_thread")]
async fn fuel_is_the_same_each_time_and_ends_a_run_that_uses_more() {
    let component = std::fs::read(guests::COMPUTE).unwrap();
    let used = async |rounds: u64| {
        let given = json!({ "rounds": rounds });
        let report = run_on(counting(), &component, &given, RunLimits::default()).await;
        output(&report);
        report.fuel.unwrap()
    };

    let fuel = used(1000).await;
    assert_eq!(used(1000).await, fuel);
    assert!(used(2000).await >= fuel + 1000);

    // Compiled code looks at the fuel at loops and calls, so the last few instructions may be had on credit.
    for (allowed, ends_well) in [(fuel, true), (fuel / 2, false)] {
        let limits = limits(|limits| limits.fuel = Some(allowed));
        let report = run_on(counting(), &component, &json!({ "rounds": 1000 }), limits).await;
        if ends_well {
            output(&report);
        } else {
            assert_reached(&report, "fuel", &format!("{allowed} instructions"), "--fuel");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fuel_stops_a_loop_and_is_refused_where_nobody_counts_it() {
    let spin = components::workflow(SPIN);
    let limits = limits(|limits| limits.fuel = Some(100_000));

    let counted = run_on(counting(), &spin, &Value::Null, limits.clone()).await;
    let uncounted = run_component(&spin, limits).await;

    assert_reached(&counted, "fuel", "100000 instructions", "--fuel");
    assert_eq!(uncounted.outcome, RunOutcome::Stopped(Stopped::NoFuel));
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_recursion_is_the_limit_of_the_stack() {
    let recursion = components::workflow(
        r#"(func $deeper (param i32) (result i32)
            (i32.add (i32.const 1) (call $deeper (local.get 0))))
        (func (export "run") (param i32 i32) (result i32) (call $deeper (i32.const 0)))"#,
    );
    let mut options = EngineOptions::default();
    options.limits.max_stack_bytes = 256 << 10;

    let report = run_on(options, &recursion, &Value::Null, RunLimits::default()).await;

    assert_reached(&report, "max_stack_bytes", "262144 bytes", "--max-stack");
}

/// Recursion to a depth: 10,000 calls with some numbers to keep.
const DEEP: &str = r#"
    (func $deeper (param i32) (result i32)
        (if (result i32) (local.get 0)
            (then (i32.add (local.get 0) (call $deeper (i32.sub (local.get 0) (i32.const 1)))))
            (else (i32.const 0))))
    (data (i32.const 16) "7")
    (func (export "run") (param i32 i32) (result i32)
        (drop (call $deeper (i32.const 10000)))
        (call $return (i32.const 0) (i32.const 16) (i32.const 1)
            (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
        (i32.const 0))"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_larger_stack_is_deeper() {
    let deep = components::workflow(DEEP);
    let with = |max_stack_bytes| {
        let mut options = EngineOptions::default();
        options.limits.max_stack_bytes = max_stack_bytes;
        run_on(options, &deep, &Value::Null, RunLimits::default())
    };

    assert_eq!(reached(&with(64 << 10).await).limit, "max_stack_bytes");
    assert_eq!(output(&with(4 << 20).await).as_str(), "7");
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_that_grow_without_end_reach_their_limit() {
    let growing = components::workflow(
        r#"(table $table 1 funcref)
        (func (export "run") (param i32 i32) (result i32)
            (loop (br_if 0 (i32.ne (i32.const -1)
                (table.grow $table (ref.null func) (i32.const 1000)))))
            unreachable)"#,
    );
    let limits = limits(|limits| limits.max_table_elements = 50_000);

    let report = run_component(&growing, limits).await;

    assert_reached(&report, "max_table_elements", "50000 elements", "--max-table-elements");
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_that_grows_without_end_reaches_its_limit() {
    let growing = components::workflow(
        r#"(func (export "run") (param i32 i32) (result i32)
            (loop (br_if 0 (i32.ne (i32.const -1) (memory.grow (i32.const 1)))))
            unreachable)"#,
    );
    let limits = limits(|limits| limits.max_memory_bytes = 2 << 20);

    let report = run_component(&growing, limits).await;

    assert_reached(&report, "max_memory_bytes", "2097152 bytes", "--max-memory");
    assert_eq!(report.peak_memory_bytes, 2 << 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_of_too_many_instances_is_told_that() {
    let many =
        "(core module $empty)".to_owned() + &"(core instance (instantiate $empty))".repeat(9);
    let component =
        components::workflow_of(Parts { definitions: &many, code: SEVEN, ..Parts::default() });
    let allowed = |max| limits(|limits| limits.max_instances = max);

    let report = run_component(&component, allowed(8)).await;
    let with_more = run_component(&component, allowed(20)).await;

    assert_reached(&report, "max_instances", "8 core instances", "--max-instances");
    assert_eq!(output(&with_more).as_str(), "7");
}

#[tokio::test(flavor = "multi_thread")]
async fn handles_without_end_reach_their_limit() {
    let hoarding = components::workflow_of(Parts {
        definitions: r"(type $thing (resource (rep i32)))
            (core func $new (canon resource.new $thing))",
        imports: r#"(export "new" (func $new))"#,
        code: r#"(import "host" "new" (func $new (param i32) (result i32)))
            (func (export "run") (param i32 i32) (result i32)
                (loop (drop (call $new (i32.const 1))) (br 0))
                unreachable)"#,
        ..Parts::default()
    });
    let limits = limits(|limits| limits.max_component_handles = 500);

    let report = run_component(&hoarding, limits).await;

    assert_reached(&report, "max_component_handles", "500 handles", "--max-handles");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_too_large_to_hand_over_reaches_that_limit() {
    let limits = limits(|limits| limits.max_transfer_bytes = 10_000);
    let given = json!("x".repeat(20_000));

    let report = run_alone(guests::ECHO_INPUT, given, limits).await;

    assert_reached(&report, "max_transfer_bytes", "10000 bytes", "--max-transfer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_and_a_failure_have_the_same_limit() {
    let small = limits(|limits| limits.max_output_bytes = 10);

    let result = run_alone(guests::ECHO_INPUT, json!("x".repeat(100)), small.clone()).await;
    let failure = run_alone(guests::RETURNS_FAILURE, json!({}), small).await;

    for report in [&result, &failure] {
        assert_reached(report, "max_output_bytes", "10 bytes", "--max-output");
    }
}
