//! What can't be composed, and settings that don't fit: told before a run, with the key.

use std::fs;

use callgate::{ComposeError, CompositionLimits, Layer, Stack};
use callgate_tests::guests;
use serde_json::{Value, json};

use super::{compiled, done, one, plain_layer, run_through, stack, try_layer};

/// Every middleware with settings, and settings of it that are right but for one value, which has the pointer.
fn wrong() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            guests::ALLOW_LIST,
            json!({"allow": [{"tools": "a/*", "arguments": {"/x": {"inside": 1}}}]}),
            "/allow/0/arguments/~1x/inside",
        ),
        (guests::AUDIT, json!({"to": "append"}), "/to"),
        (guests::BUDGET, json!({"budgets": [{"max_calls": -1}]}), "/budgets/0/max_calls"),
        (guests::CACHE, json!({"read_only": ["files"]}), "/read_only/0"),
        (guests::DEDUPE, json!({"tools": "a/b"}), "/tools"),
        (
            guests::FAULT,
            json!({"faults": [{"answer": {"not-sent": {"cause": "rain"}}}]}),
            "/faults/0/answer/not-sent/cause",
        ),
        (
            guests::MOCK,
            json!({"answers": [{"tool": "a/b", "times": 0, "answer": {"output": 1}}]}),
            "/answers/0/times",
        ),
        (guests::REDACT, json!({"patterns": ["("]}), "/patterns/0"),
        (guests::RENAME, json!({"names": [{"from": "a/b", "to": "*/c"}]}), "/names/0/to"),
        (guests::RETRY, json!({"attempts": 99}), "/attempts"),
    ]
}

#[test]
fn every_layer_refuses_wrong_settings_with_the_key() {
    for (path, settings, pointer) in wrong() {
        let error = try_layer(path, Some(settings)).unwrap_err();

        let ComposeError::WrongSettings { name, faults } = &error else { panic!("{error}") };
        let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert!(pointers.contains(&pointer), "{name}: {error}");
        assert!(error.to_string().contains("settings.json:1:"), "{error}");
    }
}

#[test]
fn every_layer_refuses_a_key_that_it_does_not_know() {
    for (path, ..) in wrong() {
        let error = try_layer(path, Some(json!({"nonsense": 1}))).unwrap_err().to_string();

        assert!(error.contains("nonsense"), "{error}");
    }
}

#[test]
fn a_layer_says_whether_it_needs_settings() {
    for (path, ..) in wrong().into_iter().filter(|(path, ..)| *path != guests::RETRY) {
        let error = try_layer(path, None).unwrap_err();

        assert!(matches!(error, ComposeError::NeedsSettings { example: Some(_), .. }), "{error}");
    }
    let none = try_layer(guests::DENY_WRITES, Some(json!({}))).unwrap_err();
    assert!(matches!(none, ComposeError::NoSettings(_)), "{none}");
}

/// The example of each schema passes its own check, and the component takes it too.
#[tokio::test(flavor = "multi_thread")]
async fn every_example_works() {
    for (path, ..) in wrong() {
        let error = try_layer(path, None).map(|_| String::new());
        let example = match error {
            Err(ComposeError::NeedsSettings { example, .. }) => example.unwrap(),
            // Its default works without one; this is the example of its schema.
            _ => r#"{"attempts": 3, "idempotent": ["files/read_*"]}"#.to_owned(),
        };
        let layers = vec![try_layer(path, Some(serde_json::from_str(&example).unwrap())).unwrap()];

        let input = one("files/read_text_file", json!({"path": "a"}));
        let (heard, _) =
            run_through(guests::ONE_CALL, layers, input, |_, _| done(&json!("fine"))).await;

        assert!(!heard.to_string().contains("can't be used"), "{path}: {heard}");
    }
}

#[test]
fn what_is_no_middleware_is_told_apart() {
    let layer = |bytes: &[u8]| {
        Layer::new("x", bytes.to_vec(), None, &CompositionLimits::default())
            .unwrap_err()
            .to_string()
    };
    let foreign = r#"(component
        (import "wasi:cli/environment@0.2.0" (instance))
        (component $c)
        (instance $i (instantiate $c))
        (export "callgate:mcp/tools@0.1.0" (instance $i)))"#;

    assert!(layer(b"hello").contains("not a valid component"));
    assert!(layer(b"\0asm\x01\0\0\0").contains("componentize"));
    let workflow = layer(&fs::read(guests::ONE_CALL).unwrap());
    assert!(workflow.contains("does not export `callgate:mcp/tools@0.1.0`"), "{workflow}");
    let foreign = layer(&wat::parse_str(foreign).unwrap());
    assert!(foreign.contains("wasi:cli/environment@0.2.0"), "{foreign}");
}

#[test]
fn a_layer_of_other_types_does_not_fit() {
    let other = r#"(component
        (component $c)
        (instance $i (instantiate $c))
        (export "callgate:mcp/tools@0.1.0" (instance $i)))"#;
    let limits = CompositionLimits::default();
    let layer = Layer::new("other", wat::parse_str(other).unwrap(), None, &limits).unwrap();
    let flow = fs::read(guests::ONE_CALL).unwrap();

    let error = Stack::new(flow, vec![layer], &limits).unwrap().compose().unwrap_err();

    assert!(matches!(error, ComposeError::DoesNotFit { .. }), "{error}");
}

#[test]
fn a_workflow_that_asks_for_more_is_refused_with_what() {
    let greedy = r#"(component
        (import "wasi:cli/environment@0.2.0" (instance))
        (component $c)
        (instance $i (instantiate $c))
        (export "callgate:mcp/run@0.1.0" (instance $i)))"#;
    let limits = CompositionLimits::default();
    let stack = Stack::new(wat::parse_str(greedy).unwrap(), Vec::new(), &limits).unwrap();

    let error = stack.compose().unwrap_err().to_string();
    let middleware = Stack::new(fs::read(guests::RETRY).unwrap(), Vec::new(), &limits);

    assert!(error.contains("wasi:cli/environment"), "{error}");
    assert!(matches!(middleware, Err(ComposeError::NotAWorkflow(_))));
}

#[test]
fn more_layers_than_anybody_needs_are_refused() {
    let limits = CompositionLimits::default();
    let layers = vec![plain_layer(guests::DENY_WRITES); limits.max_layers + 1];
    let flow = fs::read(guests::ONE_CALL).unwrap();

    let error = Stack::new(flow, layers, &limits).unwrap_err().to_string();

    assert!(error.contains("13 layers") && error.contains("max_layers"), "{error}");
}

/// As many as there may be also start within the limits of a run.
#[tokio::test(flavor = "multi_thread")]
async fn as_many_layers_as_there_may_be_run() {
    let layers = vec![plain_layer(guests::RETRY); CompositionLimits::default().max_layers];
    let workflow = compiled(&stack(guests::ONE_CALL, layers));

    let answer = |_, _: &_| {
        use futures::FutureExt;
        async { done(&json!(1)) }.boxed()
    };
    let (report, reached) = super::run_answered(&workflow, &one("a/b", json!({})), answer).await;

    assert_eq!((super::output(&report)["Ok"]["output"].as_u64(), reached.count()), (Some(1), 1));
}
