//! What a layer of middleware costs: per call and per start of a run, against the same workflow without it, and beside the same
//! stacks on wasmtime alone.
//!
//! Calls are answered at once by a function in place of servers, so the figures hold nothing of MCP. Each figure is of a
//! stack of so many equal layers; what one layer costs is the difference of two stacks, divided by their layers (and by the
//! calls of a run for `calls`).

#[path = "support/bare.rs"]
mod bare;
#[path = "support/host.rs"]
mod host;

use std::{env, fs, path::PathBuf, time::Duration};

use callgate::{CompositionLimits, EngineOptions, Json, Layer, SettingsText, Stack};
use callgate_guest_build::{Guests, build};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

use self::bare::{Answer, Bare, Interruption};

/// Calls that one measured run makes.
const CALLS: usize = 1_000;

/// Layers of the stacks.
const DEPTHS: [usize; 3] = [0, 1, 5];

/// The layers that are measured, and their settings.
const KINDS: [(&str, Option<&str>); 2] =
    [("deny-writes", None), ("retry", Some(r#"{"attempts": 2}"#))];

/// What every call is answered with.
const ANSWER: &str = r#""answer""#;

/// The guests by name.
struct Components(PathBuf);

impl Components {
    fn build() -> Self {
        let folder = env::temp_dir().join(format!("callgate-layers-{}", std::process::id()));
        let guests = [
            Guests::Examples("test-guests"),
            Guests::Library("deny-writes"),
            Guests::Library("retry"),
        ];
        build(&guests, &folder).expect("the guests build");
        Self(folder)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name).with_extension("wasm")).expect("it was built")
    }

    /// A workflow behind `depth` layers of this kind.
    fn stack(&self, flow: &str, layer: &str, settings: Option<&str>, depth: usize) -> Vec<u8> {
        let limits = CompositionLimits::default();
        let layers = (0..depth).map(|_| {
            let text = settings.map(str::to_owned);
            let settings =
                text.map(|text| SettingsText { origin: "the benchmark".to_owned(), text });
            Layer::new(layer, self.read(layer), settings, &limits).expect("it is a middleware")
        });
        let stack = Stack::new(self.read(flow), layers.collect(), &limits).expect("a stack");
        stack.compose().expect("it composes")
    }
}

impl Drop for Components {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("the folder can go");
    }
}

fn answer() -> Answer {
    Answer::with(ANSWER.to_owned())
}

fn calls(criterion: &mut Criterion) {
    let components = Components::build();
    let (runtime, limits, pool) =
        (host::one_thread(), host::limits(), host::answering(ANSWER.to_owned()));
    let mut group = criterion.benchmark_group("layers/calls");
    group.throughput(Throughput::Elements(CALLS as u64));
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for (kind, settings) in KINDS {
        for depth in DEPTHS {
            let stack = components.stack("calls_in_flight", kind, settings, depth);
            let workflow = host::workflow(EngineOptions::default(), &stack);
            let bare = Bare::on_demand(&stack, Interruption::Epoch, answer());
            for in_flight in [1, 64] {
                let input = format!(
                    r#"{{"connection":"x","tool":"y","arguments":{{"a":1}},"count":{CALLS},"in_flight":{in_flight}}}"#
                );
                let shape = format!("{depth} layers, {in_flight} in flight");
                let id = BenchmarkId::new(format!("floor-{kind}"), &shape);
                group.bench_function(id, |bencher| {
                    bencher.to_async(&runtime).iter(|| bare.run(&input));
                });
                let input = Json::from_text(input).expect("JSON");
                group.bench_function(BenchmarkId::new(kind, shape), |bencher| {
                    bencher
                        .to_async(&runtime)
                        .iter(|| host::run(&workflow, &pool, &limits, &input));
                });
            }
        }
    }
    group.finish();
}

/// One call, so that every layer is entered; the call itself is in the figure of no layers too.
fn starts(criterion: &mut Criterion) {
    let components = Components::build();
    let (runtime, limits, pool) =
        (host::one_thread(), host::limits(), host::answering(ANSWER.to_owned()));
    let input = r#"{"connection":"x","tool":"y","arguments":{}}"#;
    let json = Json::from_text(input.to_owned()).expect("JSON");
    let mut group = criterion.benchmark_group("layers/start");
    group.sample_size(50).measurement_time(Duration::from_secs(5));
    for (kind, settings) in KINDS {
        for depth in DEPTHS {
            let stack = components.stack("one_call", kind, settings, depth);
            let bare = Bare::pooled(&stack, 8, answer());
            let id = BenchmarkId::new(format!("floor-{kind}"), format!("{depth} layers"));
            group.bench_function(id, |bencher| {
                bencher.to_async(&runtime).iter(|| bare.run(input));
            });
            for (allocation, options) in
                [("pool", host::pooled(8)), ("on demand", EngineOptions::default())]
            {
                let workflow = host::workflow(options, &stack);
                let id = BenchmarkId::new(kind, format!("{depth} layers, {allocation}"));
                group.bench_function(id, |bencher| {
                    bencher.to_async(&runtime).iter(|| host::run(&workflow, &pool, &limits, &json));
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, calls, starts);
criterion_main!(benches);
