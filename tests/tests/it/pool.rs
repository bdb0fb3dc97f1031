//! The pool: one session for each connection and credential, opened once, replaced when it ends, closed with the others.

use callgate::{
    AuthRecord, CallError, Cause, ConnectionId, Json, PooledConnection, RefusalReason, SessionPool,
};
use callgate_tests::fake::FakeServer;
use futures::future::join_all;
use tokio::task::JoinHandle;

fn pool_of<const N: usize>() -> ([FakeServer; N], SessionPool) {
    let mut servers = Vec::new();
    let mut connections = Vec::new();
    for number in 0..N {
        let (server, connector) = FakeServer::new();
        servers.push(server);
        let connection = PooledConnection::new(connector);
        connections.push((ConnectionId::from(format!("fake{number}")), connection));
    }
    let servers = servers.try_into().map_err(|_| "as many as were made").unwrap();
    (servers, SessionPool::new(connections))
}

fn call(
    pool: &SessionPool,
    connection: &str,
    tool: &'static str,
) -> JoinHandle<Result<String, CallError>> {
    call_as(pool, connection, AuthRecord::none(), tool)
}

fn call_as(
    pool: &SessionPool,
    connection: &str,
    auth: AuthRecord,
    tool: &'static str,
) -> JoinHandle<Result<String, CallError>> {
    let (pool, connection) = (pool.clone(), ConnectionId::from(connection));
    tokio::spawn(async move {
        let arguments = Json::from_text("{}".to_owned()).unwrap();
        let result = pool.call_tool_as(&connection, auth, tool, arguments).await?;
        Ok(result.output.into_text())
    })
}

#[tokio::test(start_paused = true)]
async fn a_connection_is_opened_once_under_concurrent_first_use() {
    let ([mut server], pool) = pool_of();

    let calls: Vec<_> = (0..50).map(|_| call(&pool, "fake0", "read")).collect();
    let mut connection = server.accept().await;
    for _ in 0..50 {
        let request = connection.expect_call("read").await;
        connection.answer(&request, "x").await;
    }

    for answer in join_all(calls).await {
        answer.unwrap().unwrap();
    }
    assert_eq!(server.opens(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_ended_is_replaced_by_the_next_call() {
    let ([mut server], pool) = pool_of();
    let first = call(&pool, "fake0", "write");
    let mut connection = server.accept().await;
    connection.expect_call("write").await;
    drop(connection);
    assert!(matches!(first.await.unwrap(), Err(CallError::OutcomeUnknown(_))));

    let second = call(&pool, "fake0", "write");
    let mut connection = server.accept().await;
    let request = connection.expect_call("write").await;
    connection.answer(&request, "again").await;

    assert_eq!(second.await.unwrap().unwrap(), "\"again\"");
    assert_eq!(server.opens(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_server_that_is_down_does_not_hold_up_another() {
    let ([_down, mut up], pool) = pool_of();

    let stuck = call(&pool, "fake0", "read");
    let fine = call(&pool, "fake1", "read");
    let mut connection = up.accept().await;
    let request = connection.expect_call("read").await;
    connection.answer(&request, "fine").await;

    assert_eq!(fine.await.unwrap().unwrap(), "\"fine\"");
    let Err(CallError::NotSent(failure)) = stuck.await.unwrap() else { panic!() };
    assert_eq!(failure.cause, Cause::ConnectFailed);
}

#[tokio::test(start_paused = true)]
async fn calls_with_other_credentials_have_a_session_of_their_own() {
    let ([mut server], pool) = pool_of();
    let bearer = |token| AuthRecord::none().with_bearer(token).unwrap();

    let calls = ["alice", "bob", "alice"].map(|who| call_as(&pool, "fake0", bearer(who), "read"));
    let mut alice = server.accept().await;
    let mut bob = server.accept().await;
    for (connection, answers) in [(&mut alice, 2), (&mut bob, 1)] {
        for _ in 0..answers {
            let request = connection.expect_call("read").await;
            connection.answer(&request, "x").await;
        }
    }

    for answer in join_all(calls).await {
        answer.unwrap().unwrap();
    }
    assert_eq!(server.opens(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_connection_is_refused_and_the_known_ones_are_named() {
    let ([_server], pool) = pool_of();

    let answer = call(&pool, "fake7", "read").await.unwrap();

    let Err(CallError::Refused(refusal)) = answer else { panic!("{answer:?}") };
    assert_eq!(refusal.reason, RefusalReason::UnknownConnection);
    assert!(refusal.detail.contains("fake0"), "{}", refusal.detail);
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_known_to_be_unusable_says_why() {
    let pool = SessionPool::with_unusable([(
        ConnectionId::from("broken"),
        Err("the variable TOKEN is not set".to_owned()),
    )]);

    let answer = call(&pool, "broken", "read").await.unwrap();

    let Err(CallError::NotSent(failure)) = answer else { panic!("{answer:?}") };
    assert_eq!(failure.cause, Cause::ConnectFailed);
    assert!(failure.detail.contains("TOKEN"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn closing_closes_all_sessions_at_the_same_time() {
    let ([mut one, mut two], pool) = pool_of();
    let calls = [call(&pool, "fake0", "write"), call(&pool, "fake1", "write")];
    let mut stuck = [one.accept().await, two.accept().await];
    for connection in &mut stuck {
        connection.expect_call("write").await;
    }
    let before = tokio::time::Instant::now();

    pool.close().await;

    // Both servers use up the drain time of 5 s; one after the other they would take twice as long.
    assert!(before.elapsed().as_secs() < 8, "{:?}", before.elapsed());
    for answer in join_all(calls).await {
        assert!(matches!(answer.unwrap(), Err(CallError::OutcomeUnknown(_))));
    }
    let late = call(&pool, "fake0", "read").await.unwrap();
    assert!(matches!(late, Err(CallError::NotSent(_))), "{late:?}");
    assert_eq!((one.opens(), two.opens()), (1, 1));
}
