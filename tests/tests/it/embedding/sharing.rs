//! Many runs on one engine: what they get of each other, which is nothing but a little time.

use std::time::{Duration, Instant};

use callgate::{
    Allocation, Engine, EngineOptions, Json, Run, RunLimits, RunOutcome, SessionPool, Stopped,
    Workflow,
};
use callgate_tests::{
    components::{self, Parts, SEVEN},
    guests,
};
use futures::future::join_all;

use crate::{
    limits::{SPIN, reached},
    run::limits,
};

fn pooled(max_places: u32) -> EngineOptions {
    let mut options = EngineOptions::default();
    options.allocation = Allocation::Pooled;
    options.limits.pool.max_places = max_places;
    options
}

fn nobody() -> SessionPool {
    SessionPool::new([])
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_that_find_the_pool_full_wait_for_a_place() {
    let engine = Engine::with(pooled(2)).unwrap();
    assert_eq!(engine.options().allocation, Allocation::Pooled);
    let path = guests::ECHO_INPUT;
    let workflow = Workflow::from_file(&engine, path.as_ref()).unwrap();
    let pool = nobody();

    let runs = (0..20).map(|number| {
        let given = Json::from_text(number.to_string()).unwrap();
        Run::new(&workflow, &pool).start(given)
    });
    let reports = join_all(runs).await;

    for (number, report) in reports.iter().enumerate() {
        let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
        assert_eq!(output.as_str(), number.to_string());
    }
    assert!(reports.iter().any(|report| report.queue_wait > Duration::ZERO), "nobody waited");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_gets_no_place_in_time_says_so() {
    let engine = Engine::with(pooled(1)).unwrap();
    let spin = Workflow::from_bytes(&engine, &components::workflow(SPIN)).unwrap();
    let seven = Workflow::from_bytes(&engine, &components::workflow(SEVEN)).unwrap();
    let pool = nobody();
    let impatient = limits(|limits| limits.queue_time = Duration::from_millis(50));
    let long = Run::new(&spin, &pool);
    let canceller = long.canceller();

    let (_, (crowded_out, after)) = tokio::join!(long.start(Json::null()), async {
        let crowded_out = Run::new(&seven, &pool).limits(impatient).start(Json::null()).await;
        canceller.cancel();
        (crowded_out, Run::new(&seven, &pool).start(Json::null()).await)
    });

    let limit = reached(&crowded_out);
    assert_eq!((limit.limit, limit.raise_with), ("queue_time", "--queue-time"));
    assert!(crowded_out.queue_wait >= Duration::from_millis(50), "{crowded_out:?}");
    assert!(matches!(after.outcome, RunOutcome::Done(_)), "{after:?}");
}

#[test]
fn a_component_that_no_place_is_large_enough_for_is_refused_when_it_is_loaded() {
    let engine = Engine::with(pooled(1)).unwrap();
    let two_memories = Parts {
        definitions: "(core module $other (memory 1)) (core instance (instantiate $other))",
        code: SEVEN,
        ..Parts::default()
    };

    let component = components::workflow_of(two_memories);
    let refused = Workflow::from_bytes(&engine, &component).unwrap_err();

    assert!(refused.to_string().contains("max_places"), "{refused}");
}

/// What a guest leaves behind in a place is not seen by the next one: its memory is as the module says.
#[tokio::test(flavor = "multi_thread")]
async fn a_place_is_clean_for_the_next_run() {
    let engine = Engine::with(pooled(1)).unwrap();
    let writing = r#"
        (data (i32.const 16) "1")
        (func (export "run") (param i32 i32) (result i32)
            (call $return (i32.const 0) (i32.const 16) (i32.const 1)
                (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
            (i32.store8 (i32.const 16) (i32.add (i32.load8_u (i32.const 16)) (i32.const 1)))
            (i32.const 0))"#;
    let workflow = Workflow::from_bytes(&engine, &components::workflow(writing)).unwrap();
    let pool = nobody();

    for _ in 0..5 {
        let report = Run::new(&workflow, &pool).start(Json::null()).await;

        let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
        assert_eq!(output.as_str(), "1");
    }
}

/// How long another run may take on a thread that three guests would hold for ever. A run takes its turn a few times, each
/// after a tick (2 ms) of each of the three.
const LATENCY: Duration = Duration::from_millis(40);

#[tokio::test]
async fn guests_that_spin_delay_another_run_by_a_few_ticks() {
    let engine = Engine::with(pooled(10)).unwrap();
    let spin = Workflow::from_bytes(&engine, &components::workflow(SPIN)).unwrap();
    let seven = Workflow::from_bytes(&engine, &components::workflow(SEVEN)).unwrap();
    let pool = nobody();
    let hogs: Vec<Run> = (0..3).map(|_| Run::new(&spin, &pool)).collect();
    let cancellers: Vec<_> = hogs.iter().map(Run::canceller).collect();

    let (_, mut latencies) =
        tokio::join!(join_all(hogs.into_iter().map(|hog| hog.start(Json::null()))), async {
            let mut latencies = Vec::new();
            for _ in 0..31 {
                tokio::task::yield_now().await;
                let before = Instant::now();
                let report = Run::new(&seven, &pool).start(Json::null()).await;
                latencies.push(before.elapsed());
                assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
            }
            cancellers.iter().for_each(callgate::Canceller::cancel);
            latencies
        });

    latencies.sort();
    // The others may have been held up by other programs of the machine.
    let quartile = latencies[latencies.len() / 4];
    assert!(quartile < LATENCY, "{latencies:?}");
}

#[tokio::test]
async fn an_engine_that_was_idle_still_interrupts_its_guests() {
    let mut options = EngineOptions::default();
    options.limits.idle_after = Duration::from_millis(1);
    let engine = Engine::with(options).unwrap();
    let spin = Workflow::from_bytes(&engine, &components::workflow(SPIN)).unwrap();
    let short = limits(|limits| limits.wall_clock = Duration::from_millis(50));
    let pool = nobody();

    for _ in 0..3 {
        // Long enough for the clock to pause.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let report = Run::new(&spin, &pool).limits(short.clone()).start(Json::null()).await;

        assert_eq!(reached(&report).limit, "wall_clock");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_memory_that_outgrows_its_place_is_told_that() {
    let mut options = pooled(10);
    options.limits.pool.reserve_memory_bytes = 1 << 20;
    let engine = Engine::with(options).unwrap();
    let growing = r#"(func (export "run") (param i32 i32) (result i32)
        (loop (br_if 0 (i32.ne (i32.const -1) (memory.grow (i32.const 1)))))
        unreachable)"#;
    let growing = Workflow::from_bytes(&engine, &components::workflow(growing)).unwrap();

    let report = Run::new(&growing, &nobody()).start(Json::null()).await;

    assert_eq!(engine.options().allocation, Allocation::Pooled);
    let limit = reached(&report);
    assert_eq!((limit.limit, &*limit.value), ("reserve_memory_bytes", "1048576 bytes"));
    assert_eq!(report.peak_memory_bytes, 1 << 20);
}

#[tokio::test]
async fn a_pool_that_runs_out_of_something_else_says_so() {
    let mut options = pooled(1);
    // The frame of the component is one instance, the code another.
    options.limits.pool.instances_per_place = 1;
    let engine = Engine::with(options).unwrap();
    let seven = Workflow::from_bytes(&engine, &components::workflow(SEVEN)).unwrap();

    let report = Run::new(&seven, &nobody()).start(Json::null()).await;

    let RunOutcome::Stopped(Stopped::Crowded(what)) = &report.outcome else { panic!("{report:?}") };
    assert!(what.contains("core instance"), "{what}");
}

/// A pool that no address space has room for.
#[tokio::test]
async fn an_engine_without_room_for_its_pool_does_without() {
    let mut options = pooled(100_000);
    options.limits.pool.tables_per_place = 1;
    options.limits.pool.stacks_per_place = 1;

    let engine = Engine::with(options).unwrap();
    let seven = Workflow::from_bytes(&engine, &components::workflow(SEVEN)).unwrap();
    let report = Run::new(&seven, &nobody()).limits(RunLimits::default()).start(Json::null()).await;

    assert_eq!(engine.options().allocation, Allocation::OnDemand);
    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
}
