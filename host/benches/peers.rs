//! What scripts cost, for `cargo xtask peers`, which puts another sandbox for scripts beside it: prints one JSON object.
//!
//! The scripts are those of `xtask/src/peers/figures.py`, and so is the way in which they are measured. Calls are answered by
//! a function in this process, without MCP, through the gate as always.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the rules of the host bind the host, not what measures it"
)]

#[path = "support/host.rs"]
mod host;
#[path = "support/memory.rs"]
mod memory;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use callgate::{
    Engine, Grants, Json, Outcome, Run, RunOutcome, Script, ScriptLimits, SessionPool,
    ToolCallResult, Workflow,
};
use futures::FutureExt;
use tokio::sync::watch;

use self::memory::Memory;

const WARM_UP: usize = 100;
const RUNS: usize = 1_000;
const CALLS: usize = 200;
const PARKED: usize = 200;
/// How long it may take until all are parked.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let runtime = host::one_thread();
    runtime.block_on(async {
        let places = u32::try_from(PARKED).expect("not so many") + 1;
        let engine = Engine::with(host::pooled(places)).expect("an engine");
        let workflow = Script::workflow(&engine).expect("the runner is a workflow");
        let start = start(&workflow).await;
        let call = call(&workflow).await;
        let parked = parked_kib(&workflow).await;
        println!(
            r#"{{"start_us":{start},"call_us":{call},"parked_kib":{parked},"command":{:?}}}"#,
            env!("CARGO_BIN_EXE_callgate")
        );
    });
}

fn script(source: impl Into<String>) -> Arc<Script> {
    Arc::new(Script::new(source, "peers.js", ScriptLimits::default()).expect("it is JavaScript"))
}

/// What the run of a script returns.
async fn value(workflow: &Workflow, pool: &SessionPool, script: &Arc<Script>) -> String {
    let run = Run::new(workflow, pool).limits(host::limits()).grants(Grants::all());
    let report = run.script(script.clone()).start(Json::null()).await;
    let RunOutcome::Done(value) = report.outcome else { panic!("{:?}", report.outcome) };
    value.into_text()
}

/// The median time of a run, in microseconds.
async fn median(
    (warm_up, runs): (usize, usize),
    workflow: &Workflow,
    pool: &SessionPool,
    script: &Arc<Script>,
    expected: &str,
) -> f64 {
    let mut times = Vec::with_capacity(runs);
    for number in 0..warm_up + runs {
        let start = Instant::now();
        assert_eq!(value(workflow, pool, script).await, expected);
        if number >= warm_up {
            times.push(start.elapsed());
        }
    }
    times.sort();
    times[runs / 2].as_secs_f64() * 1e6
}

async fn start(workflow: &Workflow) -> f64 {
    let (pool, script) = (SessionPool::new([]), script("return 1"));
    median((WARM_UP, RUNS), workflow, &pool, &script, "1").await
}

/// A pool in which the answer to a call is its arguments.
fn echoing() -> SessionPool {
    SessionPool::answered_by(|call| {
        let answer = ToolCallResult {
            outcome: Outcome::Ok,
            output: call.arguments,
            content: Vec::new(),
            meta: None,
        };
        std::future::ready(Ok(answer)).boxed()
    })
}

/// One call of many that wait for each other.
async fn call(workflow: &Workflow) -> f64 {
    let pool = echoing();
    let source = |count: usize| {
        script(format!(
            "let sum = 0;\n\
             for (let at = 0; at < {count}; at++) sum += (await tools.host.echo({{ value: at }})).value;\n\
             return sum;"
        ))
    };
    let rounds = (WARM_UP / 10, RUNS / 20);
    let sum: usize = (0..CALLS).sum();
    let some = median(rounds, workflow, &pool, &source(CALLS), &sum.to_string()).await;
    let none = median(rounds, workflow, &pool, &source(0), "0").await;
    (some - none) / CALLS as f64
}

/// Private memory for each run that waits inside a call.
async fn parked_kib(workflow: &Workflow) -> f64 {
    let inside = Arc::new(AtomicUsize::new(0));
    let (release, released) = watch::channel(true);
    let pool = waiting(inside.clone(), released);
    let script = script("return await tools.host.wait()");
    // What only the first run needs.
    assert_eq!(value(workflow, &pool, &script).await, "1");
    inside.store(0, Ordering::Relaxed);
    release.send_replace(false);

    let before = Memory::now();
    let runs: Vec<_> = (0..PARKED)
        .map(|_| {
            let (workflow, pool, script) = (workflow.clone(), pool.clone(), script.clone());
            tokio::spawn(async move { value(&workflow, &pool, &script).await })
        })
        .collect();
    let start = Instant::now();
    while inside.load(Ordering::Relaxed) < PARKED {
        assert!(start.elapsed() < PATIENCE, "{inside:?} of {PARKED} runs have parked");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let after = Memory::now();

    release.send_replace(true);
    for run in runs {
        assert_eq!(run.await.expect("no run panics"), "1", "every run that was parked goes on");
    }
    after.private.per(PARKED, before.private)
}

/// A pool that answers when it is told to.
fn waiting(inside: Arc<AtomicUsize>, released: watch::Receiver<bool>) -> SessionPool {
    SessionPool::answered_by(move |_call| {
        let (inside, mut released) = (inside.clone(), released.clone());
        async move {
            inside.fetch_add(1, Ordering::Relaxed);
            released.wait_for(|is_released| *is_released).await.expect("it is released in the end");
            let output = Json::from_text("1".to_owned()).expect("JSON");
            Ok(ToolCallResult { outcome: Outcome::Ok, output, content: Vec::new(), meta: None })
        }
        .boxed()
    })
}
