//! Servers of one era that are asked in the other, and servers of the newer era whose calls never come to an end.

use std::process;

use callgate::Cause;

use super::{Act, Expect, Fault, Request, Server, fault};

const FINE: Expect = Expect::Output(r#"{"x":1}"#);
const DONE: Expect = Expect::Output(r#""done""#);
const VIOLATION: Expect = Expect::OutcomeUnknown(Cause::ProtocolViolation);
const NO_INPUT: Expect = Expect::OutcomeUnknown(Cause::InputRequired);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "discover-exits",
        Act::Discover(|_, _| process::exit(0)),
        FINE,
        "it exits when it is asked the newer way",
    ),
    fault(
        "discover-never",
        Act::Discover(|_, _| ()),
        FINE,
        "it is silent when it is asked the newer way",
    )
    .within_secs(4),
    fault(
        "discover-empty",
        Act::Discover(|server, request| server.answer(request, "{}")),
        FINE,
        "it answers every method that it doesn't know with an empty object",
    ),
    fault(
        "discover-null",
        Act::Discover(|server, request| server.answer(request, "null")),
        FINE,
        "what it discovers is null",
    ),
    fault(
        "discover-not-json",
        Act::Discover(|server, _| server.line("unknown method: server/discover")),
        FINE,
        "it answers the newer way with prose",
    )
    .within_secs(4),
    fault(
        "discover-other-id",
        Act::Discover(|server, _| {
            server.line(r#"{"jsonrpc":"2.0","id":"other","error":{"code":-32601,"message":"no"}}"#)
        }),
        FINE,
        "it refuses the newer way under another id",
    )
    .within_secs(4),
    fault(
        "discover-null-id",
        Act::Discover(|server, _| {
            server.line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not initialised"}}"#)
        }),
        FINE,
        "it refuses the newer way with an error without an id",
    )
    .within_secs(4),
    fault(
        "discover-old-versions",
        Act::Discover(|server, request| discovered(server, request, "2025-11-25")),
        FINE,
        "it knows the newer way, and only the older versions",
    ),
    fault("stateless", Act::Stateless(Server::done), DONE, "it knows the newer era alone, which is no fault"),
    fault(
        "input-for-ever",
        Act::Stateless(|server, request| {
            let wish = r#"{"resultType":"input_required","requestState":"more"}"#;
            again(server, request, wish);
        }),
        NO_INPUT,
        "it wants the call again and again",
    ),
    fault(
        "input-declined",
        Act::Stateless(|server, request| {
            server.answer(request, r#"{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}"#);
            let Some(again) = server.read() else { return };
            let action = &again.message["params"]["inputResponses"]["a"]["action"];
            let answer = format!(r#"{{"content":[{{"type":"text","text":{action}}}]}}"#);
            server.answer(&again, &answer);
        }),
        Expect::Output(r#""decline""#),
        "it asks a person who isn't there",
    ),
    fault(
        "input-sampling",
        Act::Stateless(|server, request| server.answer(request, r#"{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage","params":{}}}}"#)),
        NO_INPUT,
        "it wants a model's words in the middle of the call",
    ),
    fault(
        "input-of-nothing",
        Act::Stateless(|server, request| server.answer(request, r#"{"resultType":"input_required"}"#)),
        VIOLATION,
        "it wants input and does not say which",
    ),
    fault(
        "task-for-ever",
        Act::Stateless(|server, request| {
            make_task(server, request);
            while let Some(request) = server.read() {
                match request.method.as_str() {
                    "tasks/get" => tell(server, &request, "working", ""),
                    _ => server.behave(&request),
                }
            }
        }),
        Expect::OutcomeUnknown(Cause::Timeout),
        "it makes a task of the call that never ends",
    )
    .within_secs(4),
    fault(
        "task-done",
        Act::Stateless(|server, request| {
            task(server, request, "completed", r#","result":{"content":[{"type":"text","text":"done"}]}"#);
        }),
        DONE,
        "it makes a task of the call, which is no fault",
    ),
    fault(
        "task-failed",
        Act::Stateless(|server, request| {
            task(server, request, "failed", r#","error":{"code":-32050,"message":"no"}"#);
        }),
        Expect::Rejected(-32050),
        "its task fails",
    ),
    fault(
        "task-empty",
        Act::Stateless(|server, request| task(server, request, "completed", "")),
        VIOLATION,
        "its task is completed and has no result",
    ),
    fault(
        "task-odd-status",
        Act::Stateless(|server, request| task(server, request, "resting", "")),
        VIOLATION,
        "its task is in a state that doesn't exist",
    ),
    fault(
        "task-forgotten",
        Act::Stateless(|server, request| {
            make_task(server, request);
            if let Some(get) = server.read() {
                server.error(&get, r#"{"code":-32602,"message":"no such task"}"#);
            }
        }),
        VIOLATION,
        "it forgets its own task",
    ),
];

/// Answers `server/discover`.
pub(super) fn discovered(server: &mut Server, request: &Request, version: &str) {
    let result = format!(
        r#"{{"resultType":"complete","supportedVersions":["{version}"],"capabilities":{{"tools":{{}}}},"ttlMs":0,"cacheScope":"private"}}"#
    );
    server.answer(request, &result);
}

/// Answers the call, and each time that it is made again, with the same result.
fn again(server: &mut Server, request: &Request, result: &str) {
    server.answer(request, result);
    while let Some(request) = server.read() {
        match request.message["params"].get("requestState") {
            Some(_) => server.answer(&request, result),
            None => return server.behave(&request),
        }
    }
}

/// Makes a task of the call, and ends it at the first question for it.
fn task(server: &mut Server, request: &Request, status: &str, more: &str) {
    make_task(server, request);
    if let Some(get) = server.read() {
        tell(server, &get, status, more);
    }
}

fn make_task(server: &mut Server, request: &Request) {
    server.answer(request, &format!(r#"{{"resultType":"task","status":"working"{TASK}}}"#));
}

fn tell(server: &mut Server, request: &Request, status: &str, more: &str) {
    server.answer(
        request,
        &format!(r#"{{"resultType":"complete","status":"{status}"{TASK}{more}}}"#),
    );
}

/// The members that every word on the task has.
const TASK: &str = r#","taskId":"t","pollIntervalMs":50,"createdAt":"2026-11-30T00:00:00Z","lastUpdatedAt":"2026-11-30T00:00:00Z","ttlMs":null"#;
