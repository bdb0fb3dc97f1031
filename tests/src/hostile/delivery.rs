//! Good answers in bad parcels, and bad company on the same pipe.
#![expect(clippy::disallowed_methods, reason = "a slow server sleeps; nobody waits for it")]

use std::{thread, time::Duration};

use callgate::Cause;

use super::{Act, Arguments, Expect, Fault, Request, Server, Session, fault, server::DONE};

const FINE: Expect = Expect::Output(r#""done""#);
const TOO_LARGE: Expect = Expect::OutcomeUnknown(Cause::TooLarge);

pub(super) const FAULTS: &[Fault] = &[
    fault("single-bytes", Act::Call(single_bytes), FINE, "one byte at a time, a millisecond apart"),
    fault(
        "split-utf8",
        Act::Call(split_utf8),
        Expect::Output(r#""grün 🦀""#),
        "writes that end within a character",
    ),
    fault(
        "crlf",
        Act::Call(|server, request| surrounded(server, request, "", "\r")),
        FINE,
        "lines end as on Windows",
    ),
    fault(
        "bom",
        Act::Call(|server, request| surrounded(server, request, "\u{feff}", "")),
        FINE,
        "a byte order mark before the message",
    ),
    fault(
        "spaces",
        Act::Call(|server, request| surrounded(server, request, "  \t", " \t ")),
        FINE,
        "white space around the message",
    ),
    fault(
        "blank-lines",
        Act::Call(|server, request| surrounded(server, request, "\n\r\n \n", "\n\n")),
        FINE,
        "empty lines around the message",
    ),
    fault(
        "log-lines",
        Act::Call(|server, request| {
            surrounded(server, request, "[12:30:01] INFO working\nstill working...\n", "\nready\n")
        }),
        FINE,
        "log lines between the messages",
    ),
    fault(
        "json-log-lines",
        Act::Call(|server, request| {
            surrounded(server, request, "{\"level\":\"info\",\"msg\":\"working\"}\n", "")
        }),
        FINE,
        "log lines that are JSON",
    ),
    fault(
        "two-in-one-line",
        Act::Call(two_in_one_line),
        Expect::OutcomeUnknown(Cause::ProtocolViolation),
        "two messages in one line",
    ),
    fault(
        "huge-line",
        Act::Call(|server, request| huge(server, request, Order::IdFirst)),
        TOO_LARGE,
        "an answer of 65 MiB",
    )
    .within_secs(15),
    fault(
        "huge-line-id-last",
        Act::Call(|server, request| huge(server, request, Order::IdLast)),
        TOO_LARGE,
        "an answer of 65 MiB that says at its end whose it is",
    )
    .within_secs(15),
    fault("endless-line", Act::Call(endless_line), TOO_LARGE, "an answer without an end")
        .within_secs(15)
        .ends(),
    fault(
        "endless-noise",
        Act::Call(endless_noise),
        Expect::OutcomeUnknown(Cause::ProtocolViolation),
        "nonsense for ever",
    )
    .ends(),
    fault(
        "binary",
        Act::Call(binary),
        Expect::OutcomeUnknown(Cause::ProtocolViolation),
        "something that isn't even text",
    )
    .ends(),
    Fault {
        session: Session::Unusable,
        arguments: Arguments::Big,
        ..fault(
            "stdin-never-read",
            Act::List(stop_reading),
            Expect::OutcomeUnknown(Cause::Timeout),
            "the input is never read again, and the request has 4 MiB",
        )
        .within_secs(4)
    },
    fault(
        "stdin-slowly-read",
        Act::Call(|server, request| server.done(request)),
        FINE,
        "a request of 4 MiB, which is no fault",
    )
    .with(Arguments::Big),
];

enum Order {
    IdFirst,
    IdLast,
}

fn message(request: &Request) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"result":{DONE}}}"#, request.id)
}

fn single_bytes(server: &mut Server, request: &Request) {
    for byte in format!("{}\n", message(request)).bytes() {
        server.raw([byte]);
        thread::sleep(Duration::from_millis(1));
    }
}

fn split_utf8(server: &mut Server, request: &Request) {
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"grün 🦀\"}}]}}}}\n",
        request.id
    );
    let bytes = line.as_bytes();
    let within = |text: &str| line.find(text).map_or(0, |at| at + 1);
    let (first, second) = (within("ü"), within("🦀"));
    for part in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
        server.raw(part);
        thread::sleep(Duration::from_millis(20));
    }
}

fn surrounded(server: &mut Server, request: &Request, before: &str, after: &str) {
    server.line(format!("{before}{}{after}", message(request)));
}

fn two_in_one_line(server: &mut Server, request: &Request) {
    server.line(message(request).repeat(2));
}

fn huge(server: &mut Server, request: &Request, order: Order) {
    let id = &request.id;
    let (head, tail) = match order {
        Order::IdFirst => {
            (format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"x":""#), "\"}}".to_owned())
        }
        Order::IdLast => {
            (r#"{"result":{"x":""#.to_owned(), format!(r#""}},"jsonrpc":"2.0","id":{id}}}"#))
        }
    };
    server.raw(head);
    for _ in 0..65 {
        server.raw(vec![b'x'; 1 << 20]);
    }
    server.line(tail);
}

fn endless_line(server: &mut Server, request: &Request) {
    server.raw(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"x":""#, request.id));
    loop {
        server.raw(vec![b'x'; 1 << 20]);
    }
}

fn endless_noise(server: &mut Server, _request: &Request) {
    loop {
        server.line("lorem ipsum dolor sit amet");
    }
}

fn binary(server: &mut Server, _request: &Request) {
    let bytes: Vec<u8> = (0..=255).collect();
    loop {
        server.raw(&bytes);
    }
}

/// Keeps the pipes open and does nothing, until the client has had enough.
fn stop_reading(server: &mut Server, request: &Request) {
    server.list(request);
    loop {
        thread::park();
    }
}
