//! Components that need WASI: refused, or given one without any power that is the same each time.

use std::time::Duration;

use callgate::{
    Engine, EngineOptions, LogStream, Run, RunLimits, RunOutcome, RunReport, SessionPool, Stopped,
    VirtualWorld, WasiPolicy, Workflow, WorkflowError,
};
use callgate_tests::guests;
use serde_json::{Value, json};

use crate::run::{input, limits};

fn workflow() -> Workflow {
    let mut options = EngineOptions::default();
    options.wasi = WasiPolicy::Deterministic;
    let engine = Engine::with(options).unwrap();
    Workflow::from_file(&engine, guests::SEES_WASI.as_ref()).unwrap()
}

async fn run(given: Value, world: VirtualWorld, limits: RunLimits) -> RunReport {
    let run = Run::new(&workflow(), &SessionPool::new([])).world(world).limits(limits);
    run.start(input(&given)).await
}

fn seen(report: &RunReport) -> Value {
    let RunOutcome::Done(output) = &report.outcome else { panic!("{:?}", report.outcome) };
    serde_json::from_str(output.as_str()).unwrap()
}

fn seeded(seed: u64) -> VirtualWorld {
    let mut world = VirtualWorld::default();
    world.seed = seed;
    world
}

#[test]
fn a_component_that_needs_wasi_is_refused_and_told_of_the_option() {
    let engine = Engine::new().unwrap();

    let refused = Workflow::from_file(&engine, guests::SEES_WASI.as_ref()).unwrap_err();

    let WorkflowError::Refused(reasons) = refused else { panic!("{refused}") };
    assert!(reasons.iter().all(|reason| reason.contains("wasi:")), "{reasons:?}");
    assert!(reasons.iter().any(|reason| reason.contains("--wasi deterministic")), "{reasons:?}");
}

#[tokio::test]
async fn there_are_no_files_no_variables_and_no_network() {
    let seen = seen(&run(Value::Null, VirtualWorld::default(), RunLimits::default()).await);

    let powers =
        ["files", "variables", "arguments", "can_connect", "can_resolve"].map(|it| &seen[it]);
    assert_eq!(json!(powers), json!([0, 0, 0, false, false]));
}

#[tokio::test]
async fn time_is_what_the_run_is_given_and_waiting_takes_none_of_the_hosts() {
    let mut world = VirtualWorld::default();
    world.clock = Duration::from_secs(1_800_000_000);

    let report = run(Value::Null, world, RunLimits::default()).await;

    let seen = seen(&report);
    assert_eq!((&seen["opened"], &seen["passed"]), (&json!(1_800_000_000), &json!(3600)));
    // Of timers of 3, 1 and 2 seconds.
    assert_eq!(seen["first"], json!([1]));
    assert!(report.duration < Duration::from_secs(60), "{:?}", report.duration);
    assert_eq!(report.world, Some(world));
}

#[tokio::test]
async fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    let [one, again, other] = [seeded(7), seeded(7), seeded(8)];

    let one = seen(&run(Value::Null, one, RunLimits::default()).await);
    let again = seen(&run(Value::Null, again, RunLimits::default()).await);
    let other = seen(&run(Value::Null, other, RunLimits::default()).await);

    assert_eq!(one, again);
    for drawn in ["random", "insecure", "seed"] {
        assert_ne!(one[drawn], other[drawn], "{drawn}");
    }
    assert_ne!(one["random"], one["insecure"]);
}

#[tokio::test]
async fn what_is_written_to_stdout_and_stderr_is_in_the_report() {
    let report = run(Value::Null, VirtualWorld::default(), RunLimits::default()).await;

    let entries = report.logs.entries.iter().map(|entry| (entry.to, entry.text.as_str()));
    let expected =
        [(LogStream::Stdout, "hello from inside\n"), (LogStream::Stderr, "and a complaint\n")];
    assert_eq!(entries.collect::<Vec<_>>(), expected);
    assert_eq!(report.logs.cut, None);
}

#[tokio::test]
async fn logs_beyond_their_limit_are_dropped_and_the_run_goes_on() {
    let small = limits(|limits| limits.max_log_bytes = 1000);

    let report = run(json!({"write_bytes": 100_000}), VirtualWorld::default(), small).await;

    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{:?}", report.outcome);
    let kept: usize = report.logs.entries.iter().map(|entry| entry.text.len()).sum();
    assert_eq!(kept, 1000);
    let cut = report.logs.cut.unwrap();
    assert_eq!(
        (cut.limit, &*cut.value, cut.raise_with),
        ("max_log_bytes", "1000 bytes", "--max-log")
    );
    assert!(cut.reached.contains("100034 bytes"), "{cut}");
}

#[tokio::test]
async fn a_run_that_ends_without_a_result_says_how_and_keeps_its_logs() {
    let world = VirtualWorld::default();

    let exits = run(json!({"exits": true}), world, RunLimits::default()).await;
    let greedy = run(json!({"random_bytes": 1 << 30}), world, RunLimits::default()).await;

    let RunOutcome::Stopped(Stopped::Trap(trap)) = &exits.outcome else {
        panic!("{:?}", exits.outcome)
    };
    assert!(trap.contains("exit(3)"), "{trap}");
    assert_eq!(exits.logs.entries.len(), 2);
    assert!(matches!(greedy.outcome, RunOutcome::Stopped(_)), "{:?}", greedy.outcome);
}

#[tokio::test]
async fn a_workflow_without_wasi_has_neither_world_nor_logs() {
    let engine = Engine::new().unwrap();
    let workflow = Workflow::from_file(&engine, guests::ECHO_INPUT.as_ref()).unwrap();

    let report = Run::new(&workflow, &SessionPool::new([])).start(input(&json!(1))).await;

    assert_eq!(report.world, None);
    assert!(report.logs.is_empty());
}
