//! Calls that take long: progress keeps them waiting, silence ends them, and nothing extends the hard maximum.

use std::time::Duration;

use callgate::{CallError, Cause, Ordering};
use callgate_tests::fake::{Call, FakeConnection};
use serde_json::json;
use tokio::time::{Instant, advance};

use super::{call, open_with, settle};

const IDLE: Duration = Duration::from_secs(10);
const TOTAL: Duration = Duration::from_secs(35);

async fn tell_progress(server: &mut FakeConnection, call: &Call, step: u32) {
    let token = &call.params["_meta"]["progressToken"];
    server
        .write(&json!({"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": token, "progress": step}}))
        .await;
    settle().await;
}

#[tokio::test(start_paused = true)]
async fn a_silent_call_ends_after_the_idle_timeout_and_names_it() {
    let (session, mut server) = open_with(|options| options.limits.idle_timeout = IDLE).await;
    let before = Instant::now();
    let answer = call(&session, "read");
    let request = server.expect_call("read").await;

    let Err(CallError::OutcomeUnknown(failure)) = answer.await.unwrap() else { panic!() };

    assert_eq!(failure.cause, Cause::Timeout);
    assert!(failure.detail.contains("idle_timeout"), "{failure}");
    assert!((IDLE..IDLE + Duration::from_secs(1)).contains(&before.elapsed()));
    server.expect_cancelled(&request).await;
}

#[tokio::test(start_paused = true)]
async fn progress_keeps_a_call_waiting_but_never_beyond_the_hard_maximum() {
    let (session, mut server) = open_with(|options| {
        options.limits.idle_timeout = IDLE;
        options.limits.call_timeout = TOTAL;
    })
    .await;
    let before = Instant::now();
    let answer = call(&session, "read");
    let request = server.expect_call("read").await;

    for step in 1..=4 {
        advance(Duration::from_secs(8)).await;
        assert!(!answer.is_finished(), "after {:?}", before.elapsed());
        tell_progress(&mut server, &request, step).await;
    }
    let Err(CallError::OutcomeUnknown(failure)) = answer.await.unwrap() else { panic!() };

    assert_eq!(failure.cause, Cause::Timeout);
    assert!((TOTAL..TOTAL + Duration::from_secs(1)).contains(&before.elapsed()));
}

#[tokio::test(start_paused = true)]
async fn progress_of_another_call_keeps_nobody_waiting() {
    let (session, mut server) = open_with(|options| {
        options.limits.idle_timeout = IDLE;
        options.ordering = Ordering::Parallel;
    })
    .await;
    let silent = call(&session, "read");
    server.expect_call("read").await;
    let busy = call(&session, "look");
    let request = server.expect_call("look").await;

    advance(Duration::from_secs(8)).await;
    tell_progress(&mut server, &request, 1).await;
    advance(Duration::from_secs(4)).await;
    settle().await;

    assert!(silent.is_finished());
    assert!(!busy.is_finished());
    server.next_cancelled().await;
    server.answer(&request, "done").await;
    busy.await.unwrap().unwrap();
}
