//! Sessions that get lost, streams nobody asked for, and ends that won't be heard.

use callgate::Cause;

use super::{Act, Connection, HttpFault, Request, fault};
use crate::hostile::Expect;

const LOST: Expect = Expect::NotSent(Cause::SessionStopped);
const FINE: Expect = Expect::Output(r#"{"x":1}"#);

pub(super) const FAULTS: &[HttpFault] = &[
    fault(
        "session-404",
        Act::Echo(lost),
        LOST,
        "it has forgotten the session, and says so as the specification has it",
    )
    .ends(),
    fault(
        "session-400",
        Act::Echo(lost),
        LOST,
        "it has forgotten the session, and says so with an error without an id",
    )
    .ends(),
    fault(
        "session-400-text",
        Act::Echo(lost),
        LOST,
        "it has forgotten the session, and says so in plain text",
    )
    .ends(),
    fault(
        "session-restart",
        Act::Call(restart),
        Expect::OutcomeUnknown(Cause::SessionStopped),
        "it restarts in the middle of a call",
    )
    .ends(),
    fault(
        "listen-404",
        Act::Listen(|connection, _| connection.status(404)),
        FINE,
        "it says 404 for a stream that it doesn't have",
    ),
    fault(
        "listen-never",
        Act::Listen(|connection, _| connection.hang()),
        FINE,
        "it never answers to the question for a stream",
    ),
    fault("listen-ends", Act::Listen(ends), FINE, "its own stream ends at once, every time"),
    fault("listen-flood", Act::Listen(flood), FINE, "10,000 times its tool list has changed")
        .within_secs(10),
    fault("listen-large", Act::Listen(large), FINE, "an event without end on its own stream")
        .within_secs(10),
    fault(
        "listen-answers",
        Act::Listen(answers),
        FINE,
        "answers to requests that nobody made, on its own stream",
    ),
    fault(
        "delete-405",
        Act::Delete(|connection, _| connection.status(405)),
        FINE,
        "it doesn't want to be told of the end, which is no fault",
    ),
    fault(
        "delete-never",
        Act::Delete(|connection, _| connection.hang()),
        FINE,
        "it never answers to the end of the session",
    ),
];

fn lost(connection: &mut Connection, _request: &Request) {
    connection.forget_sessions();
    connection.refuse_session();
}

fn restart(connection: &mut Connection, _request: &Request) {
    connection.forget_sessions();
    connection.close();
}

fn ends(connection: &mut Connection, _request: &Request) {
    connection.events();
    connection.close();
}

fn flood(connection: &mut Connection, _request: &Request) {
    connection.events();
    for _ in 0..10_000 {
        connection.event(r#"data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
    }
    connection.hang();
}

fn large(connection: &mut Connection, _request: &Request) {
    connection.events();
    connection.raw("data: ");
    let piece = "y".repeat(1 << 20);
    while connection.is_open() {
        connection.raw(&piece);
    }
}

fn answers(connection: &mut Connection, _request: &Request) {
    connection.events();
    for id in 0..100 {
        connection.event(&format!(
            r#"data: {{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"forged"}}]}}}}"#
        ));
    }
    connection.hang();
}
