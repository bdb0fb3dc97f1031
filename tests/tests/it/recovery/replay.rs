//! Which calls are made once more, and what is said when that doesn't help.

use callgate::{Ordering, Replay};
use serde_json::json;
use tokio::time::Instant;

use super::*;

fn pool_that_replays(replay: Replay) -> (FakeServer, SessionPool) {
    pool_with(|connection| connection.recovery.replay = replay)
}

/// Makes a call that the server gets and dies of.
async fn send_and_die(server: &mut FakeServer, pool: &SessionPool, tool: &'static str) -> Answer {
    let answer = call(pool, tool);
    server.accept().await.expect_call(tool).await;
    answer
}

/// The call comes a second time, as it was.
async fn expect_again(server: &mut FakeServer, tool: &str, answer: Answer) {
    let mut connection = server.accept().await;
    let request = connection.expect_call(tool).await;
    assert_eq!(request.arguments, json!({"n": 1}));
    connection.answer(&request, "again").await;
    assert_eq!(answer.await.unwrap().unwrap(), "\"again\"");
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_tool_that_is_read_only_or_idempotent_is_made_once_more() {
    for tool in ["read", "put"] {
        let (mut server, pool) = pool_that_replays(Replay::Annotated);

        let answer = send_and_die(&mut server, &pool, tool).await;

        expect_again(&mut server, tool, answer).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_of_any_other_tool_is_never_sent_twice() {
    let (mut server, pool) = pool_that_replays(Replay::Annotated);

    let answer = send_and_die(&mut server, &pool, "write").await;

    assert_eq!(outcome_unknown(answer).await.cause, Cause::SessionStopped);
    assert_eq!(server.opens(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_tool_that_the_server_did_not_list_is_never_sent_twice() {
    let (mut server, pool) = pool_that_replays(Replay::Annotated);

    let answer = send_and_die(&mut server, &pool, "hidden").await;

    outcome_unknown(answer).await;
    assert_eq!(server.opens(), 1);
}

#[tokio::test(start_paused = true)]
async fn never_means_that_no_call_is_sent_twice() {
    let (mut server, pool) = pool_that_replays(Replay::Never);

    let answer = send_and_die(&mut server, &pool, "read").await;

    outcome_unknown(answer).await;
    assert_eq!(server.opens(), 1);
}

#[tokio::test(start_paused = true)]
async fn always_means_any_tool() {
    let (mut server, pool) = pool_that_replays(Replay::Always);

    let answer = send_and_die(&mut server, &pool, "write").await;

    expect_again(&mut server, "write", answer).await;
}

#[tokio::test(start_paused = true)]
async fn no_call_is_made_a_third_time() {
    let (mut server, pool) = pool_that_replays(Replay::Always);

    let answer = send_and_die(&mut server, &pool, "read").await;
    server.accept().await.expect_call("read").await;

    let failure = outcome_unknown(answer).await;
    assert!(failure.detail.contains("made once more: outcome unknown"), "{failure}");
    assert_eq!(server.opens(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_not_sent_is_made_once_more_whatever_the_setting() {
    let (mut server, pool) = pool_with(|connection| {
        connection.recovery.replay = Replay::Never;
        connection.options.ordering = Ordering::Serial;
    });
    let running = call(&pool, "write");
    let mut connection = server.accept().await;
    connection.expect_call("write").await;
    let queued = call(&pool, "write");
    tokio::task::yield_now().await;

    drop(connection);

    outcome_unknown(running).await;
    expect_again(&mut server, "write", queued).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_not_sent_twice_fails() {
    let (mut server, pool) = pool_with(|connection| {
        connection.options.ordering = Ordering::Serial;
    });
    let first = call(&pool, "write");
    let mut connection = server.accept().await;
    connection.expect_call("write").await;
    let [second, third] = [call(&pool, "write"), call(&pool, "write")];
    tokio::task::yield_now().await;
    drop(connection);
    outcome_unknown(first).await;

    // One of the two is written, and the other one waits behind it for the second time.
    server.accept().await.expect_call("write").await;

    outcome_unknown(second).await;
    not_sent(third).await;
    assert_eq!(server.opens(), 2);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_call_survives_the_restart_of_its_server_over_http() {
    use callgate::{Connector, HttpServer};
    use callgate_tests::hostile_http::{Server, find};

    let server = Server::bind(find("session-restart").unwrap()).unwrap();
    let url = server.url().unwrap().parse().unwrap();
    std::thread::spawn(move || server.serve());
    let (_unused, pool) =
        pool_with(|connection| connection.connector = Connector::http(HttpServer { url }));

    // Its answer breaks off, then its session is not known any more, then it works.
    let answer = call(&pool, "echo").await.unwrap();

    assert_eq!(answer.unwrap(), r#"{"n":1}"#);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_is_no_reason_to_send_a_call_twice() {
    let (mut server, pool) = pool_that_replays(Replay::Always);
    let answer = call(&pool, "read");
    let mut connection = server.accept().await;
    let request = connection.expect_call("read").await;

    assert_eq!(outcome_unknown(answer).await.cause, Cause::Timeout);

    connection.expect_cancelled(&request).await;
    drop(pool);
    connection.expect_hang_up().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_no_result_is_no_reason_to_send_a_call_twice() {
    let (mut server, pool) = pool_that_replays(Replay::Always);
    let answer = call(&pool, "read");
    let mut connection = server.accept().await;
    let request = connection.expect_call("read").await;
    connection.answer_id(&request.id, json!(5)).await;

    assert_eq!(outcome_unknown(answer).await.cause, Cause::ProtocolViolation);

    drop(pool);
    connection.expect_hang_up().await;
}

#[tokio::test(start_paused = true)]
async fn closing_the_pool_is_no_reason_to_send_a_call_twice() {
    let (mut server, pool) = pool_that_replays(Replay::Always);
    let answer = call(&pool, "read");
    let mut connection = server.accept().await;
    connection.expect_call("read").await;

    pool.close().await;

    let failure = outcome_unknown(answer).await;
    assert!(!failure.detail.contains("once more"), "{failure}");
    assert_eq!(server.opens(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_takes_the_second_attempt_with_it() {
    let (mut server, pool) = pool_that_replays(Replay::Always);
    let answer = send_and_die(&mut server, &pool, "read").await;
    let mut connection = server.accept().await;
    let request = connection.expect_call("read").await;

    answer.abort();

    connection.expect_cancelled(&request).await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_outcome_stays_unknown_when_the_second_attempt_is_not_sent() {
    let (mut server, pool) = pool_that_replays(Replay::Annotated);

    let answer = send_and_die(&mut server, &pool, "read").await;
    server.refuse().await;

    let failure = outcome_unknown(answer).await;
    assert_eq!(failure.cause, Cause::SessionStopped);
    for word in ["the server closed its output", "made once more: not sent"] {
        assert!(failure.detail.contains(word), "{failure}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_outcome_stays_unknown_when_the_second_attempt_is_rejected() {
    let (mut server, pool) = pool_that_replays(Replay::Annotated);

    let answer = send_and_die(&mut server, &pool, "read").await;
    let mut connection = server.accept().await;
    let request = connection.expect_call("read").await;
    connection.reject(&request, -32602, "not again").await;

    let failure = outcome_unknown(answer).await;
    assert!(failure.detail.contains("not again"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn both_attempts_share_one_deadline() {
    let limit = Duration::from_secs(3);
    let (mut server, pool) = pool_with(|connection| connection.options.limits.call_timeout = limit);
    let before = Instant::now();
    let answer = call(&pool, "read");
    let mut connection = server.accept().await;
    connection.expect_call("read").await;
    tokio::time::advance(limit * 2 / 3).await;
    drop(connection);
    let mut connection = server.accept().await;
    connection.expect_call("read").await;

    outcome_unknown(answer).await;

    assert_eq!(before.elapsed().as_secs(), limit.as_secs());
}
