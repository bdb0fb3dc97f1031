//! Heads of responses that promise no answer, are none, or never end.

use callgate::Cause;

use super::{
    Act, Connection, HttpFault, Request, fault,
    server::{DONE, answer_text, pause},
};
use crate::hostile::{Arguments, Expect};

const BROKEN: Expect = Expect::OutcomeUnknown(Cause::ProtocolViolation);
const GONE: Expect = Expect::OutcomeUnknown(Cause::SessionStopped);
const LATE: Expect = Expect::OutcomeUnknown(Cause::Timeout);

pub(super) const FAULTS: &[HttpFault] = &[
    fault(
        "head-never",
        Act::Call(|connection, _| connection.hang()),
        LATE,
        "it never begins to answer",
    )
    .within_secs(4),
    fault("head-slow", Act::Call(slow), LATE, "the head comes byte by byte").within_secs(4),
    fault("head-endless", Act::Call(endless), GONE, "headers without end"),
    fault("head-continues", Act::Call(continues), LATE, "one 100 Continue after the other")
        .within_secs(4),
    fault(
        "head-cut",
        Act::Call(|connection, _| {
            connection.raw("HTTP/1.1 200 OK\r\ncontent-ty");
            connection.close();
        }),
        GONE,
        "it closes within the head",
    ),
    fault(
        "head-none",
        Act::Call(|connection, _| connection.close()),
        GONE,
        "it closes instead of answering",
    ),
    fault(
        "head-nonsense",
        Act::Call(|connection, _| {
            connection.raw("HTTP/1.1 abc\r\n\r\n");
            connection.close();
        }),
        GONE,
        "the status is no number",
    ),
    fault(
        "head-two-lengths",
        Act::Call(|connection, _| {
            connection.response(
                200,
                "content-type: application/json\r\ncontent-length: 5\r\ncontent-length: 7",
                "",
            )
        }),
        GONE,
        "two lengths of the body",
    ),
    fault(
        "head-upgrade",
        Act::Call(|connection, _| {
            connection.response(101, "connection: upgrade\r\nupgrade: websocket", "");
            connection.hang();
        }),
        GONE,
        "it changes to another protocol",
    ),
    fault(
        "upload-unread",
        Act::Upload(|connection, _| connection.hang_unread()),
        LATE,
        "it doesn't read a call of 4 MiB",
    )
    .with(Arguments::Big)
    .within_secs(4),
    fault(
        "upload-refused",
        Act::Upload(|connection, _| {
            connection.response(413, "connection: close\r\ncontent-length: 0", "");
            connection.linger();
        }),
        Expect::NotSent(Cause::TooLarge),
        "it refuses a call of 4 MiB before it has read it",
    )
    .with(Arguments::Big),
    fault(
        "upload-cut",
        Act::Upload(|connection, _| connection.close()),
        GONE,
        "it closes in the middle of a call of 4 MiB",
    )
    .with(Arguments::Big),
    fault(
        "call-202",
        Act::Call(|connection, _| connection.status(202)),
        BROKEN,
        "it accepts the call and never answers it",
    ),
    fault(
        "call-204",
        Act::Call(|connection, _| connection.response(204, "x-nothing: 1", "")),
        BROKEN,
        "no content",
    ),
    fault(
        "call-html",
        Act::Call(|connection, _| connection.body(200, "text/html", "<h1>Please log in</h1>")),
        BROKEN,
        "a web page instead of an answer",
    ),
    fault(
        "call-text",
        Act::Call(text),
        BROKEN,
        "an answer that says of itself that it is plain text",
    ),
    fault("call-untyped", Act::Call(untyped), BROKEN, "an answer without a media type"),
    fault(
        "call-gzip",
        Act::Call(|connection, _| {
            connection.response(
                200,
                "content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 4",
                "\x1f\x08\x00\x00",
            )
        }),
        BROKEN,
        "it compresses although nobody asked",
    ),
];

fn slow(connection: &mut Connection, request: &Request) {
    let text = format!("HTTP/1.1 200 OK\r\nx-padding: {}\r\n", request.path.repeat(1000));
    for byte in text.as_bytes() {
        if !connection.is_open() {
            return;
        }
        connection.raw([*byte]);
        pause();
    }
}

fn endless(connection: &mut Connection, _request: &Request) {
    connection.raw("HTTP/1.1 200 OK\r\n");
    for number in 0_u64.. {
        if !connection.is_open() {
            return;
        }
        connection.raw(format!("x-{number}: {number}\r\n"));
    }
}

fn continues(connection: &mut Connection, _request: &Request) {
    while connection.is_open() {
        connection.raw("HTTP/1.1 100 Continue\r\n\r\n");
        pause();
    }
}

fn text(connection: &mut Connection, request: &Request) {
    connection.body(200, "text/plain", &answer_text(request, DONE));
}

fn untyped(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, DONE);
    connection.response(200, &format!("content-length: {}", text.len()), &text);
}
