//! What a run costs that makes no call: start, finish and everything in between, beside the same component on wasmtime alone
//! with the same settings. And how many more runs two threads do than one.
#![expect(
    clippy::disallowed_methods,
    reason = "the rules of the host bind the host, not what measures it"
)]

#[path = "support/bare.rs"]
mod bare;
#[path = "support/guests.rs"]
mod guests;
#[path = "support/host.rs"]
mod host;

use std::{
    thread,
    time::{Duration, Instant},
};

use callgate::{EngineOptions, Json, RunLimits, SessionPool, Workflow};
use criterion::{Criterion, criterion_group, criterion_main};

use self::bare::{Answer, Bare, Interruption};

/// Places of the pool.
const PLACES: u32 = 100;

fn starts(criterion: &mut Criterion) {
    let [echo] = guests::tiny(["echo_input"]);
    let (limits, input) = (RunLimits::default(), Json::null());
    let nothing = Answer::with("null".to_owned());
    let engines = [
        ("pooled", host::pooled(PLACES), Bare::pooled(&echo, PLACES, nothing.clone())),
        (
            "on_demand",
            EngineOptions::default(),
            Bare::on_demand(&echo, Interruption::Epoch, nothing),
        ),
    ];
    for (name, options, bare) in engines {
        let mut group = criterion.benchmark_group(format!("runs_{name}"));
        let runtime = host::one_thread();
        group.bench_function("floor", |bencher| {
            bencher.to_async(&runtime).iter(|| bare.run(input.as_str()));
        });
        let (workflow, pool) = (host::workflow(options, &echo), SessionPool::new([]));
        group.bench_function("callgate", |bencher| {
            bencher.to_async(&runtime).iter(|| host::run(&workflow, &pool, &limits, &input));
        });
        group.finish();
    }
}

/// Runs so many times on each of so many threads, and tells how long all of that took.
fn on_threads(threads: u64, runs: u64, workflow: &Workflow) -> Duration {
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let (limits, input, pool) =
                    (RunLimits::default(), Json::null(), SessionPool::new([]));
                host::one_thread().block_on(async {
                    for _ in 0..runs {
                        host::run(workflow, &pool, &limits, &input).await;
                    }
                });
            });
        }
    });
    start.elapsed()
}

/// The figure is the time of one run: with two threads that keep out of each other's way it is half of that with one.
fn threads(criterion: &mut Criterion) {
    let [echo] = guests::tiny(["echo_input"]);
    let workflow = host::workflow(host::pooled(PLACES), &echo);
    let mut group = criterion.benchmark_group("runs_threads");
    for (name, threads) in [("one", 1), ("two", 2)] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|runs| on_threads(threads, runs.div_ceil(threads), &workflow));
        });
    }
    group.finish();
}

criterion_group!(benches, starts, threads);
criterion_main!(benches);
