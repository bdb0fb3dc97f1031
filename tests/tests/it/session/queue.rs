//! The queue: order, overlap, deadlines, back-pressure, callers that leave.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use callgate::{CallError, Cause, Ordering};
use futures::{FutureExt, future::join_all, poll};
use tokio::time::Instant;

use super::{call, open, open_with, settle};

#[tokio::test(start_paused = true)]
async fn an_operation_whose_caller_left_the_queue_never_runs() {
    let (session, mut server) = open(Ordering::Serial).await;
    let busy = call(&session, "write");
    let request = server.expect_call("write").await;
    let ran = Arc::new(AtomicBool::new(false));

    let seen = ran.clone();
    let mut abandoned = Box::pin(session.submit("marks", move |_| {
        async move {
            seen.store(true, Relaxed);
            Ok(())
        }
        .boxed()
    }));
    assert!(poll!(&mut abandoned).is_pending());
    drop(abandoned);
    server.answer(&request, "done").await;
    busy.await.unwrap().unwrap();

    assert_eq!(session.submit("after", |_| async { Ok(1) }.boxed()).await, Ok(1));
    assert!(!ran.load(Relaxed));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_includes_the_wait_in_the_queue() {
    let (session, mut server) =
        open_with(|options| options.limits.call_timeout = Duration::from_secs(10)).await;
    let running = call(&session, "write");
    let request = server.expect_call("write").await;
    tokio::time::advance(Duration::from_secs(6)).await;
    let queued = call(&session, "write");
    settle().await;

    // The first one times out at 10 s, the second one gets its turn then, and 6 s are left to it.
    let running = running.await.unwrap();
    server.expect_cancelled(&request).await;
    server.expect_call("write").await;
    let before = Instant::now();
    let queued = queued.await.unwrap();

    let Err(CallError::OutcomeUnknown(failure)) = running else { panic!("{running:?}") };
    assert_eq!(failure.cause, Cause::Timeout);
    let Err(CallError::OutcomeUnknown(failure)) = queued else { panic!("{queued:?}") };
    assert_eq!(failure.cause, Cause::Timeout);
    assert_eq!(before.elapsed().as_secs(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_passes_in_the_queue_means_not_sent() {
    let (session, mut server) = open(Ordering::Serial).await;
    let _running = call(&session, "write");
    server.expect_call("write").await;

    let deadline = Instant::now() + Duration::from_secs(1);
    let answer = session.submit_until("late", deadline, |_| async { Ok(()) }.boxed()).await;

    let Err(CallError::NotSent(failure)) = answer else { panic!("{answer:?}") };
    assert_eq!(failure.cause, Cause::Timeout);
    assert!(failure.detail.contains("queue"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_makes_callers_wait_and_loses_nothing() {
    let (session, mut server) = open_with(|options| {
        options.limits.max_queued = 2;
        options.ordering = Ordering::Serial;
    })
    .await;

    let calls: Vec<_> = (0..20).map(|_| call(&session, "read")).collect();
    settle().await;
    for _ in 0..20 {
        let request = server.expect_call("read").await;
        server.answer(&request, "x").await;
    }

    for answer in join_all(calls).await {
        assert_eq!(answer.unwrap().unwrap(), "\"x\"");
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_passes_before_there_is_a_place_means_not_sent() {
    let (session, mut server) = open_with(|options| options.limits.max_queued = 1).await;
    let _running = call(&session, "write");
    server.expect_call("write").await;
    let _head_and_queued = [call(&session, "write"), call(&session, "write")];
    settle().await;

    let deadline = Instant::now() + Duration::from_secs(1);
    let answer = session.submit_until("late", deadline, |_| async { Ok(()) }.boxed()).await;

    let Err(CallError::NotSent(failure)) = answer else { panic!("{answer:?}") };
    assert!(failure.detail.contains("max_queued"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn serial_calls_go_one_at_a_time_in_the_order_of_submission() {
    let (session, _server) = open(Ordering::Serial).await;
    let running = Arc::new(AtomicUsize::new(0));
    let order = Arc::new(Mutex::new(Vec::new()));

    let operations = (0..10).map(|number| {
        let (running, order) = (running.clone(), order.clone());
        session.submit("counts", move |_| {
            async move {
                assert_eq!(running.fetch_add(1, Relaxed), 0);
                tokio::task::yield_now().await;
                running.fetch_sub(1, Relaxed);
                order.lock().unwrap().push(number);
                Ok(())
            }
            .boxed()
        })
    });
    for answer in join_all(operations).await {
        answer.unwrap();
    }

    assert_eq!(*order.lock().unwrap(), (0..10).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn annotated_calls_overlap_only_when_the_server_says_that_they_read() {
    let (session, mut server) = open(Ordering::Annotated).await;

    let calls: Vec<_> =
        ["read", "look", "write", "read"].map(|tool| call(&session, tool)).into_iter().collect();
    let first = server.expect_call("read").await;
    let second = server.expect_call("look").await;
    // The write waits for both, and the last read waits behind the write.
    server.answer(&second, "2").await;
    server.answer(&first, "1").await;
    let third = server.expect_call("write").await;
    server.answer(&third, "3").await;
    let fourth = server.expect_call("read").await;
    server.answer(&fourth, "4").await;

    let answers: Vec<_> =
        join_all(calls).await.into_iter().map(|answer| answer.unwrap().unwrap()).collect();
    assert_eq!(answers, ["\"1\"", "\"2\"", "\"3\"", "\"4\""]);
}

#[tokio::test(start_paused = true)]
async fn parallel_calls_overlap_up_to_the_limit() {
    let (session, mut server) = open_with(|options| {
        options.ordering = Ordering::Parallel;
        options.limits.max_in_flight = 3;
    })
    .await;

    let _calls: Vec<_> = (0..5).map(|_| call(&session, "write")).collect();
    let first = server.expect_call("write").await;
    server.expect_call("write").await;
    server.expect_call("write").await;
    assert!(server.expect_call("write").now_or_never().is_none(), "a fourth call at once");
    server.answer(&first, "done").await;
    server.expect_call("write").await;
}
