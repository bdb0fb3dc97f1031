//! The workflows that the repository ships, as a user meets them; `code-census` has tests of its own beside the servers.

use std::{fs, path::Path};

use callgate::{RunLimits, RunOutcome, RunReport};
use callgate_tests::guests;
use serde_json::{Value, json};

use crate::run::{run_alone, run_with_server};

fn output(report: &RunReport) -> Value {
    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    serde_json::from_str(output.as_str()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn hello_greets() {
    let known = run_alone(guests::HELLO, json!({"name": "Ada"}), RunLimits::default()).await;
    let unknown = run_alone(guests::HELLO, json!({}), RunLimits::default()).await;
    let wrong = run_alone(guests::HELLO, json!({"name": 7}), RunLimits::default()).await;

    assert_eq!(output(&known), json!({"greeting": "Hello, Ada!"}));
    assert_eq!(output(&unknown), json!({"greeting": "Hello, world!"}));
    let RunOutcome::Failed(failure) = &wrong.outcome else { panic!("{wrong:?}") };
    assert_eq!(failure.kind, "invalid-input");
}

#[tokio::test(flavor = "multi_thread")]
async fn fan_out_tells_the_outcomes_in_the_order_of_the_arguments() {
    let given =
        json!({"connection": "fake", "tool": "read", "arguments": [{"n": 1}, {"n": 2}, {"n": 3}]});

    let report =
        run_with_server(guests::FAN_OUT, given, RunLimits::default(), async |mut server| {
            let mut calls = Vec::new();
            for _ in 0..3 {
                calls.push(server.expect_call("read").await);
            }
            calls.sort_by_key(|call| call.arguments["n"].as_u64());
            server.answer(&calls[2], "third").await;
            server.reject(&calls[1], -32602, "not two").await;
            server.answer(&calls[0], "first").await;
        })
        .await;

    let outcomes = output(&report);
    assert_eq!(outcomes[0], json!({"output": "first"}));
    assert_eq!(outcomes[1]["error"], "rejected");
    assert!(outcomes[1]["detail"].as_str().unwrap().contains("not two"), "{outcomes}");
    assert_eq!(outcomes[2], json!({"output": "third"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn error_handling_tells_the_cases_apart() {
    let given = |connection| json!({"connection": connection, "tool": "read", "arguments": {}});
    let limits = RunLimits::default;
    let run = guests::ERROR_HANDLING;

    let refused = run_alone(run, given("nowhere"), limits()).await;
    let answered = run_with_server(run, given("fake"), limits(), async |mut server| {
        let call = server.expect_call("read").await;
        server.answer(&call, "fine").await;
    })
    .await;
    let tool = run_with_server(run, given("fake"), limits(), async |mut server| {
        let call = server.expect_call("read").await;
        let result =
            json!({"content": [{"type": "text", "text": "no such file"}], "isError": true});
        server.answer_id(&call.id, result).await;
    })
    .await;
    let rejected = run_with_server(run, given("fake"), limits(), async |mut server| {
        let call = server.expect_call("read").await;
        server.reject(&call, -32601, "no such tool").await;
    })
    .await;
    // Not a tool that only reads: such a call is made once more.
    let write = json!({"connection": "fake", "tool": "write", "arguments": {}});
    let unknown = run_with_server(run, write, limits(), async |mut server| {
        server.expect_call("write").await;
    })
    .await;

    let told = [refused, answered, tool, rejected, unknown].map(|report| {
        let output = output(&report);
        (output["happened"].as_str().unwrap().to_owned(), output["tool_ran"].clone())
    });
    assert_eq!(
        told,
        [
            ("refused".to_owned(), json!("no")),
            ("answered".to_owned(), json!("yes")),
            ("tool-error".to_owned(), json!("yes")),
            ("rejected".to_owned(), json!("no")),
            ("outcome-unknown".to_owned(), json!("maybe")),
        ]
    );
}

#[test]
fn every_tiny_guest_is_run_by_a_test() {
    let mut tests = String::new();
    read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &mut tests);
    let mut unused = Vec::new();
    macro_rules! note_unused {
        ($guest:ident) => {
            let constant = format!("guests::{}", stringify!($guest).to_uppercase());
            if !tests.contains(&constant) {
                unused.push(constant);
            }
        };
    }

    callgate_tests::for_each_test_guest!(note_unused);

    assert_eq!(unused, Vec::<String>::new());
}

fn read_all(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_all(&path, text);
        } else {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}
