//! What a layer of middleware costs: per call and per start of a run, against the same workflow without it.
//!
//! Calls are answered at once by a function in place of servers, so the figures hold nothing of MCP. Each figure is of a
//! stack of so many equal layers; what one layer costs is the difference of two stacks, divided by their layers (and by the
//! calls of a run for `calls`).

use std::{env, fs, path::PathBuf, time::Duration};

use callgate::{
    CompositionLimits, Engine, Grants, Json, Layer, Outcome, Run, RunLimits, RunOutcome,
    SessionPool, SettingsText, Stack, ToolCallResult, Workflow,
};
use callgate_guest_build::{Guests, build};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use futures::FutureExt;
use tokio::runtime::Runtime;

/// Calls that one measured run makes.
const CALLS: usize = 1_000;

/// Layers of the stacks.
const DEPTHS: [usize; 3] = [0, 1, 5];

fn one_thread() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// A pool in which every call has an answer of a few bytes, at once.
fn pool() -> SessionPool {
    SessionPool::answered_by(|_call| {
        async {
            let output = Json::from_string("answer");
            Ok(ToolCallResult { outcome: Outcome::Ok, output, content: Vec::new(), meta: None })
        }
        .boxed()
    })
}

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
    fn stack(&self, flow: &str, layer: &str, settings: Option<&str>, depth: usize) -> Workflow {
        let limits = CompositionLimits::default();
        let layers = (0..depth).map(|_| {
            let text = settings.map(str::to_owned);
            let settings =
                text.map(|text| SettingsText { origin: "the benchmark".to_owned(), text });
            Layer::new(layer, self.read(layer), settings, &limits).expect("it is a middleware")
        });
        let stack = Stack::new(self.read(flow), layers.collect(), &limits).expect("a stack");
        let component = stack.compose().expect("it composes");
        Workflow::from_bytes(&Engine::new().expect("an engine"), &component).expect("a workflow")
    }
}

impl Drop for Components {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("the folder can go");
    }
}

async fn run(workflow: &Workflow, pool: &SessionPool, input: &Json) {
    let run = Run::new(workflow, pool).limits(RunLimits::default()).grants(Grants::all());
    let report = run.start(input.clone()).await;
    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
}

fn layers(criterion: &mut Criterion) {
    let components = Components::build();
    let kinds = [("deny-writes", None), ("retry", Some(r#"{"attempts": 2}"#))];

    let mut group = criterion.benchmark_group("layers/calls");
    group.throughput(Throughput::Elements(CALLS as u64));
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for (kind, settings) in kinds {
        for (depth, in_flight) in DEPTHS.into_iter().flat_map(|depth| [(depth, 1), (depth, 64)]) {
            let workflow = components.stack("calls_in_flight", kind, settings, depth);
            let input = format!(
                r#"{{"connection":"x","tool":"y","arguments":{{"a":1}},"count":{CALLS},"in_flight":{in_flight}}}"#
            );
            let input = Json::from_text(input).expect("JSON");
            let id = BenchmarkId::new(kind, format!("{depth} layers, {in_flight} in flight"));
            group.bench_function(id, |bencher| {
                let (runtime, pool) = (one_thread(), pool());
                bencher.to_async(&runtime).iter(|| run(&workflow, &pool, &input));
            });
        }
    }
    group.finish();

    // One call, so that every layer is entered; the call itself is in the figure of no layers too.
    let mut group = criterion.benchmark_group("layers/start");
    group.sample_size(50).measurement_time(Duration::from_secs(5));
    for (kind, settings) in kinds {
        for depth in DEPTHS {
            let workflow = components.stack("one_call", kind, settings, depth);
            let input = r#"{"connection":"x","tool":"y","arguments":{}}"#.to_owned();
            let input = Json::from_text(input).expect("JSON");
            group.bench_function(BenchmarkId::new(kind, format!("{depth} layers")), |bencher| {
                let (runtime, pool) = (one_thread(), pool());
                bencher.to_async(&runtime).iter(|| run(&workflow, &pool, &input));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, layers);
criterion_main!(benches);
