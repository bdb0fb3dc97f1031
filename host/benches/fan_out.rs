//! A thousand calls at once, each of which takes ten milliseconds: beside as many timers of tokio, and beside the same guest on
//! wasmtime alone. A figure is the time of all of it.

#[path = "support/bare.rs"]
mod bare;
#[path = "support/guests.rs"]
mod guests;
#[path = "support/host.rs"]
mod host;

use std::time::Duration;

use callgate::{EngineOptions, Json, Outcome, SessionPool, ToolCallResult};
use criterion::{Criterion, criterion_group, criterion_main};
use futures::{FutureExt, future::join_all};

use self::bare::{Answer, Bare, Interruption};

const CALLS: usize = 1_000;
const LATENCY: Duration = Duration::from_millis(10);

fn sleeping() -> SessionPool {
    SessionPool::answered_by(|_call| {
        async {
            tokio::time::sleep(LATENCY).await;
            let output = Json::null();
            Ok(ToolCallResult { outcome: Outcome::Ok, output, content: Vec::new(), meta: None })
        }
        .boxed()
    })
}

fn fan_out(criterion: &mut Criterion) {
    let [flow] = guests::tiny(["calls_in_flight"]);
    let (runtime, limits) = (host::one_thread(), host::limits());
    let input = format!(
        r#"{{"connection":"x","tool":"y","arguments":{{}},"count":{CALLS},"in_flight":{CALLS}}}"#
    );
    let mut group = criterion.benchmark_group("fan_out");
    group.sample_size(30);
    group.bench_function("floor", |bencher| {
        bencher
            .to_async(&runtime)
            .iter(|| join_all((0..CALLS).map(|_| tokio::time::sleep(LATENCY))));
    });
    let answer = Answer { output: "null".to_owned(), after: LATENCY };
    let bare = Bare::on_demand(&flow, Interruption::Epoch, answer);
    group.bench_function("wasmtime", |bencher| {
        bencher.to_async(&runtime).iter(|| bare.run(&input));
    });
    let (workflow, pool) = (host::workflow(EngineOptions::default(), &flow), sleeping());
    let input = Json::from_text(input.clone()).expect("JSON");
    group.bench_function("callgate", |bencher| {
        bencher.to_async(&runtime).iter(|| host::run(&workflow, &pool, &limits, &input));
    });
    group.finish();
}

criterion_group!(benches, fan_out);
criterion_main!(benches);
