//! Many callers at once: the queue bounds memory, not truth. Each gets one answer, and it is the true one.

use callgate::{CallError, Cause, Ordering};
use futures::future::join_all;
use serde_json::Value;

use super::{call, open, open_with, settle};

const CALLS: usize = 10_000;
const IN_FLIGHT: usize = 64;

#[tokio::test(start_paused = true)]
async fn ten_thousand_calls_at_once_are_all_answered() {
    let (session, mut server) = open(Ordering::Parallel).await;
    let calls: Vec<_> = (0..CALLS).map(|_| call(&session, "read")).collect();

    for _ in 0..CALLS {
        let request = server.expect_call("read").await;
        server.answer(&request, "done").await;
    }

    for answer in join_all(calls).await {
        assert_eq!(answer.unwrap().unwrap(), r#""done""#);
    }
}

#[tokio::test(start_paused = true)]
async fn of_ten_thousand_calls_those_that_were_sent_are_unknown_when_the_server_dies() {
    let (session, mut server) = open_with(|options| {
        options.ordering = Ordering::Parallel;
        options.limits.max_in_flight = IN_FLIGHT;
    })
    .await;
    let calls: Vec<_> = (0..CALLS).map(|_| call(&session, "read")).collect();
    for _ in 0..IN_FLIGHT {
        server.expect_call("read").await;
    }

    drop(server);

    let (mut unknown, mut not_sent) = (0, 0);
    for answer in join_all(calls).await {
        match answer.unwrap() {
            Err(CallError::OutcomeUnknown(failure)) => {
                assert_eq!(failure.cause, Cause::SessionStopped);
                unknown += 1;
            }
            Err(CallError::NotSent(failure)) => {
                assert_eq!(failure.cause, Cause::SessionStopped);
                not_sent += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((unknown, not_sent), (IN_FLIGHT, CALLS - IN_FLIGHT));
}

#[tokio::test(start_paused = true)]
async fn a_storm_of_callers_that_leave_is_told_and_the_session_lives_on() {
    let (session, mut server) = open(Ordering::Parallel).await;
    let mut told = 0;
    for _storm in 0..20 {
        let calls: Vec<_> = (0..IN_FLIGHT).map(|_| call(&session, "read")).collect();
        let mut sent: Vec<Value> = Vec::new();
        for _ in 0..IN_FLIGHT {
            sent.push(server.expect_call("read").await.id);
        }

        calls.iter().for_each(tokio::task::JoinHandle::abort);
        settle().await;

        for _ in 0..IN_FLIGHT {
            let id = server.next_cancelled().await;
            assert!(sent.contains(&id), "{id} was not sent");
            told += 1;
        }
    }

    assert_eq!(told, 20 * IN_FLIGHT);
    let last = call(&session, "read");
    let request = server.expect_call("read").await;
    server.answer(&request, "fine").await;
    assert_eq!(last.await.unwrap().unwrap(), r#""fine""#);
}
