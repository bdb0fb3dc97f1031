//! The contract of the session owner, line by line, against a fake server on an in-memory pipe. Time is paused.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use callgate::{
    AuthRecord, CallError, Cause, ConnectionId, Exit, Json, Ordering, Outcome, Session,
    SessionOptions,
};
use callgate_tests::fake::{FakeConnection, FakeServer};
use futures::{FutureExt, future::join_all, poll};
use tokio::time::Instant;

async fn open(ordering: Ordering) -> (Session, FakeConnection) {
    open_with(|options| options.ordering = ordering).await
}

async fn open_with(change: impl FnOnce(&mut SessionOptions)) -> (Session, FakeConnection) {
    let (mut server, connector) = FakeServer::new();
    let mut options = SessionOptions::default();
    change(&mut options);
    let opening = Session::open(ConnectionId::from("fake"), AuthRecord::none(), connector, options);
    let (session, connection) = tokio::join!(opening, server.accept());
    (session.unwrap(), connection)
}

fn call(session: &Session, tool: &'static str) -> tokio::task::JoinHandle<Result<String, CallError>> {
    let session = session.clone();
    tokio::spawn(async move {
        let arguments = Json::from_text("{}".to_owned()).unwrap();
        session.call_tool(tool, arguments).await.map(|result| result.output.into_text())
    })
}

/// Lets every task run until all of them wait.
async fn settle() {
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_answered_in_the_canonical_form() {
    let (session, mut server) = open(Ordering::Serial).await;

    let answer = {
        let session = session.clone();
        tokio::spawn(async move {
            session.call_tool("read", Json::from_text(r#"{"n":1.50e300}"#.into()).unwrap()).await
        })
    };
    let request = server.expect_call("read").await;
    server.answer(&request, r#"{"a":1}"#).await;

    let result = answer.await.unwrap().unwrap();
    assert_eq!(request.arguments["n"], 1.5e300);
    assert_eq!((result.outcome, result.output.as_str()), (Outcome::Ok, r#"{"a":1}"#));
    assert_eq!(result.content, []);
}

#[tokio::test(start_paused = true)]
async fn an_operation_runs_its_callable_whatever_its_label_says() {
    let (session, mut server) = open(Ordering::Serial).await;

    let labelled = {
        let session = session.clone();
        tokio::spawn(async move {
            session
                .submit("list_tools", |client| {
                    async { client.call_tool("write", Json::from_text("{}".into()).unwrap()).await }
                        .boxed()
                })
                .await
        })
    };
    let request = server.expect_call("write").await;
    server.answer(&request, "written").await;

    assert_eq!(labelled.await.unwrap().unwrap().output.as_str(), "\"written\"");
    assert_eq!(session.submit("no such thing", |_| async { Ok(7) }.boxed()).await, Ok(7));
}

#[tokio::test(start_paused = true)]
async fn a_failed_start_says_why_and_nothing_hangs() {
    let (mut server, connector) = FakeServer::new();
    let opening = Session::open(
        ConnectionId::from("fake"),
        AuthRecord::none(),
        connector,
        SessionOptions::default(),
    );
    let refuse = async {
        let mut connection = server.accept_raw().await;
        let initialize = connection.expect("initialize").await;
        connection
            .write(&serde_json::json!({"jsonrpc": "2.0", "id": initialize["id"],
                "error": {"code": -32000, "message": "no vacancies"}}))
            .await;
        connection
    };

    let (opened, _connection) = tokio::join!(opening, refuse);

    let failure = opened.unwrap_err();
    assert_eq!(failure.cause, Cause::ConnectFailed);
    assert!(failure.detail.contains("no vacancies"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_shakes_hands_fails_the_start_at_its_deadline() {
    let (mut server, connector) = FakeServer::new();
    let mut options = SessionOptions::default();
    options.limits.connect_timeout = Duration::from_secs(3);
    let before = Instant::now();

    let opening =
        Session::open(ConnectionId::from("fake"), AuthRecord::none(), connector, options);
    let (opened, _silent) = tokio::join!(opening, server.accept_raw());

    let failure = opened.unwrap_err();
    assert_eq!(failure.cause, Cause::ConnectFailed);
    assert!(failure.detail.contains("connect_timeout"), "{failure}");
    assert_eq!(before.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn an_error_is_its_callers_alone() {
    let (session, mut server) = open(Ordering::Serial).await;

    let (bad, good) = (call(&session, "write"), call(&session, "read"));
    let request = server.expect_call("write").await;
    server.reject(&request, -32602, "no such argument").await;
    let request = server.expect_call("read").await;
    server.answer(&request, "fine").await;

    let Err(CallError::Rejected(error)) = bad.await.unwrap() else { panic!() };
    assert_eq!((error.code, error.message.as_str()), (-32602, "no such argument"));
    assert_eq!(good.await.unwrap().unwrap(), "\"fine\"");
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_its_callers_alone() {
    let (session, mut server) = open(Ordering::Serial).await;

    let panicked = session.submit::<(), _>("boom", |_| async { panic!("boom") }.boxed()).await;
    let early = session.submit::<(), _>("boom", |_| panic!("before the future")).await;
    let after = call(&session, "read");
    let request = server.expect_call("read").await;
    server.answer(&request, "alive").await;

    for answer in [panicked, early] {
        let Err(CallError::NotSent(failure)) = answer else { panic!("{answer:?}") };
        assert_eq!(failure.cause, Cause::Internal);
    }
    assert_eq!(after.await.unwrap().unwrap(), "\"alive\"");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_connection_tells_every_caller_the_truth() {
    let (session, mut server) = open(Ordering::Serial).await;

    let (running, queued) = (call(&session, "write"), call(&session, "write"));
    server.expect_call("write").await;
    settle().await;
    let before = Instant::now();
    drop(server);

    let (running, queued) = (running.await.unwrap(), queued.await.unwrap());
    let Err(CallError::OutcomeUnknown(failure)) = running else { panic!("{running:?}") };
    assert_eq!(failure.cause, Cause::SessionStopped);
    let Err(CallError::NotSent(failure)) = queued else { panic!("{queued:?}") };
    assert_eq!(failure.cause, Cause::SessionStopped);
    let later = call(&session, "read").await.unwrap();
    assert!(matches!(later, Err(CallError::NotSent(_))), "{later:?}");
    assert!(before.elapsed() < Duration::from_millis(100));
    assert!(matches!(session.close().await, Exit::ConnectionEnded(_)));
}

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
async fn a_dropped_caller_cancels_the_call_and_the_session_lives_on() {
    let (session, mut server) = open(Ordering::Serial).await;

    let abandoned = call(&session, "write");
    let request = server.expect_call("write").await;
    abandoned.abort();
    server.expect_cancelled(&request).await;
    let next = call(&session, "read");
    let request = server.expect_call("read").await;
    server.answer(&request, "still here").await;

    assert_eq!(next.await.unwrap().unwrap(), "\"still here\"");
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
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));

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

#[tokio::test(start_paused = true)]
async fn close_drains_what_is_queued_and_is_idempotent() {
    let (session, mut server) = open(Ordering::Serial).await;
    let calls = [call(&session, "write"), call(&session, "write")];
    let first = server.expect_call("write").await;
    settle().await;

    let closing = [0, 1].map(|_| {
        let session = session.clone();
        tokio::spawn(async move { session.close().await })
    });
    settle().await;
    let late = call(&session, "read").await.unwrap();
    server.answer(&first, "1").await;
    let second = server.expect_call("write").await;
    server.answer(&second, "2").await;

    for answer in join_all(calls).await {
        answer.unwrap().unwrap();
    }
    assert!(matches!(late, Err(CallError::NotSent(_))), "{late:?}");
    for exit in join_all(closing).await {
        assert_eq!(exit.unwrap(), Exit::Closed);
    }
    server.expect_hang_up().await;
    assert_eq!(session.close().await, Exit::Closed);
}

#[tokio::test(start_paused = true)]
async fn close_gives_up_on_a_server_that_never_answers() {
    let (session, mut server) = open(Ordering::Serial).await;
    let (running, queued) = (call(&session, "write"), call(&session, "write"));
    server.expect_call("write").await;
    settle().await;
    let before = Instant::now();

    assert_eq!(session.close().await, Exit::Closed);

    assert!(before.elapsed() < Duration::from_secs(11), "{:?}", before.elapsed());
    assert!(matches!(running.await.unwrap(), Err(CallError::OutcomeUnknown(_))));
    assert!(matches!(queued.await.unwrap(), Err(CallError::NotSent(_))));
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_closes_the_session() {
    let (session, mut server) = open(Ordering::Serial).await;
    let clone = session.clone();

    drop(session);
    settle().await;
    assert!(!clone.is_closed());
    drop(clone);

    server.expect_hang_up().await;
}
