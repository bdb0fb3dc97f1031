//! What a call costs at the boundary: from the guest through the gate to a function that answers at once, and back, beside
//! the same guest on wasmtime alone. Arguments and answer have the same size.
//!
//! A figure is the time of one call. The guest's own work, reading and writing JSON, is in both.

#[path = "support/bare.rs"]
mod bare;
#[path = "support/guests.rs"]
mod guests;
#[path = "support/host.rs"]
mod host;

use callgate::{EngineOptions, Json};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

use self::bare::{Answer, Bare, Interruption};

/// Bytes of arguments and answer, and how many such calls one measured run makes.
const SIZES: [(&str, usize, u64); 4] = [
    ("64B", 64, 1_000),
    ("4KiB", 4 << 10, 1_000),
    ("256KiB", 256 << 10, 100),
    ("4MiB", 4 << 20, 10),
];

/// An object of so many bytes.
fn object(bytes: usize) -> String {
    let frame = r#"{"text":""}"#.len();
    format!(r#"{{"text":"{}"}}"#, "x".repeat(bytes - frame))
}

fn boundary(criterion: &mut Criterion) {
    let [flow] = guests::tiny(["calls_in_flight"]);
    let (runtime, limits) = (host::one_thread(), host::limits());
    let workflow = host::workflow(EngineOptions::default(), &flow);
    let mut group = criterion.benchmark_group("boundary");
    group.sample_size(20);
    for (name, bytes, calls) in SIZES {
        group.throughput(Throughput::Elements(calls));
        let object = object(bytes);
        let input = format!(
            r#"{{"connection":"x","tool":"y","arguments":{object},"count":{calls},"in_flight":1}}"#
        );
        let bare = Bare::on_demand(&flow, Interruption::Epoch, Answer::with(object.clone()));
        group.bench_function(BenchmarkId::new("floor", name), |bencher| {
            bencher.to_async(&runtime).iter(|| bare.run(&input));
        });
        let (pool, input) = (host::answering(object), Json::from_text(input).expect("JSON"));
        group.bench_function(BenchmarkId::new("callgate", name), |bencher| {
            bencher.to_async(&runtime).iter(|| host::run(&workflow, &pool, &limits, &input));
        });
    }
    group.finish();
}

criterion_group!(benches, boundary);
criterion_main!(benches);
