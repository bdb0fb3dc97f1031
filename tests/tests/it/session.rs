//! The contract of the session owner, line by line, against a fake server on an in-memory pipe. Time is paused.

mod crowds;
mod ending;
mod era;
mod progress;
mod queue;
mod steps;

use std::time::Duration;

use callgate::{
    AuthRecord, CallError, Cause, ConnectionId, Json, Ordering, Outcome, Session, SessionOptions,
};
use callgate_tests::fake::{FakeConnection, FakeServer};
use futures::FutureExt;
use tokio::{task::JoinHandle, time::Instant};

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

fn call(session: &Session, tool: &'static str) -> JoinHandle<Result<String, CallError>> {
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
        for method in ["server/discover", "initialize"] {
            let request = connection.expect(method).await;
            connection.reject_id(&request["id"], -32000, "no vacancies").await;
        }
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

    let opening = Session::open(ConnectionId::from("fake"), AuthRecord::none(), connector, options);
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
