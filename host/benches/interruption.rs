//! What it costs that a guest can be stopped: by ticks, as always, and by counted instructions, where somebody asks for that;
//! beside wasmtime alone, which could not stop it. `loops` computes, `calls` does nothing but call.

#[path = "support/bare.rs"]
mod bare;
#[path = "support/guests.rs"]
mod guests;
#[path = "support/host.rs"]
mod host;

use callgate::{EngineOptions, Json};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

use self::bare::{Answer, Bare, Interruption};

fn interruption(criterion: &mut Criterion) {
    let [compute, calls] = guests::tiny(["compute", "calls_in_flight"]);
    let runtime = host::one_thread();
    let cases = [
        ("loops", &compute, r#"{"rounds":5000000}"#),
        (
            "calls",
            &calls,
            r#"{"connection":"x","tool":"y","arguments":{},"count":1000,"in_flight":1}"#,
        ),
    ];
    let mut group = criterion.benchmark_group("interruption");
    group.sample_size(20);
    for (name, component, input) in cases {
        let answer = Answer::with("null".to_owned());
        let bare = Bare::on_demand(component, Interruption::None, answer.clone());
        group.bench_function(BenchmarkId::new("floor", name), |bencher| {
            bencher.to_async(&runtime).iter(|| bare.run(input));
        });
        let ticking = Bare::on_demand(component, Interruption::Epoch, answer);
        group.bench_function(BenchmarkId::new("ticks", name), |bencher| {
            bencher.to_async(&runtime).iter(|| ticking.run(input));
        });
        let (pool, json) =
            (host::answering("null".to_owned()), Json::from_text(input.to_owned()).expect("JSON"));
        let mut limits = host::limits();
        let workflow = host::workflow(EngineOptions::default(), component);
        group.bench_function(BenchmarkId::new("callgate", name), |bencher| {
            bencher.to_async(&runtime).iter(|| host::run(&workflow, &pool, &limits, &json));
        });
        let mut options = EngineOptions::default();
        options.counts_fuel = true;
        limits.fuel = Some(u64::MAX);
        let counting = host::workflow(options, component);
        group.bench_function(BenchmarkId::new("callgate_with_fuel", name), |bencher| {
            bencher.to_async(&runtime).iter(|| host::run(&counting, &pool, &limits, &json));
        });
    }
    group.finish();
}

criterion_group!(benches, interruption);
criterion_main!(benches);
