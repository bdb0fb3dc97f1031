//! Calls that are refused, sent elsewhere or counted: what the server says about the caller and not about the call.

use callgate::Cause;

use super::{Act, Connection, HttpFault, Request, Server, fault, find, server::NO_SESSION};
use crate::hostile::Expect;

const REFUSED: Expect = Expect::NotSent(Cause::ConnectFailed);
const FAILED: Expect = Expect::OutcomeUnknown(Cause::SessionStopped);

pub(super) const FAULTS: &[HttpFault] = &[
    fault(
        "call-401",
        Act::Call(|connection, _| {
            connection.response(
                401,
                "www-authenticate: Bearer error=\"invalid_token\"\r\ncontent-length: 0",
                "",
            )
        }),
        REFUSED,
        "the token is no longer good",
    ),
    fault(
        "call-401-error",
        Act::Call(access_error),
        REFUSED,
        "the token is no longer good, said also as an error",
    ),
    fault(
        "call-403",
        Act::Call(|connection, _| {
            connection.response(
                403,
                "www-authenticate: Bearer error=\"insufficient_scope\"\r\ncontent-length: 0",
                "",
            )
        }),
        REFUSED,
        "the token is good for less",
    ),
    fault(
        "call-429",
        Act::Call(|connection, _| {
            connection.response(429, "retry-after: 120\r\ncontent-length: 0", "")
        }),
        REFUSED,
        "too many requests",
    ),
    fault(
        "call-413",
        Act::Call(|connection, _| connection.status(413)),
        Expect::NotSent(Cause::TooLarge),
        "the call is too large",
    ),
    fault(
        "call-400-text",
        Act::Call(|connection, _| connection.body(400, "text/plain", "bad request")),
        Expect::NotSent(Cause::ProtocolViolation),
        "a refusal in plain text, while the session lives",
    ),
    fault(
        "call-400-error",
        Act::Call(|connection, _| connection.json(400, NO_SESSION)),
        Expect::Rejected(-32000),
        "an error without an id, while the session lives",
    ),
    fault(
        "call-500",
        Act::Call(|connection, _| connection.body(500, "text/html", "<h1>Oops</h1>")),
        FAILED,
        "it fails",
    ),
    fault(
        "call-502",
        Act::Call(|connection, _| connection.body(502, "text/html", "<h1>Bad gateway</h1>")),
        FAILED,
        "a gateway fails before or after it passed the call on",
    ),
    fault(
        "call-503-error",
        Act::Call(server_error),
        Expect::Rejected(-32603),
        "it fails, and says it as MCP has it",
    ),
    fault(
        "redirect-within",
        Act::Call(within),
        Expect::Output(r#"{"x":1}"#),
        "the call is sent on to another path, which is no fault",
    ),
    fault(
        "redirect-away",
        Act::Call(away),
        REFUSED,
        "the call is sent on to another origin, which would answer",
    ),
    fault(
        "redirect-get",
        Act::Call(|connection, _| {
            connection.response(303, "location: /elsewhere\r\ncontent-length: 0", "")
        }),
        REFUSED,
        "the answer is said to be found with GET",
    ),
    fault(
        "redirect-circle",
        Act::Call(|connection, request| {
            connection.response(
                308,
                &format!("location: {}\r\ncontent-length: 0", request.path),
                "",
            )
        }),
        Expect::Output(r#"{"x":1}"#),
        "the call is sent on to where it came from, once",
    ),
    fault(
        "redirect-file",
        Act::Call(|connection, _| {
            connection.response(307, "location: file:///etc/passwd\r\ncontent-length: 0", "")
        }),
        REFUSED,
        "the call is sent on to a file",
    ),
    fault(
        "redirect-nowhere",
        Act::Call(|connection, _| connection.response(307, "content-length: 0", "")),
        REFUSED,
        "the call is sent on without an address",
    ),
];

fn access_error(connection: &mut Connection, request: &Request) {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32001,"message":"unauthorized"}}}}"#,
        request.id
    );
    connection.json(401, &text);
}

fn server_error(connection: &mut Connection, request: &Request) {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32603,"message":"overloaded"}}}}"#,
        request.id
    );
    connection.json(503, &text);
}

fn within(connection: &mut Connection, _request: &Request) {
    connection.response(307, "location: /mcp/\r\ncontent-length: 0", "");
}

/// Another port is another origin, and a client that goes there gets the answer.
fn away(connection: &mut Connection, _request: &Request) {
    let elsewhere = find("redirect-within").map(Server::bind);
    let Some(Ok(elsewhere)) = elsewhere else { return connection.close() };
    let Ok(url) = elsewhere.url() else { return connection.close() };
    std::thread::spawn(move || elsewhere.serve());
    connection.response(307, &format!("location: {url}\r\ncontent-length: 0"), "");
}
