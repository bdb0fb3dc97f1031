//! Guests in JavaScript in one stack with those in Rust and in C.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use callgate::{CallError, Content, ResourceLink, RpcError, RunOutcome, ToolCall};
use callgate_tests::{elsewhere, guests};
use futures::{FutureExt, future::BoxFuture};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::json;

use super::{
    Answer, compiled, compiled_once, done, echoed_but_first, imports, layer, one, output,
    plain_layer, run_answered, stack,
    transparent::{answer, text, told},
};

/// The first whole number that is none in JavaScript.
const INEXACT: i64 = (1 << 53) + 1;

/// One answer takes so long.
const WAIT: Duration = Duration::from_millis(100);

fn slowly(number: usize, call: &ToolCall) -> BoxFuture<'static, Answer> {
    echoed_but_first(WAIT, number, call)
}

fn javascript_layer() -> callgate::Layer {
    plain_layer(&elsewhere::javascript("layer"))
}

/// How many calls of a run wait for their answers at once.
#[derive(Clone, Default)]
struct UnderWay {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl UnderWay {
    /// As [`slowly`], and counts how many calls wait for their answer at once.
    fn answer(&self, number: usize, call: &ToolCall) -> BoxFuture<'static, Answer> {
        self.most.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let (answer, now) = (slowly(number, call), Arc::clone(&self.now));
        async move {
            let answer = answer.await;
            now.fetch_sub(1, Ordering::SeqCst);
            answer
        }
        .boxed()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_in_javascript_stands_behind_layers_in_three_languages_and_fails_on_wrong_input()
{
    let layers = vec![
        plain_layer(guests::RETRY),
        javascript_layer(),
        layer(guests::ALLOW_LIST, json!({"allow": ["a/b"]})),
        plain_layer(guests::C_LAYER),
    ];
    let component = stack(&elsewhere::javascript("flow"), layers);
    assert_eq!(imports(&component), ["callgate:mcp/tools@0.1.0"]);
    let workflow = compiled_once(&component);
    let calls = [
        one("a/b", json!({"n": "ß"})),
        one("a/c", json!({})),
        one("a/b", json!({"password": "x"})),
        one("a/b", json!({"n": [1, null]})),
    ];
    let wrong = [
        json!(null),
        json!({}),
        json!([null]),
        json!([{}]),
        json!([{"connection": "a", "tool": "b"}]),
        json!([{"connection": {}, "tool": "b", "arguments": {}}]),
    ];

    let (report, reached) = run_answered(&workflow, &json!(calls), slowly).await;

    let expected = json!([{"output": {"n": "ß"}}, {"error": "refused"}, {"error": "refused"},
        {"output": {"n": [1, null]}}]);
    assert_eq!(output(&report), expected);
    let first = r#"a/b {"n":"ß"}"#;
    assert_eq!(reached.calls(), [first, first, r#"a/b {"n":[1,null]}"#]);

    for input in wrong {
        let (report, reached) = run_answered(&workflow, &input, slowly).await;

        let RunOutcome::Failed(failure) = &report.outcome else { panic!("{input}: {report:?}") };
        assert_eq!((failure.kind.as_str(), reached.count()), ("invalid-input", 0), "{input}");
        assert!(failure.message.starts_with("the input doesn't fit: "), "{}", failure.message);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_layer_in_javascript_stands_among_others_and_has_one_call_under_way() {
    let layers = vec![
        plain_layer(guests::C_LAYER),
        plain_layer(guests::RETRY),
        javascript_layer(),
        plain_layer(guests::RETRY),
    ];
    let component = stack(guests::CALLS_AT_ONCE, layers);
    assert_eq!(imports(&component), ["callgate:mcp/tools@0.1.0"]);
    let calls: Vec<_> = (0..10).map(|n| one("a/b", json!({ "n": n }))).collect();
    let under_way = UnderWay::default();
    let answering = under_way.clone();

    let (report, reached) =
        run_answered(&compiled_once(&component), &json!(calls), move |n, call| {
            answering.answer(n, call)
        })
        .await;

    let expected: Vec<_> = (0..10).map(|n| json!({"Ok": {"n": n}})).collect();
    assert_eq!(output(&report), json!(expected));
    // The first one again.
    assert_eq!((reached.count(), under_way.most.load(Ordering::SeqCst)), (11, 1));
}

/// The answer, with numbers that JavaScript can hold.
fn exact(mut answer: Answer) -> Answer {
    match &mut answer {
        Ok(result) => {
            for block in &mut result.content {
                if let Content::ResourceLink(ResourceLink { size: Some(size), .. }) = block {
                    *size >>= 11;
                }
            }
        }
        Err(CallError::Rejected(RpcError { code, .. })) => *code >>= 11,
        Err(_) => {}
    }
    answer
}

#[test]
fn a_layer_in_javascript_changes_nothing_but_numbers_that_javascript_can_not_hold() {
    let bare = compiled(&stack(guests::ONE_CALL, Vec::new()));
    let stacked = compiled_once(&stack(guests::ONE_CALL, vec![javascript_layer()]));
    let cases = (answer().prop_map(exact), text(), text());

    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    let run = TestRunner::new(config).run(&cases, |(answer, tool, argument)| {
        let given = one(&format!("a/x{tool}"), json!({"argument": argument, "n": 1.5}));

        prop_assert_eq!(told(&bare, &given, &answer), told(&stacked, &given, &answer));
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));

    let rejected =
        |code| Err(CallError::Rejected(RpcError { code, message: "no".to_owned(), data: None }));
    let given = one("a/b", json!({}));
    for (sent, heard) in [(INEXACT, INEXACT - 1), (i64::MAX, i64::MAX), (i64::MIN, i64::MIN)] {
        let expected = told(&bare, &given, &rejected(heard));
        assert_eq!(told(&stacked, &given, &rejected(sent)), expected, "{sent}");
    }
    let (outcome, reached) =
        told(&stacked, &one("a/b", json!({"password": "x"})), &done(&json!(1)));
    assert!(outcome.contains("javascript layer: the arguments of `b` name"), "{outcome}");
    assert!(reached.is_empty(), "{reached:?}");
}
