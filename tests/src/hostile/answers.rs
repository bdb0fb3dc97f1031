//! Answers that are JSON-RPC and are wrong otherwise: in their contents, their number or their time.
#![expect(clippy::disallowed_methods, reason = "a late server sleeps; nobody waits for it")]

use std::{thread, time::Duration};

use callgate::Cause;

use super::{Act, Expect, Fault, Request, Server, fault, server::DONE};

const BROKEN: Expect = Expect::OutcomeUnknown(Cause::ProtocolViolation);
const LATE: Expect = Expect::OutcomeUnknown(Cause::Timeout);

/// A mode that answers the first call with one result.
macro_rules! result {
    ($mode:literal, $result:expr, $expect:expr, $why:literal) => {
        fault(
            $mode,
            Act::Call(|server: &mut Server, request: &Request| server.answer(request, $result)),
            $expect,
            $why,
        )
    };
}

pub(super) const FAULTS: &[Fault] = &[
    result!("result-null", "null", BROKEN, "the result is null"),
    result!("result-text", r#""done""#, BROKEN, "the result is text"),
    result!("result-array", r#"[{"type":"text","text":"done"}]"#, BROKEN, "the result is an array"),
    result!("result-empty", "{}", BROKEN, "the result is an empty object"),
    result!("content-null", r#"{"content":null}"#, BROKEN, "the content is null"),
    result!(
        "content-object",
        r#"{"content":{"type":"text","text":"done"}}"#,
        BROKEN,
        "the content is one block and not a list"
    ),
    result!(
        "content-text",
        r#"{"content":["done"]}"#,
        Expect::Output("null"),
        "a block of content is text"
    ),
    result!(
        "content-unknown",
        r#"{"content":[{"type":"hologram","data":"x"}]}"#,
        Expect::Output("null"),
        "a kind of content that nobody knows"
    ),
    result!("is-error-text", r#"{"content":[],"isError":"yes"}"#, BROKEN, "isError is text"),
    result!(
        "tool-error",
        r#"{"content":[{"type":"text","text":"no such row"}],"isError":true}"#,
        Expect::ToolError(r#""no such row""#),
        "the tool reports a failure of its own, which is no fault"
    ),
    result!(
        "big-integer",
        r#"{"content":[],"structuredContent":{"n":123456789012345678901234567890}}"#,
        Expect::Output(r#"{"n":123456789012345678901234567890}"#),
        "an integer of 97 bits"
    ),
    result!(
        "long-fraction",
        r#"{"content":[],"structuredContent":[1.10,1e400,-0]}"#,
        Expect::Output("[1.10,1e400,-0]"),
        "numbers that no float holds"
    ),
    result!(
        "structured-null",
        r#"{"content":[],"structuredContent":null}"#,
        Expect::Output("null"),
        "structured content that is null"
    ),
    result!(
        "structured-text",
        r#"{"content":[],"structuredContent":"done"}"#,
        Expect::Output(r#""done""#),
        "structured content that is no object"
    ),
    result!(
        "another-shape",
        r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}"#,
        BROKEN,
        "the result of another method"
    ),
    fault(
        "big-code",
        Act::Call(|server, request| {
            server.error(request, r#"{"code":9007199254740993,"message":"m"}"#)
        }),
        Expect::Rejected(9_007_199_254_740_993),
        "the code of the error has 54 bits",
    ),
    fault(
        "error-data",
        Act::Call(|server, request| {
            server.error(request, r#"{"code":-32000,"message":"m","data":[1e999]}"#)
        }),
        Expect::Rejected(-32000),
        "the data of the error is no float",
    ),
    fault("other-id", Act::Call(other_id), LATE, "the answer is for a request that doesn't exist")
        .within_secs(4),
    fault("twice", Act::Call(twice), Expect::Output(r#""done""#), "the answer comes twice"),
    fault(
        "result-then-error",
        Act::Call(result_then_error),
        Expect::Output(r#""done""#),
        "an error follows the result",
    ),
    fault(
        "before-request",
        Act::List(before_request),
        Expect::Output(r#"{"x":1}"#),
        "an answer to the call comes before the call",
    ),
    fault(
        "never",
        Act::Call(|_, _| ()),
        LATE,
        "the answer never comes, and the cancelling is ignored",
    )
    .within_secs(4),
    fault("late", Act::Call(late), LATE, "the answer comes after the deadline").within_secs(4),
    fault(
        "refuses",
        Act::Call(|server, request| {
            server.error(request, r#"{"code":-32602,"message":"unknown tool"}"#)
        }),
        Expect::Rejected(-32602),
        "an error as it should be, which is no fault",
    ),
];

fn other_id(server: &mut Server, request: &Request) {
    server.line(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{DONE}}}"#, request.number() + 1000));
}

fn twice(server: &mut Server, request: &Request) {
    server.done(request);
    server.answer(request, r#"{"content":[{"type":"text","text":"again"}]}"#);
}

fn result_then_error(server: &mut Server, request: &Request) {
    server.done(request);
    server.error(request, r#"{"code":1,"message":"not done"}"#);
}

/// The client numbers its requests one by one, so the id of its call can be guessed.
fn before_request(server: &mut Server, request: &Request) {
    server.line(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{DONE}}}"#, request.number() + 1));
    server.list(request);
}

fn late(server: &mut Server, request: &Request) {
    thread::sleep(Duration::from_millis(2500));
    server.done(request);
}
