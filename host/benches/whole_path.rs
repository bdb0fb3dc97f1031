//! What a call costs from the guest to its answer, beside the same calls on a bare rmcp client in the same run.
//!
//! Both sides talk to the same in-process rmcp server over an in-memory pipe, on one thread. A figure is the time of one
//! call; those of the guest include their share of starting its run, which is why a run makes a thousand calls.
#![expect(
    clippy::disallowed_methods,
    reason = "the rules of the host bind the host, not what measures it"
)]

use std::{env, fs, hint::black_box, time::Duration};

use callgate::{
    ConnectionId, Connector, Engine, Grants, Json, Ordering, PooledConnection, Run, RunLimits,
    RunOutcome, SessionOptions, SessionPool, Streams, Workflow,
};
use callgate_guest_build::{Guests, build};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use futures::{FutureExt, StreamExt, stream};
use rmcp::{
    RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use tokio::runtime::Runtime;

/// Calls that one measured round makes.
const CALLS: usize = 1_000;
/// Bytes that each direction of the pipe holds.
const PIPE_BYTES: usize = 1 << 20;

#[derive(Clone)]
struct Echo;

impl ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, rmcp::ErrorData> {
        Ok(ListToolsResult::default())
    }

    async fn call_tool(
        &self,
        _request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, rmcp::ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text("x".repeat(32))]).into())
    }
}

fn one_thread() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// A pool with the server behind the connection `echo`.
fn pool() -> SessionPool {
    let connector = Connector::streams(|| {
        async {
            let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
            tokio::spawn(async move {
                let server = Echo.serve(theirs).await.expect("the handshake works");
                server.waiting().await
            });
            let (reader, writer) = tokio::io::split(ours);
            let streams: Streams = (Box::new(reader), Box::new(writer));
            Ok(streams)
        }
        .boxed()
    });
    let mut options = SessionOptions::default();
    options.ordering = Ordering::Parallel;
    let connection = PooledConnection { options, ..PooledConnection::new(connector) };
    SessionPool::new([(ConnectionId::from("echo"), connection)])
}

/// The guest that makes the calls.
fn workflow() -> Workflow {
    let out_dir = env::temp_dir().join(format!("callgate-bench-{}", std::process::id()));
    fs::create_dir_all(&out_dir).expect("a folder for the guest");
    let guests = build(&[Guests::Examples("test-guests")], &out_dir).expect("the guests build");
    let path = guests
        .iter()
        .find(|path| path.file_stem().is_some_and(|stem| stem == "calls_in_flight"))
        .expect("there is a guest calls_in_flight");
    let workflow =
        Workflow::from_file(&Engine::new().expect("an engine"), path).expect("it is a workflow");
    fs::remove_dir_all(&out_dir).expect("the folder can go");
    workflow
}

/// Thousand calls of a bare rmcp client, so many at a time.
async fn bare(client: &rmcp::Peer<rmcp::RoleClient>, in_flight: usize) {
    stream::iter(0..CALLS)
        .map(|_| async {
            let params = CallToolRequestParams::new("echo").with_arguments(rmcp::object!({"a": 1}));
            black_box(client.call_tool(params).await.expect("an answer"))
        })
        .buffer_unordered(in_flight)
        .for_each(|_| async {})
        .await;
}

/// Thousand calls of the owner task, without a guest.
async fn owner(pool: &SessionPool, in_flight: usize) {
    let connection = ConnectionId::from("echo");
    stream::iter(0..CALLS)
        .map(|_| async {
            let arguments = Json::from_text(r#"{"a":1}"#.to_owned()).expect("JSON");
            black_box(pool.call_tool(&connection, "echo", arguments).await.expect("an answer"))
        })
        .buffer_unordered(in_flight)
        .for_each(|_| async {})
        .await;
}

/// Thousand calls of a guest.
async fn guest(workflow: &Workflow, pool: &SessionPool, in_flight: usize) {
    let input = format!(
        r#"{{"connection":"echo","tool":"echo","arguments":{{"a":1}},"count":{CALLS},"in_flight":{in_flight}}}"#
    );
    let input = Json::from_text(input).expect("JSON");
    let report = Run::new(workflow, pool)
        .limits(RunLimits::default())
        .grants(Grants::all())
        .start(input)
        .await;
    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
}

fn whole_path(criterion: &mut Criterion) {
    let workflow = workflow();
    let mut group = criterion.benchmark_group("whole_path");
    group.throughput(Throughput::Elements(CALLS as u64));
    group.sample_size(20).measurement_time(Duration::from_secs(8));
    for in_flight in [1, 64] {
        group.bench_function(BenchmarkId::new("bare_rmcp", in_flight), |bencher| {
            let runtime = one_thread();
            let client = runtime.block_on(async {
                let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
                tokio::spawn(async move {
                    Echo.serve(theirs).await.expect("the handshake works").waiting().await
                });
                ().serve(ours).await.expect("the handshake works")
            });
            bencher.to_async(&runtime).iter(|| bare(client.peer(), in_flight));
        });
        group.bench_function(BenchmarkId::new("owner_task", in_flight), |bencher| {
            let (runtime, pool) = (one_thread(), pool());
            bencher.to_async(&runtime).iter(|| owner(&pool, in_flight));
        });
        group.bench_function(BenchmarkId::new("guest", in_flight), |bencher| {
            let (runtime, pool) = (one_thread(), pool());
            bencher.to_async(&runtime).iter(|| guest(&workflow, &pool, in_flight));
        });
    }
    group.finish();
}

criterion_group!(benches, whole_path);
criterion_main!(benches);
