//! When a connection is opened again, and what calls hear until then.

use std::time::Duration;

use callgate::{Cause, ConnectionId, SessionPool};
use futures::future::join_all;
use tokio::time::Instant;

use super::*;

/// Makes an attempt to open fail.
async fn fail_to_open(server: &mut FakeServer, pool: &SessionPool) {
    let answer = call(pool, "read");
    server.refuse().await;
    assert_eq!(not_sent(answer).await.cause, Cause::ConnectFailed);
}

#[tokio::test(start_paused = true)]
async fn a_call_after_a_failed_attempt_waits_for_the_next_one() {
    let (mut server, pool) = pool();
    fail_to_open(&mut server, &pool).await;
    let before = Instant::now();

    let answer = call(&pool, "read");
    let mut connection = server.accept().await;
    serve(&mut connection, "read").await;

    assert_eq!(answer.await.unwrap().unwrap(), "\"done\"");
    assert_eq!(before.elapsed().as_secs(), FIRST_DELAY.as_secs());
    assert_eq!(server.opens(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_deadline_comes_first_fails_at_once_and_says_when_to_come_back() {
    let (mut server, pool) =
        pool_with(|connection| connection.options.limits.call_timeout = FIRST_DELAY / 2);
    fail_to_open(&mut server, &pool).await;
    let before = Instant::now();

    let failure = not_sent(call(&pool, "read")).await;

    assert_eq!(before.elapsed(), Duration::ZERO);
    assert_eq!(failure.cause, Cause::ConnectFailed);
    for word in ["handshake failed", "next attempt in 1.0s"] {
        assert!(failure.detail.contains(word), "{failure}");
    }
    assert_eq!(server.opens(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_has_waited_for_one_attempt_takes_its_outcome() {
    let (mut server, pool) = pool();
    fail_to_open(&mut server, &pool).await;

    let answers: Vec<_> = (0..10).map(|_| call(&pool, "read")).collect();
    server.refuse().await;

    for answer in answers {
        assert_eq!(not_sent(answer).await.cause, Cause::ConnectFailed);
    }
    assert_eq!(server.opens(), 2);
}

#[tokio::test(start_paused = true)]
async fn each_failed_attempt_doubles_the_delay_and_a_success_resets_it() {
    let (mut server, pool) = pool();
    fail_to_open(&mut server, &pool).await;
    fail_to_open(&mut server, &pool).await;
    let before = Instant::now();
    crash(&mut server, &pool, SHORT_LIFE).await;
    assert_eq!((before.elapsed() - SHORT_LIFE).as_secs(), 2 * FIRST_DELAY.as_secs());

    fail_to_open(&mut server, &pool).await;
    let before = Instant::now();
    let answer = call(&pool, "read");
    serve(&mut server.accept().await, "read").await;

    answer.await.unwrap().unwrap();
    assert_eq!(before.elapsed().as_secs(), FIRST_DELAY.as_secs());
}

#[tokio::test(start_paused = true)]
async fn an_open_circuit_fails_calls_at_once_and_half_opens_for_exactly_one_attempt() {
    let (mut server, pool) = pool();
    for _ in 0..CIRCUIT_FAILURES {
        fail_to_open(&mut server, &pool).await;
    }
    let before = Instant::now();
    let failure = not_sent(call(&pool, "read")).await;
    assert_eq!(before.elapsed(), Duration::ZERO);
    assert!(failure.detail.contains("calls fail at once"), "{failure}");

    tokio::time::advance(FIRST_DELAY * 4).await;
    let probing: Vec<_> = (0..10).map(|_| call(&pool, "read")).collect();
    server.refuse().await;
    for answer in join_all(probing).await {
        assert!(matches!(answer.unwrap(), Err(CallError::NotSent(_))));
    }
    assert_eq!(server.opens(), CIRCUIT_FAILURES as usize + 1);
    assert!(not_sent(call(&pool, "read")).await.detail.contains("calls fail at once"));

    tokio::time::advance(FIRST_DELAY * 8).await;
    let probing: Vec<_> = (0..10).map(|_| call(&pool, "read")).collect();
    let mut connection = server.accept().await;
    for _ in 0..10 {
        serve(&mut connection, "read").await;
    }
    for answer in join_all(probing).await {
        answer.unwrap().unwrap();
    }
    assert_eq!(server.opens(), CIRCUIT_FAILURES as usize + 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_down_holds_up_no_call_of_another() {
    let (mut down, first) = connection(|_as_it_is| {});
    let (mut up, second) = connection(|_as_it_is| {});
    let pool = SessionPool::new([
        (ConnectionId::from("fake"), first),
        (ConnectionId::from("other"), second),
    ]);
    fail_to_open(&mut down, &pool).await;
    let before = Instant::now();

    let waiting = call(&pool, "read");
    let fine = call_of(&pool, "other", "read");
    serve(&mut up.accept().await, "read").await;

    fine.await.unwrap().unwrap();
    assert_eq!(before.elapsed(), Duration::ZERO);
    assert!(!waiting.is_finished());
}

#[tokio::test(start_paused = true)]
async fn a_session_that_dies_is_replaced_at_once_and_a_crash_loop_backs_off() {
    let (mut server, pool) = pool();
    crash(&mut server, &pool, Duration::ZERO).await;
    let before = Instant::now();
    crash(&mut server, &pool, Duration::ZERO).await;
    assert_eq!(before.elapsed(), Duration::ZERO);

    crash(&mut server, &pool, Duration::ZERO).await;
    assert_eq!(before.elapsed().as_secs(), FIRST_DELAY.as_secs());
    crash(&mut server, &pool, SHORT_LIFE).await;
    let after_a_long_life = Instant::now();
    crash(&mut server, &pool, Duration::ZERO).await;

    assert_eq!(after_a_long_life.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn closing_the_pool_answers_calls_that_wait_for_an_attempt() {
    let (mut server, pool) = pool();
    fail_to_open(&mut server, &pool).await;
    let before = Instant::now();
    let waiting = call(&pool, "read");
    tokio::task::yield_now().await;

    pool.close().await;

    assert_eq!(not_sent(waiting).await.cause, Cause::SessionStopped);
    assert_eq!(before.elapsed(), Duration::ZERO);
    assert_eq!(server.opens(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_not_allowed_opens_nothing() {
    let (server, pool) = pool_with(|connection| {
        connection.options.tools = callgate::AllowedTools::all().except(["read".to_owned()]);
    });

    let answer = call(&pool, "read").await.unwrap();

    assert!(matches!(answer, Err(CallError::Refused(_))), "{answer:?}");
    assert_eq!(server.opens(), 0);
}
