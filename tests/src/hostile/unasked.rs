//! Servers that talk without being asked: floods of notifications, and requests of their own.

use super::{Act, Expect, Fault, Request, Server, fault};

const FINE: Expect = Expect::Output(r#""done""#);

/// A mode that asks the client something within the first call; the output is the error code of the client's answer, or
/// `"result"`.
macro_rules! asks {
    ($mode:literal, $method:literal, $params:literal, $expect:expr, $why:literal) => {
        fault(
            $mode,
            Act::Call(|server: &mut Server, request: &Request| {
                ask(server, request, $method, $params)
            }),
            $expect,
            $why,
        )
    };
}

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "progress-flood",
        Act::Call(progress_flood),
        FINE,
        "100,000 notifications of progress before the answer",
    )
    .within_secs(10),
    fault(
        "log-flood",
        Act::Call(|server, request| flood(server, request, LOG)),
        FINE,
        "100,000 log messages before the answer",
    )
    .within_secs(10),
    fault(
        "unknown-flood",
        Act::Call(|server, request| flood(server, request, UNKNOWN)),
        FINE,
        "100,000 notifications that nobody knows",
    )
    .within_secs(10),
    fault(
        "list-changed-storm",
        Act::Call(|server, request| flood(server, request, LIST_CHANGED)),
        FINE,
        "100,000 changes of the tool list before the answer",
    )
    .within_secs(10),
    fault(
        "progress-for-nobody",
        Act::Call(progress_for_nobody),
        FINE,
        "progress of something that nobody asked for",
    ),
    fault("progress-broken", Act::Call(progress_broken), FINE, "progress that isn't a number"),
    fault(
        "cancels-the-call",
        Act::Call(cancels),
        FINE,
        "it cancels the client's own request and answers it",
    ),
    fault(
        "ping-storm",
        Act::Call(pings),
        FINE,
        "50 pings, each of which must be answered before the next",
    ),
    fault(
        "request-flood",
        Act::Call(request_flood),
        FINE,
        "600 requests of its own whose answers it never reads",
    )
    .within_secs(10),
    fault(
        "request-same-id",
        Act::Call(same_id),
        FINE,
        "a request of its own with the id of the call",
    ),
    fault("request-null-id", Act::Call(null_id), FINE, "a request of its own with the id null"),
    asks!(
        "request-unknown",
        "files/delete",
        "{}",
        Expect::Output("-32601"),
        "it asks for what no client does"
    ),
    asks!(
        "request-tools-call",
        "tools/call",
        r#"{"name":"echo"}"#,
        Expect::Output("-32601"),
        "it calls a tool of the client"
    ),
    asks!(
        "sampling",
        "sampling/createMessage",
        r#"{"messages":[],"maxTokens":1}"#,
        Expect::Output("-32601"),
        "it asks for a language model, though none was offered"
    ),
    asks!(
        "elicitation",
        "elicitation/create",
        r#"{"message":"password?","requestedSchema":{"type":"object","properties":{}}}"#,
        Expect::Output(r#""result""#),
        "it asks the user something, though that was not offered, and is declined"
    ),
    asks!(
        "roots",
        "roots/list",
        "{}",
        Expect::Output(r#""result""#),
        "it asks for folders, though none were offered, and there are none"
    ),
    asks!(
        "sampling-broken",
        "sampling/createMessage",
        r#"{"messages":7}"#,
        Expect::Output("-32601"),
        "it asks for a language model in a broken way"
    ),
];

const LOG: &str = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"working"}}"#;
const UNKNOWN: &str = r#"{"jsonrpc":"2.0","method":"window/showMessage","params":{"type":3}}"#;
const LIST_CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

fn flood(server: &mut Server, request: &Request, line: &str) {
    let thousand = format!("{line}\n").repeat(1000);
    for _ in 0..100 {
        server.raw(&thousand);
    }
    server.done(request);
}

fn progress_flood(server: &mut Server, request: &Request) {
    let token = &request.message["params"]["_meta"]["progressToken"];
    let line = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
    );
    flood(server, request, &line);
}

fn progress_for_nobody(server: &mut Server, request: &Request) {
    server.line(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":1}}"#);
    server.done(request);
}

fn progress_broken(server: &mut Server, request: &Request) {
    server.line(
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":"half"}}"#,
    );
    server.done(request);
}

fn cancels(server: &mut Server, request: &Request) {
    server.line(format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{}}}}}"#,
        request.id
    ));
    server.done(request);
}

fn pings(server: &mut Server, request: &Request) {
    for id in 0..50 {
        server.line(format!(r#"{{"jsonrpc":"2.0","id":"ping-{id}","method":"ping"}}"#));
        let answer = server.read();
        if answer.is_none_or(|answer| answer.message["result"].is_null()) {
            return server.error(request, r#"{"code":1,"message":"the ping was not answered"}"#);
        }
    }
    server.done(request);
}

fn request_flood(server: &mut Server, request: &Request) {
    for id in 0..600 {
        server.line(format!(
            r#"{{"jsonrpc":"2.0","id":"r{id}","method":"sampling/createMessage","params":{{"messages":[],"maxTokens":1}}}}"#
        ));
    }
    server.done(request);
}

fn same_id(server: &mut Server, request: &Request) {
    server.line(format!(r#"{{"jsonrpc":"2.0","id":{},"method":"ping"}}"#, request.id));
    server.done(request);
}

fn null_id(server: &mut Server, request: &Request) {
    server.line(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#);
    server.done(request);
}

fn ask(server: &mut Server, request: &Request, method: &str, params: &str) {
    server.line(format!(r#"{{"jsonrpc":"2.0","id":"ask","method":"{method}","params":{params}}}"#));
    let Some(answer) = server.read() else { return };
    let output = match answer.message["error"]["code"].as_i64() {
        Some(code) => code.to_string(),
        None => "\"result\"".to_owned(),
    };
    server.answer(request, &format!(r#"{{"content":[],"structuredContent":{output}}}"#));
}
