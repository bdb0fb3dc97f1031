//! Which era a session speaks, and how that is found out.

use std::time::Duration;

use callgate::{
    AuthRecord, Cause, ConnectionId, Connector, EraPolicy, Failure, Session, SessionOptions,
};
use callgate_tests::fake::{FakeConnection, FakeServer};
use tokio::{task::JoinHandle, time::Instant};

use super::{call, settle};

const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

fn open(connector: &Connector, era: EraPolicy) -> JoinHandle<Result<Session, Failure>> {
    let mut options = SessionOptions::default();
    options.era = era;
    options.limits.probe_timeout = PROBE_TIMEOUT;
    let (id, auth) = (ConnectionId::from("fake"), AuthRecord::none());
    tokio::spawn(Session::open(id, auth, connector.clone(), options))
}

async fn works(session: &Session, server: &mut FakeConnection) {
    let answer = call(session, "read");
    let request = server.expect_call("read").await;
    server.answer(&request, "fine").await;
    assert_eq!(answer.await.unwrap().unwrap(), r#""fine""#);
}

#[tokio::test(start_paused = true)]
async fn a_server_of_the_newer_era_is_spoken_to_without_a_handshake() {
    let (mut server, connector) = FakeServer::new();

    let opening = open(&connector, EraPolicy::Auto);
    let mut connection = server.accept_stateless().await;
    let session = opening.await.unwrap().unwrap();

    let answer = call(&session, "read");
    let request = connection.expect_call("read").await;
    let meta = &request.params["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    connection.answer(&request, "fine").await;
    answer.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_was_found_out_is_remembered_for_the_next_session() {
    let (mut server, connector) = FakeServer::new();
    let opening = open(&connector, EraPolicy::Auto);
    let _first = server.accept().await;
    opening.await.unwrap().unwrap();

    let again = open(&connector, EraPolicy::Auto);
    let mut connection = server.accept_raw().await;

    connection.expect("initialize").await;
    drop(connection);
    again.await.unwrap().unwrap_err();
    // It may be another server by now.
    let _anew = open(&connector, EraPolicy::Auto);
    server.accept_raw().await.expect("server/discover").await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_up_at_the_question_is_reached_at_the_second_attempt() {
    let (mut server, connector) = FakeServer::new();
    let opening = open(&connector, EraPolicy::Auto);

    let mut asked = server.accept_raw().await;
    asked.expect("server/discover").await;
    drop(asked);
    let mut connection = server.accept().await;

    works(&opening.await.unwrap().unwrap(), &mut connection).await;
    assert_eq!(server.opens(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_silent_at_the_question_is_reached_after_the_probe_timeout() {
    let (mut server, connector) = FakeServer::new();
    let before = Instant::now();
    let opening = open(&connector, EraPolicy::Auto);

    let mut silent = server.accept_raw().await;
    silent.expect("server/discover").await;
    let mut connection = server.accept().await;

    let session = opening.await.unwrap().unwrap();
    assert!((PROBE_TIMEOUT..PROBE_TIMEOUT * 2).contains(&before.elapsed()));
    silent.expect_hang_up().await;
    works(&session, &mut connection).await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_fails_in_both_ways_is_told_of_with_both() {
    let (mut server, connector) = FakeServer::new();
    let opening = open(&connector, EraPolicy::Auto);

    let mut asked = server.accept_raw().await;
    let discover = asked.expect("server/discover").await;
    asked.answer_id(&discover["id"], serde_json::json!({"hello": 1})).await;
    server.refuse().await;

    let failure = opening.await.unwrap().unwrap_err();
    assert_eq!(failure.cause, Cause::ConnectFailed);
    assert!(failure.detail.contains("asked the newer way before"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn a_policy_leaves_the_question_out() {
    let (mut server, connector) = FakeServer::new();

    let opening = open(&connector, EraPolicy::Legacy);
    let mut connection = server.accept_raw().await;
    connection.expect("initialize").await;
    settle().await;
    assert!(!opening.is_finished());
    drop(connection);
    opening.await.unwrap().unwrap_err();
    assert_eq!(server.opens(), 1);

    let opening = open(&connector, EraPolicy::Stateless);
    let mut connection = server.accept_raw().await;
    let discover = connection.expect("server/discover").await;
    connection.reject_id(&discover["id"], -32601, "method not found").await;
    opening.await.unwrap().unwrap_err();
    assert_eq!(server.opens(), 2);
}
