//! Time and randomness: a clock that timers move, and numbers that a seed makes.

use std::time::Duration;

use callgate::{Json, Run, SessionPool, VirtualWorld};
use serde_json::json;

use super::{run, script, value, value_of, workflow};

#[tokio::test(flavor = "multi_thread")]
async fn timers_fire_in_order_on_a_clock_that_takes_no_time() {
    let source = "
        const start = Date.now(), seen = [];
        setTimeout((...args) => seen.push(args), 20, 'b', 1);
        setTimeout(() => seen.push('a'), 10);
        const gone = setTimeout(() => seen.push('never'), 15);
        clearTimeout(gone);
        let ticks = 0;
        const every = setInterval(() => { if (++ticks === 3) clearInterval(every) }, 100);
        await new Promise((resolve) => setTimeout(resolve, 24 * 3600 * 1000));
        return [seen, ticks, Date.now() - start, performance.now()]";

    let report = run(source).await;

    assert_eq!(value_of(&report), json!([["a", ["b", 1]], 3, 86_400_000, 86_400_000]));
    assert!(report.duration.as_secs() < 5, "{:?}", report.duration);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_is_done_waits_for_timeouts_and_not_for_intervals() {
    let report =
        run("setTimeout(() => console.log('later'), 10); setInterval(() => {}, 1); return 1").await;

    assert_eq!(value_of(&report), 1);
    assert_eq!(super::logs_of(&report), ["log: later"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_seed_and_clock_make_the_same_run() {
    let source = "return [Math.random(), Math.random(), new Date().toISOString(), new Date(2026, 0, 1).getTimezoneOffset()]";
    let with = async |seed, now_ms| {
        let mut world = VirtualWorld::default();
        (world.seed, world.clock) = (seed, Duration::from_millis(now_ms));
        let run = Run::new(&workflow().await, &SessionPool::new([])).script(script(source));
        run.world(world).start(Json::null()).await
    };

    let (one, again, other) = (with(1, 0).await, with(1, 0).await, with(2, 0).await);

    assert_eq!(value_of(&one), value_of(&again));
    assert_ne!(value_of(&one)[0], value_of(&other)[0]);
    assert_eq!(value_of(&one)[2], "1970-01-01T00:00:00.000Z");
    assert_eq!(value_of(&one)[3], 0);
    let world = one.world.unwrap();
    assert_eq!((world.seed, world.clock), (1, Duration::ZERO));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_seed_and_a_clock_a_run_is_still_the_same_each_time() {
    let source = "return [Math.random(), new Date().toISOString()]";

    let first = value(source).await;

    assert_eq!(value(source).await, first);
    assert_eq!(first[1], "2026-01-01T00:00:00.000Z");
}
