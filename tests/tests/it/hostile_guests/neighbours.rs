//! What a good workflow notices of hostile ones on the same engine and the same two threads: a few milliseconds.

use std::time::{Duration, Instant};

use callgate::{Allocation, RunLimits, RunOutcome};
use callgate_tests::components;
use futures::future::join_all;

use super::{Host, load};
use crate::{limits::reached, run::limits};

/// Good runs, one after the other.
const RUNS: usize = 60;

const SPINS: &str =
    r#"(func (export "run") (param i32 i32) (result i32) (loop (br 0)) unreachable)"#;

/// Fills its 16 MiB again and again; each time is one instruction.
const FILLS: &str = r#"(func (export "run") (param i32 i32) (result i32)
    (drop (memory.grow (i32.const 255)))
    (loop (memory.fill (i32.const 0) (i32.const 1) (i32.const 0x1000000)) (br 0))
    unreachable)"#;

/// How long a good run takes, in the middle of many.
async fn median(host: &Host) -> Duration {
    let mut took = Vec::new();
    for _ in 0..RUNS {
        let started = Instant::now();
        let report = host.run(&host.good, RunLimits::default()).await;
        took.push(started.elapsed());
        assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
    }
    took.sort();
    took[RUNS / 2]
}

/// How long a run works that fills memory of so many pages, whose budget is less than one such instruction takes.
async fn one_fill(host: &Host, pages: u32) -> Duration {
    let code = format!(
        r#"(func (export "run") (param i32 i32) (result i32)
            (drop (memory.grow (i32.const {pages})))
            (loop (memory.fill (i32.const 0) (i32.const 1) (i32.shl (memory.size) (i32.const 16))) (br 0))
            unreachable)"#
    );
    let hog = load(&host.engine, components::workflow(&code)).await.unwrap();
    let little = limits(|limits| limits.cpu_time = Duration::from_millis(20));
    let report = host.run(&hog, little).await;
    assert_eq!(reached(&report).limit, "cpu_time");
    assert_eq!(report.peak_memory_bytes, (pages as usize + 1) * (64 << 10));
    report.cpu_time
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_longest_that_nothing_interrupts_is_bounded_by_the_memory() {
    let host = Host::new(Allocation::OnDemand).await;

    // A page fewer than the limit, for the one that is there.
    let most = one_fill(&host, 4095).await;
    let less = one_fill(&host, 255).await;

    host.close().await;
    println!("a fill of 256 MiB that were never touched takes {most:?}, one of 16 MiB {less:?}");
    // Almost all of it is the system's work of finding pages, which a machine under load takes its time for.
    assert!(most < Duration::from_secs(20) && less < Duration::from_secs(5), "{most:?}, {less:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn good_runs_stay_fast_beside_hogs() {
    let host = Host::new(Allocation::Pooled).await;
    let alone = median(&host).await;
    let mut hogs = Vec::new();
    for code in [SPINS, FILLS, SPINS, FILLS] {
        let hog = load(&host.engine, components::workflow(code)).await.unwrap();
        let run = callgate::Run::new(&hog, &host.pool).limits(limits(|limits| {
            limits.max_memory_bytes = 16 << 20;
        }));
        let canceller = run.canceller();
        hogs.push((canceller, tokio::spawn(run.start(callgate::Json::null()))));
    }

    let beside = median(&host).await;

    let (cancellers, hogs): (Vec<_>, Vec<_>) = hogs.into_iter().unzip();
    cancellers.iter().for_each(callgate::Canceller::cancel);
    for ended in join_all(hogs).await {
        let report = ended.unwrap();
        assert_eq!(report.outcome, RunOutcome::Stopped(callgate::Stopped::Cancelled));
        assert!(report.cpu_time > Duration::ZERO);
    }
    host.close().await;
    println!("a good run takes {alone:?} alone and {beside:?} beside four hogs");
    // Each of the few turns of a good run may wait for a tick of the hogs before it.
    assert!(beside < alone * 5 + Duration::from_millis(60), "{alone:?} alone, {beside:?} beside");
}
