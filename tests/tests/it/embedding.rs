//! The library as another program uses it: one engine and pool for many runs, events, and the end of a run from outside.

mod sharing;

use callgate::{
    Ending, Event, Events, Grants, Json, Run, RunEnding, RunLimits, RunOutcome, SessionPool,
    Stopped,
};
use callgate_tests::{
    fake::{FakeConnection, FakeServer},
    guests,
};
use futures::StreamExt;
use serde_json::{Value, json};

use crate::run::{input, limits, workflow};

fn calls(count: usize, at_once: bool) -> Value {
    json!({"connection": "fake", "tool": "read", "arguments": {}, "count": count, "at_once": at_once})
}

async fn answer(server: &mut FakeConnection, count: usize) {
    for _ in 0..count {
        let call = server.expect_call("read").await;
        server.answer(&call, "x").await;
    }
}

/// What an event says, without the time.
fn said(event: &Event) -> String {
    match event {
        Event::Issued { sequence, connection, tool } => {
            format!("issued {sequence} {connection}.{tool}")
        }
        Event::Finished { sequence, outcome, .. } => format!("finished {sequence} {outcome:?}"),
        Event::Ended(ending) => format!("ended {ending:?}"),
        other => format!("{other:?}"),
    }
}

async fn rest(events: Events) -> Vec<String> {
    events.into_stream().map(|event| said(&event)).collect().await
}

#[tokio::test(flavor = "multi_thread")]
async fn events_tell_of_each_call_and_of_the_end() {
    let (mut server, pool) = FakeServer::pooled();
    let mut run = Run::new(&workflow(guests::MANY_CALLS).await, &pool).grants(Grants::all());
    let (events, others) = (run.events(), run.events());

    let (report, ()) = tokio::join!(run.start(input(&calls(2, false))), async {
        answer(&mut server.accept().await, 2).await;
    });

    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
    let expected = [
        "issued 1 fake.read",
        "finished 1 Ok",
        "issued 2 fake.read",
        "finished 2 Ok",
        "ended Done",
    ];
    assert_eq!(rest(events).await, expected);
    assert_eq!(rest(others).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_is_late_learns_what_it_missed_and_holds_up_nobody() {
    let (mut server, pool) = FakeServer::pooled();
    let few = limits(|limits| limits.max_unread_events = 4);
    let mut run =
        Run::new(&workflow(guests::MANY_CALLS).await, &pool).grants(Grants::all()).limits(few);
    let events = run.events();

    let (report, ()) = tokio::join!(run.start(input(&calls(10, false))), async {
        answer(&mut server.accept().await, 10).await;
    });

    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
    let told = rest(events).await;
    // Ten times issued and finished, and the end: 21, of which the last four are left.
    assert_eq!(
        told,
        ["Missed(17)", "finished 9 Ok", "issued 10 fake.read", "finished 10 Ok", "ended Done"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_nobody_awaits_any_more_ends_its_events_without_an_end() {
    let (mut server, pool) = FakeServer::pooled();
    let mut run = Run::new(&workflow(guests::ONE_CALL).await, &pool).grants(Grants::all());
    let mut events = run.events();

    {
        let running = std::pin::pin!(run.start(input(&calls(1, false))));
        tokio::select! {
            report = running => panic!("{report:?}"),
            () = async { server.accept().await.expect_call("read").await; } => {}
        }
    }

    assert_eq!(said(&events.next().await.unwrap()), "issued 1 fake.read");
    assert_eq!(said(&events.next().await.unwrap()), "finished 1 Cancelled");
    assert_eq!(events.next().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_session_is_an_event() {
    let (mut server, pool) = FakeServer::pooled();
    let mut run = Run::new(&workflow(guests::MANY_CALLS).await, &pool).grants(Grants::all());
    let events = run.events();

    let (report, ()) = tokio::join!(run.start(input(&calls(2, false))), async {
        let mut first = server.accept().await;
        answer(&mut first, 1).await;
        drop(first);
        answer(&mut server.accept().await, 1).await;
    });

    assert_eq!(report.session_losses.len(), 1, "{report:?}");
    let told = rest(events).await;
    let losses = told.iter().filter(|event| event.starts_with("SessionLost")).count();
    assert_eq!(losses, 1, "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_cancelled_from_outside_and_its_calls_with_it() {
    let (mut server, pool) = FakeServer::pooled();
    let mut run = Run::new(&workflow(guests::ONE_CALL).await, &pool).grants(Grants::all());
    let (canceller, events) = (run.canceller(), run.events());
    let given = json!({"connection": "fake", "tool": "write", "arguments": {}});

    let (report, ()) = tokio::join!(run.start(input(&given)), async {
        let mut server = server.accept().await;
        let call = server.expect_call("write").await;
        canceller.cancel();
        server.expect_cancelled(&call).await;
    });

    assert_eq!(report.outcome, RunOutcome::Stopped(Stopped::Cancelled));
    assert_eq!(report.calls[0].outcome, Ending::Cancelled);
    assert_eq!(rest(events).await.last().unwrap(), &format!("ended {:?}", RunEnding::Stopped));
}

/// On one thread: the guest has to give way for the canceller to have its turn.
#[tokio::test]
async fn a_guest_that_never_waits_can_be_cancelled() {
    let pool = SessionPool::new([]);
    let run = Run::new(&workflow(guests::SPIN).await, &pool);
    let canceller = run.canceller();

    let (report, ()) = tokio::join!(run.start(Json::null()), async {
        tokio::task::yield_now().await;
        canceller.cancel();
    });

    assert_eq!(report.outcome, RunOutcome::Stopped(Stopped::Cancelled));
    assert!(report.cpu_time < RunLimits::default().cpu_time, "{report:?}");
}

#[tokio::test]
async fn a_run_that_is_cancelled_before_its_start_does_nothing() {
    let pool = SessionPool::new([]);
    let run = Run::new(&workflow(guests::SPIN).await, &pool);
    run.canceller().cancel();

    let report = run.start(Json::null()).await;

    assert_eq!(report.outcome, RunOutcome::Stopped(Stopped::Cancelled));
    assert_eq!(report.peak_memory_bytes, 0);
}
