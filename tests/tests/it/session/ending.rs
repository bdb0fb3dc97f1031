//! How a session ends, and what its callers are told then.

#[cfg(unix)]
use std::collections::BTreeMap;
use std::time::Duration;

use callgate::{
    AuthRecord, CallError, Cause, ConnectionId, Connector, Exit, Ordering, Session, SessionOptions,
    StdioServer,
};
use futures::future::join_all;
use tokio::time::Instant;

use super::{call, open, settle};

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
    let Err(CallError::NotSent(failure)) = late else { panic!("{late:?}") };
    assert_eq!(failure.cause, Cause::SessionStopped);
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

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_ends_before_it_is_spoken_to_is_told_of_with_its_last_words() {
    let server = StdioServer {
        command: "/bin/sh".into(),
        args: vec!["-c".into(), "exec <&-; echo no licence >&2; sleep 0.2; exit 3".into()],
        env: BTreeMap::from([("PATH".into(), std::env::var_os("PATH").unwrap())]),
        cwd: None,
    };
    let mut options = SessionOptions::default();
    options.limits.exit_drain = Duration::from_secs(1);
    let (id, connector) = (ConnectionId::from("sick"), Connector::stdio(server));

    let failure = Session::open(id, AuthRecord::none(), connector, options).await.unwrap_err();

    assert_eq!(failure.cause, Cause::ConnectFailed);
    for word in ["no licence", "exit status: 3"] {
        assert!(failure.detail.contains(word), "{failure}");
    }
    assert!(!failure.detail.contains("FramedTransport"), "{failure}");
}
