//! What a run is told of a session that was replaced under it.

use callgate::{Ending, Grants, OnSessionLoss, Run, RunOutcome, RunReport, Stopped};
use callgate_tests::guests;
use serde_json::json;

use super::*;
use crate::run::workflow;

/// A run that makes so many calls of one tool, one after the other.
async fn run(
    pool: &SessionPool,
    tool: &str,
    count: usize,
    on_loss: Option<OnSessionLoss>,
) -> RunReport {
    let run = Run::new(&workflow(guests::MANY_CALLS).await, pool).grants(Grants::all());
    let run = match on_loss {
        Some(on_loss) => run.on_session_loss(on_loss),
        None => run,
    };
    let input = json!({"connection": "fake", "tool": tool, "arguments": {}, "count": count, "at_once": false});
    run.start(Json::from_text(input.to_string()).unwrap()).await
}

/// Answers the first call and dies of the second.
async fn die_of_the_second_call(server: &mut FakeServer, tool: &str) {
    let mut connection = server.accept().await;
    serve(&mut connection, tool).await;
    connection.expect_call(tool).await;
}

fn pool_with_policy(configured: OnSessionLoss) -> (FakeServer, SessionPool) {
    pool_with(|connection| connection.recovery.on_session_loss = configured)
}

fn losses(report: &RunReport) -> Vec<(&str, u64, u64, u64)> {
    let losses = report.session_losses.iter();
    losses.map(|loss| (loss.connection.as_str(), loss.from, loss.to, loss.call)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_goes_on_after_a_loss_has_it_in_its_report() {
    let (mut server, pool) = pool();

    let (report, ()) = tokio::join!(run(&pool, "write", 3, None), async {
        die_of_the_second_call(&mut server, "write").await;
        serve(&mut server.accept().await, "write").await;
    });

    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
    assert_eq!(losses(&report), [("fake", 1, 2, 3)]);
    let calls: Vec<_> =
        report.calls.iter().map(|call| (call.outcome, call.session_epoch, call.attempts)).collect();
    assert_eq!(
        calls,
        [(Ending::Ok, Some(1), 1), (Ending::OutcomeUnknown, Some(1), 1), (Ending::Ok, Some(2), 1)]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_may_not_lose_a_session_ends_before_its_next_call_is_sent() {
    let (mut server, pool) = pool_with_policy(OnSessionLoss::Fail);

    let (report, mut replaced) = tokio::join!(run(&pool, "write", 3, None), async {
        die_of_the_second_call(&mut server, "write").await;
        server.accept().await
    });

    let RunOutcome::Stopped(stopped) = &report.outcome else { panic!("{report:?}") };
    let Stopped::SessionLost { loss, .. } = stopped else { panic!("{report:?}") };
    assert_eq!((loss.connection.as_str(), loss.from, loss.to, loss.call), ("fake", 1, 2, 3));
    for word in ["fake", "session 1", "session 2", "--on-session-loss"] {
        assert!(stopped.to_string().contains(word), "{stopped}");
    }
    assert_eq!(report.calls[2].outcome, Ending::NotSent);
    assert_eq!(losses(&report), [("fake", 1, 2, 3)]);
    drop(pool);
    replaced.expect_hang_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_run_says_comes_before_what_the_connection_says() {
    let (mut server, pool) = pool_with_policy(OnSessionLoss::Continue);
    let (ended, _connection) =
        tokio::join!(run(&pool, "write", 3, Some(OnSessionLoss::Fail)), async {
            die_of_the_second_call(&mut server, "write").await;
            server.accept().await
        });
    let (mut server, pool) = pool_with_policy(OnSessionLoss::Fail);
    let (went_on, ()) =
        tokio::join!(run(&pool, "write", 3, Some(OnSessionLoss::Continue)), async {
            die_of_the_second_call(&mut server, "write").await;
            serve(&mut server.accept().await, "write").await;
        });

    assert!(matches!(ended.outcome, RunOutcome::Stopped(Stopped::SessionLost { .. })), "{ended:?}");
    assert!(matches!(went_on.outcome, RunOutcome::Done(_)), "{went_on:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_was_replaced_before_the_first_call_is_no_loss() {
    let (mut server, pool) = pool_with_policy(OnSessionLoss::Fail);
    let before = call(&pool, "write");
    server.accept().await.expect_call("write").await;
    outcome_unknown(before).await;

    let (report, ()) = tokio::join!(run(&pool, "write", 1, None), async {
        serve(&mut server.accept().await, "write").await;
    });

    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
    assert_eq!(losses(&report), []);
    assert_eq!(report.calls[0].session_epoch, Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_to_open_that_failed_has_no_epoch() {
    let (mut server, pool) = pool_with(|connection| {
        connection.recovery.limits.first_delay = Duration::from_millis(1);
    });
    let failed = call(&pool, "write");
    server.refuse().await;
    not_sent(failed).await;

    let (report, ()) = tokio::join!(run(&pool, "write", 2, None), async {
        server.refuse().await;
        serve(&mut server.accept().await, "write").await;
    });

    let epochs: Vec<_> = report.calls.iter().map(|call| call.session_epoch).collect();
    assert_eq!(epochs, [None, Some(1)]);
    assert_eq!(losses(&report), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_made_twice_says_so_and_is_a_loss() {
    let (mut server, pool) = pool();

    let (report, ()) = tokio::join!(run(&pool, "read", 1, None), async {
        server.accept().await.expect_call("read").await;
        serve(&mut server.accept().await, "read").await;
    });

    let call = &report.calls[0];
    assert_eq!((call.outcome, call.session_epoch, call.attempts), (Ending::Ok, Some(2), 2));
    assert_eq!(losses(&report), [("fake", 1, 2, 1)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_may_not_lose_a_session_gets_no_second_attempt_and_the_truth() {
    let (mut server, pool) = pool_with_policy(OnSessionLoss::Fail);

    let (report, mut replaced) = tokio::join!(run(&pool, "read", 1, None), async {
        server.accept().await.expect_call("read").await;
        server.accept().await
    });

    assert!(
        matches!(report.outcome, RunOutcome::Stopped(Stopped::SessionLost { .. })),
        "{report:?}"
    );
    let call = &report.calls[0];
    assert_eq!((call.outcome, call.session_epoch), (Ending::OutcomeUnknown, Some(1)));
    drop(pool);
    replaced.expect_hang_up().await;
}
