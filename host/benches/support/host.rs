//! What is measured: runs of the host itself, whose calls a function answers.
#![allow(dead_code, reason = "each benchmark uses a part of it")]

use callgate::{
    Allocation, Engine, EngineOptions, Grants, Json, Outcome, Run, RunLimits, RunOutcome,
    SessionPool, ToolCallResult, Workflow,
};
use futures::FutureExt;
use tokio::runtime::Runtime;

/// A runtime of one thread, this one.
pub(crate) fn one_thread() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// The options of a process that runs many workflows, this many at once.
pub(crate) fn pooled(places: u32) -> EngineOptions {
    let mut options = EngineOptions::default();
    options.allocation = Allocation::Pooled;
    options.limits.pool.max_places = places;
    options
}

/// A workflow on an engine of its own.
pub(crate) fn workflow(options: EngineOptions, component: &[u8]) -> Workflow {
    let engine = Engine::with(options).expect("an engine");
    Workflow::from_bytes(&engine, component).expect("it is a workflow")
}

/// A pool in which every call has this answer at once.
pub(crate) fn answering(output: String) -> SessionPool {
    let output = Json::from_text(output).expect("JSON");
    SessionPool::answered_by(move |_call| {
        let output = output.clone();
        let answer =
            ToolCallResult { outcome: Outcome::Ok, output, content: Vec::new(), meta: None };
        std::future::ready(Ok(answer)).boxed()
    })
}

/// Limits that none of the measured runs reaches.
pub(crate) fn limits() -> RunLimits {
    let mut limits = RunLimits::default();
    limits.max_calls = u64::MAX;
    limits.max_calls_in_flight = 10_000;
    limits.max_total_result_bytes = u64::MAX;
    limits
}

/// Runs to the end, which has to be a good one.
pub(crate) async fn run(workflow: &Workflow, pool: &SessionPool, limits: &RunLimits, input: &Json) {
    let run = Run::new(workflow, pool).limits(limits.clone()).grants(Grants::all());
    let report = run.start(input.clone()).await;
    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{:?}", report.outcome);
}
