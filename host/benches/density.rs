//! How much memory a run takes that waits for an answer: parks as many as it is told, measures, has them all go on and counts
//! their results. `cargo xtask density N` runs it.
//!
//! Measured is private memory (`smaps_rollup`): what the process has for itself and would give back. Page tables, which are
//! the kernel's, are told beside it.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the rules of the host bind the host, not what measures it"
)]

#[path = "support/guests.rs"]
mod guests;
#[path = "support/host.rs"]
mod host;
#[path = "support/memory.rs"]
mod memory;

use std::{
    env, fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use callgate::{
    Allocation, EngineOptions, Grants, Json, Outcome, Run, RunLimits, RunOutcome, SessionPool,
    ToolCallResult, Workflow,
};
use futures::FutureExt;
use tokio::sync::watch;

use self::memory::Memory;

/// Runs where the command line says nothing.
const RUNS: usize = 1_000;
/// The system's mappings that one run takes, those of its place in the pool included.
const MAPPINGS_OF_A_RUN: usize = 6;
const MAPPINGS_OF_THE_REST: usize = 1_000;
/// Address space of one memory. With less than 4 GiB, 100,000 fit.
const RESERVED_BYTES: u64 = 64 << 20;
/// How long everything may take to park, and to end.
const PATIENCE: Duration = Duration::from_secs(600);

fn main() {
    let wanted = env::args().skip(1).find_map(|word| word.parse().ok());
    let runs: usize = wanted.unwrap_or(RUNS);
    if let Some(needed) = missing_mappings(runs) {
        println!(
            "{runs} runs need more of the system's mappings than vm.max_map_count allows: run\n  \
             sysctl -w vm.max_map_count={needed}\nas root, and try again"
        );
        std::process::exit(2);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(measure(runs));
}

/// What `vm.max_map_count` has to be, if it is less.
fn missing_mappings(runs: usize) -> Option<usize> {
    let needed = runs * MAPPINGS_OF_A_RUN + MAPPINGS_OF_THE_REST;
    let allowed: usize =
        fs::read_to_string("/proc/sys/vm/max_map_count").ok()?.trim().parse().ok()?;
    (needed > allowed).then_some(needed)
}

async fn measure(runs: usize) {
    let workflow = workflow(runs);
    let parked = Arc::new(AtomicUsize::new(0));
    let (release, released) = watch::channel(false);
    let pool = parking(parked.clone(), released);
    let before = Memory::now();

    let start = Instant::now();
    let started: Vec<_> =
        (0..runs).map(|_| tokio::spawn(one(workflow.clone(), pool.clone()))).collect();
    while parked.load(Ordering::Relaxed) < runs {
        assert!(start.elapsed() < PATIENCE, "{parked:?} of {runs} runs have parked");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (after, parking) = (Memory::now(), start.elapsed());

    let start = Instant::now();
    release.send_replace(true);
    let mut done = 0;
    for run in started {
        done += usize::from(run.await.expect("no run panics"));
    }
    println!("runs                 {runs}");
    println!("all parked after     {parking:.1?}");
    println!("all answered         {done} of {runs}, within {:.1?}", start.elapsed());
    println!("private memory       {:.1} KiB a run", after.private.per(runs, before.private));
    println!(
        "page tables          {:.1} KiB a run",
        after.page_tables.per(runs, before.page_tables)
    );
    println!(
        "private in all       {:.1} MiB, of which {:.1} MiB before the runs",
        after.private.mib(),
        before.private.mib()
    );
    assert_eq!(done, runs, "every run that was parked goes on");
}

fn workflow(runs: usize) -> Workflow {
    let mut options = EngineOptions::default();
    options.allocation = Allocation::Pooled;
    let pool = &mut options.limits.pool;
    pool.max_places = u32::try_from(runs).expect("not so many");
    pool.stacks_per_place = 1;
    pool.reserve_memory_bytes = RESERVED_BYTES;
    let [one_call] = guests::tiny(["one_call"]);
    let workflow = host::workflow(options, &one_call);
    let got = workflow.engine().options().allocation;
    assert_eq!(got, Allocation::Pooled, "the address space doesn't hold so many places");
    workflow
}

/// A pool that answers when it is told to.
fn parking(parked: Arc<AtomicUsize>, released: watch::Receiver<bool>) -> SessionPool {
    SessionPool::answered_by(move |_call| {
        let (parked, mut released) = (parked.clone(), released.clone());
        async move {
            parked.fetch_add(1, Ordering::Relaxed);
            released.wait_for(|is_released| *is_released).await.expect("it is released in the end");
            let output = Json::null();
            Ok(ToolCallResult { outcome: Outcome::Ok, output, content: Vec::new(), meta: None })
        }
        .boxed()
    })
}

/// Whether the run had a result.
async fn one(workflow: Workflow, pool: SessionPool) -> bool {
    let mut limits = RunLimits::default();
    limits.wall_clock = 2 * PATIENCE;
    let input = r#"{"connection":"x","tool":"y","arguments":{}}"#.to_owned();
    let input = Json::from_text(input).expect("JSON");
    let run = Run::new(&workflow, &pool).limits(limits).grants(Grants::all());
    matches!(run.start(input).await.outcome, RunOutcome::Done(_))
}
