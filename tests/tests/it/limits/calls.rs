//! The limits of calls and of what goes with them.

use std::time::Duration;

use callgate::{Ending, Event, Grants, Run, RunOutcome, RunReport};
use callgate_tests::{fake::FakeServer, guests};
use serde_json::{Value, json};

use super::{assert_reached, output};
use crate::run::{input, limits, run_alone, run_with_server, workflow};

/// The detail of the only call.
fn detail(report: &RunReport) -> &str {
    report.calls[0].detail.as_deref().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_are_too_large_are_refused_with_the_way_out() {
    let limits = limits(|limits| limits.max_argument_bytes = 100);
    let given =
        json!({"connection": "fake", "tool": "read", "arguments": {"text": "x".repeat(200)}});

    let report = run_alone(guests::ONE_CALL, given, limits).await;

    assert_eq!(report.calls[0].outcome, Ending::Refused);
    for word in ["max_argument_bytes", "100 bytes", "211 bytes", "--max-arguments"] {
        assert!(detail(&report).contains(word), "{report:?}");
    }
    let answer: Value = serde_json::from_str(output(&report).as_str()).unwrap();
    assert_eq!(answer["Err"]["refused"]["reason"], "limit-reached");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_too_long_are_refused_and_not_kept() {
    let limits = limits(|limits| limits.max_name_bytes = 11);
    // 19 bytes, and the eleventh is half a letter.
    let given = json!({"connection": "ééééééééé!", "tool": "read", "arguments": {}});

    let report = run_alone(guests::ONE_CALL, given, limits).await;

    assert_eq!(report.calls[0].outcome, Ending::Refused);
    assert_eq!(report.calls[0].connection, "ééééé");
    for word in ["max_name_bytes", "11 bytes", "19 bytes", "--max-name"] {
        assert!(detail(&report).contains(word), "{report:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_too_large_is_dropped_and_the_run_goes_on() {
    let limits = limits(|limits| limits.max_result_bytes = 1000);
    let given = json!({"connection": "fake", "tool": "read", "arguments": {}});

    let report = run_with_server(guests::ONE_CALL, given, limits, async |mut server| {
        let call = server.expect_call("read").await;
        server.answer(&call, &"x".repeat(2000)).await;
    })
    .await;

    assert!(output(&report).as_str().contains("outcome-unknown"), "{report:?}");
    assert_eq!(report.calls[0].outcome, Ending::OutcomeUnknown);
    for word in ["max_result_bytes", "1000 bytes", "2002 bytes", "--max-result"] {
        assert!(detail(&report).contains(word), "{report:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_too_large_together_end_the_run() {
    let limits = limits(|limits| limits.max_total_result_bytes = 2500);
    let given = json!({"connection": "fake", "tool": "read", "arguments": {}, "count": 9, "at_once": false});

    let report = run_with_server(guests::MANY_CALLS, given, limits, async |mut server| {
        for _ in 0..3 {
            let call = server.expect_call("read").await;
            server.answer(&call, &"x".repeat(1000)).await;
        }
    })
    .await;

    assert_reached(&report, "max_total_result_bytes", "2500 bytes", "--max-total-result");
    let endings: Vec<Ending> = report.calls.iter().map(|call| call.outcome).collect();
    assert_eq!(endings, [Ending::Ok; 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_a_server_count_too() {
    let limits = limits(|limits| limits.max_total_result_bytes = 2500);
    let given = json!({"connection": "fake", "tool": "read", "arguments": {}, "count": 9, "at_once": false});

    let report = run_with_server(guests::MANY_CALLS, given, limits, async |mut server| {
        for _ in 0..3 {
            let call = server.expect_call("read").await;
            server.reject(&call, -32000, &"x".repeat(1000)).await;
        }
    })
    .await;

    assert_reached(&report, "max_total_result_bytes", "2500 bytes", "--max-total-result");
}

/// One call is under way, and the other waits for its turn in vain.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_too_long_for_its_turn_is_refused() {
    let limits = limits(|limits| {
        limits.max_calls_in_flight = 1;
        limits.queue_time = Duration::from_millis(50);
    });
    let (mut server, pool) = FakeServer::pooled();
    let given =
        json!({"connection": "fake", "tool": "read", "arguments": {}, "count": 2, "at_once": true});
    let mut run =
        Run::new(&workflow(guests::MANY_CALLS).await, &pool).grants(Grants::all()).limits(limits);
    let mut events = run.events();

    let (report, ()) = tokio::join!(run.start(input(&given)), async {
        let mut server = server.accept().await;
        let call = server.expect_call("read").await;
        loop {
            if let Event::Finished { outcome, .. } = events.next().await.unwrap() {
                assert_eq!(outcome, Ending::Refused);
                break;
            }
        }
        server.answer(&call, "x").await;
    });

    assert!(matches!(report.outcome, RunOutcome::Done(_)), "{report:?}");
    let refused = report.calls.iter().find(|call| call.outcome == Ending::Refused).unwrap();
    for word in ["queue_time", "50ms", "max_calls_in_flight", "--queue-time"] {
        assert!(refused.detail.as_deref().unwrap().contains(word), "{refused:?}");
    }
    let answered = report.calls.iter().find(|call| call.outcome == Ending::Ok);
    assert!(answered.is_some(), "{report:?}");
}
