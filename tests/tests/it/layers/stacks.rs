//! Layers on top of each other: their order, their concurrency, and two of a kind.

use std::{fs, time::Duration};

use callgate::{ComposeError, CompositionLimits, Stack};
use callgate_tests::guests;
use futures::FutureExt;
use serde_json::json;

use super::{
    compiled, done, kinds, layer, many, not_sent, one, output, plain_layer, run_answered,
    run_through, stack,
};

/// Longer than a hundred answers that overlap, and far shorter than a hundred that don't.
const OVERLAPPED: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_calls_overlap_through_a_stack_of_five() {
    let layers = vec![
        plain_layer(guests::DENY_WRITES),
        layer(guests::ALLOW_LIST, json!({"allow": ["a/*"]})),
        layer(guests::BUDGET, json!({"budgets": [{"max_calls": 100}]})),
        plain_layer(guests::RETRY),
        layer(guests::RENAME, json!({"names": [{"from": "a/b", "to": "c/d"}]})),
    ];
    let workflow = compiled(&stack(guests::MANY_CALLS, layers));

    let (report, reached) = run_answered(&workflow, &many("a/b", 100, true), |_, _| {
        async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            done(&json!(1))
        }
        .boxed()
    })
    .await;

    assert_eq!(output(&report), json!(vec![json!({"Ok": 1}); 100]));
    assert_eq!(reached.count(), 100);
    assert!(report.duration < OVERLAPPED, "{:?}", report.duration);
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_calls_share_one_and_every_caller_wakes() {
    let layers = vec![layer(guests::DEDUPE, json!({"tools": ["a/b"]}))];
    let workflow = compiled(&stack(guests::MANY_CALLS, layers));

    let (report, reached) = run_answered(&workflow, &many("a/b", 50, true), |number, _| {
        async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            done(&json!(number))
        }
        .boxed()
    })
    .await;

    assert_eq!(output(&report), json!(vec![json!({"Ok": 1}); 50]));
    assert_eq!(reached.count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_layer_is_nearest_to_the_workflow() {
    let rename = |from: &str, to: &str| {
        layer(guests::RENAME, json!({"names": [{"from": from, "to": to}], "exclusive": true}))
    };

    let (_, reached) = run_through(
        guests::ONE_CALL,
        vec![rename("a/b", "c/d"), rename("c/d", "e/f"), rename("e/f", "g/h")],
        one("a/b", json!({})),
        |_, _| done(&json!(1)),
    )
    .await;

    assert_eq!(reached.calls(), ["g/h {}"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_layer_sees_what_those_behind_it_make_of_a_call() {
    let budget = |max: u32| layer(guests::BUDGET, json!({"budgets": [{"max_calls": max}]}));
    let lost = |number, _: &_| if number < 3 { not_sent() } else { done(&json!(1)) };

    let before = vec![budget(1), plain_layer(guests::RETRY)];
    let (in_front, _) = run_through(guests::MANY_CALLS, before, many("a/b", 1, true), lost).await;
    let after = vec![plain_layer(guests::RETRY), budget(2)];
    let (behind, reached) =
        run_through(guests::MANY_CALLS, after, many("a/b", 1, true), lost).await;

    assert_eq!(kinds(&in_front), ["ok"]);
    assert_eq!((kinds(&behind), reached.count()), (vec!["refused".to_owned()], 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_starts_with_layers_that_know_nothing() {
    let layers = vec![layer(guests::BUDGET, json!({"budgets": [{"max_calls": 1}]}))];
    let workflow = compiled(&stack(guests::MANY_CALLS, layers));

    for _ in 0..2 {
        let answer = |_, _: &_| async { done(&json!(1)) }.boxed();
        let (report, _) = run_answered(&workflow, &many("a/b", 2, false), answer).await;

        assert_eq!(kinds(&output(&report)), ["ok", "refused"]);
    }
}

#[test]
fn a_stack_that_ends_in_a_mock_imports_nothing() {
    let mock = || layer(guests::MOCK, json!({"answers": []}));
    let limits = CompositionLimits::default();
    let flow = fs::read(guests::ONE_CALL).unwrap();

    let component = stack(guests::ONE_CALL, vec![plain_layer(guests::RETRY), mock()]);
    let dead_end = Stack::new(flow, vec![mock(), plain_layer(guests::RETRY)], &limits).unwrap_err();

    let verdict = callgate::Workflow::check(&callgate::Engine::new().unwrap(), &component).unwrap();
    assert_eq!((verdict.imports, verdict.reasons), (Vec::new(), Vec::new()));
    assert!(matches!(dead_end, ComposeError::DeadEnd { .. }));
    assert!(dead_end.to_string().contains("put mock last"), "{dead_end}");
}

#[test]
fn a_composition_is_the_same_each_time() {
    let layers = || vec![layer(guests::BUDGET, json!({"budgets": [{"max_calls": 1}]}))];

    assert_eq!(stack(guests::ONE_CALL, layers()), stack(guests::ONE_CALL, layers()));
}

#[test]
fn a_workflow_that_calls_nothing_is_left_as_it_is() {
    let hello = fs::read(guests::HELLO).unwrap();

    assert_eq!(stack(guests::HELLO, vec![plain_layer(guests::RETRY)]), hello);
}
