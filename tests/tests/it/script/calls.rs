//! What scripts call, and what they hear.

use callgate::RunLimits;
use serde_json::{Value, json};

use super::{failure_of, run, run_with_server, value_of};
use crate::run::limits;

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_promise_all_overlap_and_keep_their_places() {
    let source = "const ask = (n) => tools.fake.read({ n });\nreturn await Promise.all(Array.from({ length: 10 }, (_, n) => ask(n)))";

    let report = run_with_server(source, RunLimits::default(), async |mut server| {
        // All ten arrive before the first is answered, and the last is answered first.
        let mut calls = Vec::new();
        for _ in 0..10 {
            calls.push(server.expect_call("read").await);
        }
        for (n, call) in calls.iter().enumerate().rev() {
            server.answer(call, &format!("answer {n}")).await;
        }
    })
    .await;

    let expected: Vec<String> = (0..10).map(|n| format!("answer {n}")).collect();
    assert_eq!(value_of(&report), json!(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn call_tool_gives_the_whole_answer_with_bytes() {
    let source = "
        const answer = await callTool('fake', 'read', { path: 'a' });
        const [text, image, link, resource] = answer.content;
        return { ...answer, content: [text, [image.data instanceof Uint8Array, ...image.data, image.mimeType], link, [...resource.resource.blob]] }";

    let report = run_with_server(source, RunLimits::default(), async |mut server| {
        let call = server.expect_call("read").await;
        assert_eq!(call.arguments, json!({ "path": "a" }));
        let content = json!([
            { "type": "text", "text": "beside" },
            { "type": "image", "data": "AQID", "mimeType": "image/png" },
            { "type": "resource_link", "uri": "file:///x", "name": "x" },
            { "type": "resource", "resource": { "uri": "file:///y", "blob": "/w==" } },
        ]);
        let result =
            json!({ "structuredContent": { "n": 1 }, "content": content, "_meta": { "a": 1 } });
        server.answer_id(&call.id, result).await;
    })
    .await;

    assert_eq!(
        value_of(&report),
        json!({
            "outcome": "ok",
            "output": { "n": 1 },
            "content": [
                { "type": "text", "text": "beside" },
                [true, 1, 2, 3, "image/png"],
                { "type": "resource_link", "uri": "file:///x", "name": "x" },
                [255],
            ],
            "meta": { "a": 1 },
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_fails_is_an_error_for_tools_and_an_outcome_for_call_tool() {
    let source = "
        const whole = await callTool('fake', 'read');
        try { await tools.fake['read']() } catch (error) {
          return [whole.outcome, error instanceof ToolError, error instanceof Error, error.kind, error.output, error.message, error.retryable];
        }";

    let report = run_with_server(source, RunLimits::default(), async |mut server| {
        for _ in 0..2 {
            let call = server.expect_call("read").await;
            let content = json!([{ "type": "text", "text": "no such file" }]);
            server.answer_id(&call.id, json!({ "isError": true, "content": content })).await;
        }
    })
    .await;

    let message = "fake/read failed: no such file";
    assert_eq!(
        value_of(&report),
        json!(["error", true, true, "tool-failed", "no such file", message, false])
    );
}

/// Catches the error of one call and returns its fields.
const FIELDS: &str = "
    try { await callTool('fake', 'read', {}) } catch (error) {
      const { kind, reason, cause, code, data, retryable, outcomeUnknown, connection, tool } = error;
      return { kind, reason, cause, code, data, retryable, outcomeUnknown, connection, tool };
    }";

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_rejects_a_call_is_heard_in_full() {
    let report = run_with_server(FIELDS, RunLimits::default(), async |mut server| {
        let call = server.expect_call("read").await;
        server.reject(&call, -32_602, "bad arguments").await;
    })
    .await;

    let heard = value_of(&report);
    assert_eq!((&heard["kind"], &heard["code"]), (&json!("rejected"), &json!(-32_602)));
    assert_eq!((&heard["connection"], &heard["tool"]), (&json!("fake"), &json!("read")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_unknown_outcome_is_not_to_be_retried_blindly() {
    let limits = limits(|limits| limits.max_result_bytes = 100);

    let report = run_with_server(FIELDS, limits, async |mut server| {
        let call = server.expect_call("read").await;
        server.answer(&call, &"x".repeat(1000)).await;
    })
    .await;

    let heard = value_of(&report);
    assert_eq!((&heard["kind"], &heard["cause"]), (&json!("outcome-unknown"), &json!("too-large")));
    assert_eq!((&heard["retryable"], &heard["outcomeUnknown"]), (&json!(false), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_that_nobody_catches_ends_the_run_with_its_kind_and_its_place() {
    let report = run("const ask = () =>\n  tools.nowhere.nothing({ a: 1 });\nawait ask();").await;

    let (kind, fault) = failure_of(&report);
    assert_eq!(kind, "refused");
    assert_eq!((fault.name.as_str(), fault.line, fault.column), ("ToolError", Some(2), Some(17)));
    assert_eq!(fault.stack, "    at ask (test.js:2:17)\n    at <anonymous> (test.js:3:7)");
    let tool: Value = serde_json::from_str(fault.tool_error.as_ref().unwrap().as_str()).unwrap();
    assert_eq!(tool["reason"], "denied", "{tool}");
    assert_eq!((&tool["connection"], &tool["tool"]), (&json!("nowhere"), &json!("nothing")));
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_are_no_object_are_an_error_at_the_call() {
    for (source, message) in [
        ("await tools.fake.read('path')", "the arguments of a tool are an object, not path"),
        ("await tools.fake.read([1])", "the arguments of a tool are an object, not [ 1 ]"),
        ("await callTool('fake', 5)", "a tool is a string, not 5"),
        ("await tools.fake.read({ n: 1n })", "BigInt are forbidden in JSON.stringify"),
    ] {
        let report = run(source).await;

        let (kind, fault) = failure_of(&report);
        assert_eq!((kind, fault.message.as_str()), ("exception", message), "{source}");
        assert_eq!(fault.line, Some(1), "{source}: {fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_nobody_awaits_are_waited_for() {
    let source = "tools.fake.read({}).then((output) => console.log(output)); return 'done'";

    let report = run_with_server(source, RunLimits::default(), async |mut server| {
        let call = server.expect_call("read").await;
        server.answer(&call, "late").await;
    })
    .await;

    assert_eq!(value_of(&report), "done");
    assert_eq!(super::logs_of(&report), ["log: late"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_fails_cancels_the_calls_under_way() {
    let source = "tools.fake.read({}); await tools.fake.look({}); throw new Error('enough')";

    let report = run_with_server(source, RunLimits::default(), async |mut server| {
        let first = server.expect_call("read").await;
        let second = server.expect_call("look").await;
        server.answer(&second, "seen").await;
        server.expect_cancelled(&first).await;
    })
    .await;

    assert_eq!(failure_of(&report).1.message, "enough");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timer_does_not_overtake_a_call() {
    let source = "
        const timeout = new Promise((resolve) => setTimeout(resolve, 1, 'timeout'));
        return Promise.race([timeout, tools.fake.read({})])";

    let report = run_with_server(source, RunLimits::default(), async |mut server| {
        let call = server.expect_call("read").await;
        server.answer(&call, "answer").await;
    })
    .await;

    assert_eq!(value_of(&report), "answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_and_call_tool_cannot_be_replaced() {
    for name in ["tools", "callTool", "ToolError"] {
        let report = run(&format!("{name} = 1")).await;

        assert_eq!(failure_of(&report).1.message, format!("'{name}' is read-only"));
    }
    let report = run("const tools = 1, args = 2; return tools + args").await;
    assert_eq!(value_of(&report), 3);
}
