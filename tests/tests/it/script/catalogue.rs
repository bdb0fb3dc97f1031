//! The runner by itself: an input that the host doesn't make today, and inputs that it never makes.

use callgate::{Run, RunOutcome, RunReport, SessionPool};
use serde_json::{Value, json};

use super::workflow;
use crate::run::input;

/// Runs the runner as the component that it is, with this change of a good input.
async fn run_with(source: &str, change: Value) -> RunReport {
    let mut given = json!({
        "source": source, "file": "test.js", "args": null, "seed": 0, "now_ms": 0, "max_log_bytes": 1000,
        "max_stack_bytes": 512 << 10,
    });
    given.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    Run::new(&workflow().await, &SessionPool::new([])).start(input(&given)).await
}

fn catalogue() -> Value {
    json!({ "catalogue": { "my-files": ["read-all", "stat", "a.b", "a-b"] } })
}

/// The message of the error that a script throws.
async fn thrown(source: &str) -> String {
    let report = run_with(source, catalogue()).await;
    let RunOutcome::Failed(failure) = report.outcome else { panic!("{report:?}") };
    failure.message
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_has_tools_under_their_names_and_their_identifiers() {
    let source = "
        const called = [tools.my_files.read_all, tools['my-files']['read-all'], tools.my_files.stat];
        const errors = [];
        for (const call of called) await call().catch((error) => errors.push([error.connection, error.tool]));
        return errors";

    let report = run_with(source, catalogue()).await;

    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    let output: Value = serde_json::from_str(output.as_str()).unwrap();
    let (read, stat) = (json!(["my-files", "read-all"]), json!(["my-files", "stat"]));
    assert_eq!(output["value"], json!([read, read, stat]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_not_in_the_catalogue_or_can_mean_two_is_an_error() {
    assert!(thrown("tools.other").await.contains("tools has no connection other"));
    assert!(thrown("tools.my_files.write").await.contains("tools.my-files has no tool write"));
    let two = thrown("await tools.my_files.a_b()").await;
    assert!(two.contains("a.b and a-b") && two.contains("callTool"), "{two}");
    assert!(thrown("await tools.my_files['a-b']()").await.contains("my-files/a-b was refused"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_that_is_not_the_hosts_is_an_error() {
    for change in [
        json!({ "source": 5 }),
        json!({ "seed": -1 }),
        json!({ "now_ms": 0.5 }),
        json!({ "max_stack_bytes": null }),
    ] {
        let report = run_with("return 1", change.clone()).await;

        let RunOutcome::Failed(failure) = &report.outcome else { panic!("{change}: {report:?}") };
        assert_eq!(failure.kind, "invalid-input", "{change}");
    }
    let run = Run::new(&workflow().await, &SessionPool::new([]));
    let report = run.start(input(&json!("no object"))).await;
    assert!(matches!(report.outcome, RunOutcome::Failed(_)), "{report:?}");
}
