//! Bodies that should be one JSON text.

use callgate::Cause;

use super::{
    Act, Connection, HttpFault, Request, fault,
    server::{DONE, answer_text, pause},
};
use crate::hostile::Expect;

const BROKEN: Expect = Expect::OutcomeUnknown(Cause::ProtocolViolation);
const GONE: Expect = Expect::OutcomeUnknown(Cause::SessionStopped);
const LATE: Expect = Expect::OutcomeUnknown(Cause::Timeout);
const LARGE: Expect = Expect::OutcomeUnknown(Cause::TooLarge);
const FINE: Expect = Expect::Output(r#""done""#);

/// A mode that answers the first call with one body, in which `ID` stands for the id.
macro_rules! body {
    ($mode:literal, $body:expr, $expect:expr, $why:literal) => {
        fault(
            $mode,
            Act::Call(|connection: &mut Connection, request: &Request| {
                connection.json(200, &($body).replace("ID", &request.id));
            }),
            $expect,
            $why,
        )
    };
}

pub(super) const FAULTS: &[HttpFault] = &[
    body!("body-empty", "", BROKEN, "nothing at all"),
    body!("body-html", "<html>", BROKEN, "a web page that says of itself that it is JSON"),
    body!(
        "body-other-id",
        r#"{"jsonrpc":"2.0","id":99999,"result":{"content":[]}}"#,
        BROKEN,
        "an answer to another request"
    ),
    body!(
        "body-no-id",
        r#"{"jsonrpc":"2.0","result":{"content":[]}}"#,
        BROKEN,
        "a result without an id"
    ),
    body!(
        "body-no-id-error",
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}"#,
        Expect::Rejected(-32700),
        "an error without an id"
    ),
    body!(
        "body-no-jsonrpc",
        r#"{"id":ID,"result":{"content":[]}}"#,
        BROKEN,
        "the member jsonrpc is missing"
    ),
    body!(
        "body-both",
        r#"{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"m"}}"#,
        BROKEN,
        "both a result and an error"
    ),
    body!(
        "body-batch",
        r#"[{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}]"#,
        BROKEN,
        "a batch, which MCP no longer has"
    ),
    body!(
        "body-request",
        r#"{"jsonrpc":"2.0","id":ID,"method":"ping"}"#,
        BROKEN,
        "a request instead of an answer"
    ),
    body!(
        "body-code-string",
        r#"{"jsonrpc":"2.0","id":ID,"error":{"code":"E","message":"m"}}"#,
        BROKEN,
        "the code of the error is text"
    ),
    body!(
        "body-lone-surrogate",
        r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"\ud83d"}]}}"#,
        BROKEN,
        "half a surrogate pair"
    ),
    fault("body-nested", Act::Call(nested), BROKEN, "100,000 levels of arrays"),
    fault("body-two", Act::Call(two), BROKEN, "two answers in one body"),
    fault("body-cut", Act::Call(cut), GONE, "it closes within the body"),
    fault("body-stalls", Act::Call(stalls), LATE, "it stops within the body").within_secs(4),
    fault("body-slow", Act::Call(slow), LATE, "the body comes byte by byte").within_secs(4),
    fault("body-endless", Act::Call(endless), LARGE, "a body without end").within_secs(10),
    fault(
        "body-promised-large",
        Act::Call(|connection, _| {
            connection.response(
                200,
                "content-type: application/json\r\ncontent-length: 1000000000000",
                "{",
            );
            connection.hang();
        }),
        LARGE,
        "a terabyte is announced",
    ),
    fault(
        "body-chunk-nonsense",
        Act::Call(|connection, _| {
            connection.response(
                200,
                "content-type: application/json\r\ntransfer-encoding: chunked",
                "zz\r\n{}",
            );
            connection.close();
        }),
        GONE,
        "the size of a chunk is no number",
    ),
    fault(
        "body-chunk-cut",
        Act::Call(chunk_cut),
        GONE,
        "the whole answer, without the end of the chunks",
    ),
    fault(
        "body-too-long",
        Act::Call(too_long),
        FINE,
        "more bytes than were announced, after the answer",
    ),
    fault(
        "body-until-close",
        Act::Call(until_close),
        FINE,
        "a body that ends with its connection, which is no fault",
    ),
];

fn nested(connection: &mut Connection, request: &Request) {
    let levels = 100_000;
    let value = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    connection.answer(request, &format!(r#"{{"structuredContent":{value}}}"#));
}

fn two(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, DONE);
    connection.json(200, &format!("{text}{text}"));
}

fn cut(connection: &mut Connection, request: &Request) {
    half(connection, request);
    connection.close();
}

fn stalls(connection: &mut Connection, request: &Request) {
    half(connection, request);
    connection.hang();
}

fn half(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, DONE);
    let headers = format!("content-type: application/json\r\ncontent-length: {}", text.len());
    connection.response(200, &headers, &text[..text.len() / 2]);
}

fn slow(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, &format!(r#"{{"content":[],"x":"{}"}}"#, "y".repeat(1000)));
    let headers = format!("content-type: application/json\r\ncontent-length: {}", text.len());
    connection.response(200, &headers, "");
    for byte in text.as_bytes() {
        if !connection.is_open() {
            return;
        }
        connection.raw([*byte]);
        pause();
    }
}

fn endless(connection: &mut Connection, request: &Request) {
    let start = format!(r#"{{"jsonrpc":"2.0","id":{},"result":""#, request.id);
    connection.response(200, "content-type: application/json\r\nconnection: close", &start);
    let piece = "y".repeat(1 << 20);
    while connection.is_open() {
        connection.raw(&piece);
    }
}

fn chunk_cut(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, DONE);
    let body = format!("{:x}\r\n{text}\r\n", text.len());
    connection.response(200, "content-type: application/json\r\ntransfer-encoding: chunked", &body);
    connection.close();
}

/// All in one piece: sent later, it could be taken for the answer to the next request, and no client could tell.
fn too_long(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, DONE);
    let headers = format!("content-type: application/json\r\ncontent-length: {}", text.len());
    let more = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n{}";
    connection.response(200, &headers, &format!("{text}{more}"));
}

fn until_close(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, DONE);
    connection.response(200, "content-type: application/json\r\nconnection: close", &text);
    connection.close();
}
