//! Answers on event streams, and the resumption of streams that ended without one.

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

pub(super) const FAULTS: &[HttpFault] = &[
    fault("events-ends", Act::Call(ends), GONE, "the stream ends without the answer"),
    fault("events-silent", Act::Call(silent), LATE, "the stream stays silent").within_secs(4),
    fault("events-comments", Act::Call(comments), LATE, "comments without end").within_secs(4),
    fault("events-unknown", Act::Call(unknown), LATE, "events of an unknown kind without end")
        .within_secs(4),
    fault(
        "events-endless-line",
        Act::Call(endless_line),
        LARGE,
        "an event without end, in one line",
    )
    .within_secs(10),
    fault(
        "events-endless-lines",
        Act::Call(endless_lines),
        LARGE,
        "an event without end, in many lines",
    )
    .within_secs(10),
    fault("events-cut", Act::Call(cut), GONE, "it closes within the answer"),
    fault(
        "events-unfinished",
        Act::Call(unfinished),
        GONE,
        "the empty line that ends the event is missing",
    ),
    fault(
        "events-nonsense",
        Act::Call(|connection, _| one_event(connection, "{")),
        BROKEN,
        "an event that isn't JSON",
    ),
    fault(
        "events-other-id",
        Act::Call(|connection, _| {
            one_event(connection, r#"{"jsonrpc":"2.0","id":99999,"result":{"content":[]}}"#)
        }),
        BROKEN,
        "an answer to another request",
    ),
    fault(
        "events-no-id-error",
        Act::Call(|connection, _| {
            one_event(connection, r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"}}"#)
        }),
        Expect::Rejected(-32603),
        "an error without an id",
    ),
    fault("events-bad-utf8", Act::Call(bad_utf8), BROKEN, "bytes that are not UTF-8"),
    fault("events-twice", Act::Call(twice), FINE, "the answer twice"),
    fault("events-stay-open", Act::Call(stay_open), FINE, "the stream stays open after the answer"),
    fault(
        "events-bytes",
        Act::Call(bytes),
        FINE,
        "the answer byte by byte, with all three ends of lines",
    )
    .within_secs(3),
    fault(
        "events-flood",
        Act::Call(flood),
        FINE,
        "20,000 notifications of progress before the answer",
    )
    .within_secs(10),
    fault(
        "events-asks",
        Act::Call(asks),
        FINE,
        "it asks the client for something that nobody offered",
    ),
    fault(
        "resume-answers",
        Act::Resume(ends_with_id, resume_answers),
        FINE,
        "the answer comes on the resumed stream, which is no fault",
    ),
    fault(
        "resume-404",
        Act::Resume(ends_with_id, |connection, _| connection.status(404)),
        GONE,
        "the stream can't be found any more",
    ),
    fault(
        "resume-405",
        Act::Resume(ends_with_id, |connection, _| connection.status(405)),
        GONE,
        "it gives ids and can't resume",
    ),
    fault(
        "resume-500",
        Act::Resume(ends_with_id, |connection, _| connection.status(500)),
        GONE,
        "it fails to resume",
    ),
    fault(
        "resume-empty",
        Act::Resume(ends_with_id, |connection, _| {
            connection.events();
            connection.close();
        }),
        GONE,
        "the resumed stream is empty",
    ),
    fault(
        "resume-html",
        Act::Resume(ends_with_id, |connection, _| connection.body(200, "text/html", "<html>")),
        GONE,
        "a web page instead of a stream",
    ),
    fault(
        "resume-closes",
        Act::Resume(ends_with_id, |connection, _| connection.close()),
        GONE,
        "it closes instead of resuming",
    ),
    fault(
        "resume-silent",
        Act::Resume(ends_with_id, |connection, _| {
            connection.events();
            connection.hang();
        }),
        LATE,
        "the resumed stream stays silent",
    )
    .within_secs(4),
    fault(
        "resume-circle",
        Act::Resume(ends_with_id, ends_with_id),
        LATE,
        "every resumed stream ends after an id",
    )
    .within_secs(4),
    fault(
        "resume-much-later",
        Act::Resume(much_later, resume_answers),
        LATE,
        "it asks for a pause of a year",
    )
    .within_secs(4),
];

fn ends(connection: &mut Connection, _request: &Request) {
    connection.events();
    connection.event(": nothing to say");
    connection.close();
}

fn silent(connection: &mut Connection, _request: &Request) {
    connection.events();
    connection.hang();
}

fn comments(connection: &mut Connection, _request: &Request) {
    connection.events();
    while connection.is_open() {
        connection.event(": still here");
        pause();
    }
}

fn unknown(connection: &mut Connection, _request: &Request) {
    connection.events();
    while connection.is_open() {
        connection.event("event: heartbeat\ndata: {}");
        pause();
    }
}

fn endless_line(connection: &mut Connection, _request: &Request) {
    connection.events();
    connection.raw("data: ");
    let piece = "y".repeat(1 << 20);
    while connection.is_open() {
        connection.raw(&piece);
    }
}

fn endless_lines(connection: &mut Connection, _request: &Request) {
    connection.events();
    let piece = format!("data: {}\n", "y".repeat(1000)).repeat(1000);
    while connection.is_open() {
        connection.raw(&piece);
    }
}

fn cut(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, DONE);
    connection.events();
    connection.raw(format!("data: {}", &text[..text.len() / 2]));
    connection.close();
}

fn unfinished(connection: &mut Connection, request: &Request) {
    connection.events();
    connection.raw(format!("data: {}\n", answer_text(request, DONE)));
    connection.close();
}

fn one_event(connection: &mut Connection, data: &str) {
    connection.events();
    connection.event(&format!("data: {data}"));
    connection.hang();
}

fn bad_utf8(connection: &mut Connection, request: &Request) {
    connection.events();
    connection.raw(format!(r#"data: {{"jsonrpc":"2.0","id":{},"result":{{"x":"#, request.id));
    connection.raw(b"\"\xc3\x28\xff\"}}\n\n");
    connection.hang();
}

fn twice(connection: &mut Connection, request: &Request) {
    let text = answer_text(request, DONE);
    connection.events();
    connection.event(&format!("data: {text}\n\ndata: {text}"));
    connection.close();
}

fn stay_open(connection: &mut Connection, request: &Request) {
    connection.events();
    connection.event(&format!("event: message\ndata: {}", answer_text(request, DONE)));
    connection.hang();
}

fn bytes(connection: &mut Connection, request: &Request) {
    connection.events();
    let text = format!(": hi\r\rid: 1\r\ndata: {}\r\n\n", answer_text(request, DONE));
    for byte in text.as_bytes() {
        connection.raw([*byte]);
    }
    connection.close();
}

fn flood(connection: &mut Connection, request: &Request) {
    let token = &request.message["params"]["_meta"]["progressToken"];
    connection.events();
    for step in 0..20_000 {
        connection.event(&format!(
            r#"data: {{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{step}}}}}"#
        ));
    }
    connection.event(&format!("data: {}", answer_text(request, DONE)));
    connection.close();
}

fn asks(connection: &mut Connection, request: &Request) {
    connection.events();
    connection.event(r#"data: {"jsonrpc":"2.0","id":"mine","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}"#);
    connection.event(r#"data: {"jsonrpc":"2.0","id":"mine too","method":"no/such/method"}"#);
    connection.event(&format!("data: {}", answer_text(request, DONE)));
    connection.close();
}

fn ends_with_id(connection: &mut Connection, _request: &Request) {
    connection.events();
    connection.event("id: 1-0\nretry: 10\ndata:");
    connection.close();
}

fn much_later(connection: &mut Connection, _request: &Request) {
    connection.events();
    connection.event("id: 1-0\nretry: 31536000000\ndata:");
    connection.close();
}

/// The id of the call is no longer at hand: rmcp counts from 0, and this server answers whatever it was last asked.
fn resume_answers(connection: &mut Connection, _request: &Request) {
    let text = connection.last_call_answer(DONE);
    connection.events();
    connection.event(&format!("id: 1-1\ndata: {text}"));
    connection.close();
}
