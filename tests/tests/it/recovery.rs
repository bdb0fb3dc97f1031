//! What happens when sessions end and connections can't be opened. Time is paused wherever it matters.

mod losses;
mod reconnecting;
mod replay;

use std::time::Duration;

use callgate::{
    AuthRecord, CallError, Cause, ConnectionId, EraPolicy, Failure, Json, PooledConnection,
    Recovery, SessionOptions, SessionPool,
};
use callgate_tests::fake::{FakeConnection, FakeServer};
use tokio::task::JoinHandle;

/// The first delay of these tests; each failure doubles it.
const FIRST_DELAY: Duration = Duration::from_secs(1);
/// Failed attempts after which the circuit is open.
const CIRCUIT_FAILURES: u32 = 3;
/// A session that ends before this is a crash.
const SHORT_LIFE: Duration = Duration::from_secs(10);

/// A server and a connection to it, without chance in its delays.
fn connection(change: impl FnOnce(&mut PooledConnection)) -> (FakeServer, PooledConnection) {
    let (server, connector) = FakeServer::new();
    let mut recovery = Recovery::default();
    recovery.limits.first_delay = FIRST_DELAY;
    recovery.limits.max_delay = FIRST_DELAY * 8;
    recovery.limits.jitter_percent = 0;
    recovery.limits.circuit_failures = CIRCUIT_FAILURES;
    recovery.limits.short_life = SHORT_LIFE;
    let (auth, mut options) = (AuthRecord::none(), SessionOptions::default());
    // The tests count attempts, and a failure while the era is found out would begin anew.
    options.era = EraPolicy::Legacy;
    let mut connection = PooledConnection { connector, auth, options, recovery };
    change(&mut connection);
    (server, connection)
}

/// A pool with the one connection `fake`.
fn pool_with(change: impl FnOnce(&mut PooledConnection)) -> (FakeServer, SessionPool) {
    let (server, connection) = connection(change);
    (server, SessionPool::new([(ConnectionId::from("fake"), connection)]))
}

fn pool() -> (FakeServer, SessionPool) {
    pool_with(|_as_it_is| {})
}

type Answer = JoinHandle<Result<String, CallError>>;

fn call(pool: &SessionPool, tool: &'static str) -> Answer {
    call_of(pool, "fake", tool)
}

fn call_of(pool: &SessionPool, connection: &str, tool: &'static str) -> Answer {
    let (pool, connection) = (pool.clone(), ConnectionId::from(connection));
    tokio::spawn(async move {
        let arguments = Json::from_text(r#"{"n":1}"#.to_owned()).unwrap();
        let result = pool.call_tool(&connection, tool, arguments).await?;
        Ok(result.output.into_text())
    })
}

async fn not_sent(answer: Answer) -> Failure {
    match answer.await.unwrap() {
        Err(CallError::NotSent(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

async fn outcome_unknown(answer: Answer) -> Failure {
    match answer.await.unwrap() {
        Err(CallError::OutcomeUnknown(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

/// Takes a call and answers it.
async fn serve(connection: &mut FakeConnection, tool: &str) {
    let request = connection.expect_call(tool).await;
    connection.answer(&request, "done").await;
}

/// Makes a call that can't be repeated, and the server dies of it. `life` is how long the session lived before.
async fn crash(server: &mut FakeServer, pool: &SessionPool, life: Duration) {
    let answer = call(pool, "write");
    let mut connection = server.accept().await;
    connection.expect_call("write").await;
    tokio::time::advance(life).await;
    drop(connection);
    assert_eq!(outcome_unknown(answer).await.cause, Cause::SessionStopped);
}
