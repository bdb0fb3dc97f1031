//! Servers that never get as far as a session, or come to it in an odd way.
#![expect(clippy::disallowed_methods, reason = "a slow server sleeps; nobody waits for it")]

use std::{process, thread, time::Duration};

use callgate::Cause;

use super::{Act, Expect, Fault, Request, Server, fault};

const FINE: Expect = Expect::Output(r#"{"x":1}"#);
const FAILED: Expect = Expect::NotSent(Cause::ConnectFailed);

pub(super) const FAULTS: &[Fault] = &[
    fault("start-exits", Act::Start(|_| process::exit(7)), FAILED, "it exits at once").unusable(),
    fault("start-garbage", Act::Start(garbage), FAILED, "it writes nonsense from the start")
        .unusable(),
    fault(
        "start-banner",
        Act::Start(|server| server.line("Welcome to hostile-stdio 1.0\n===")),
        FINE,
        "it greets before the first message",
    ),
    fault(
        "start-slow",
        Act::Start(|_| thread::sleep(Duration::from_millis(500))),
        FINE,
        "it starts slowly",
    )
    .within_secs(4),
    fault("init-never", Act::Initialize(|_, _| ()), FAILED, "it never answers initialize")
        .unusable()
        .within_secs(6),
    fault("init-exits", Act::Initialize(|_, _| process::exit(0)), FAILED, "it exits on initialize")
        .unusable(),
    fault(
        "init-closes",
        Act::Initialize(half_an_answer),
        FAILED,
        "it exits within the answer to initialize",
    )
    .unusable(),
    fault(
        "init-error",
        Act::Initialize(|server, request| {
            server.error(request, r#"{"code":-32000,"message":"no licence"}"#)
        }),
        FAILED,
        "it refuses to initialise",
    )
    .unusable(),
    fault(
        "init-null",
        Act::Initialize(|server, request| server.answer(request, "null")),
        FAILED,
        "the result of initialize is null",
    )
    .unusable(),
    fault(
        "init-text",
        Act::Initialize(|server, request| server.answer(request, r#""hello""#)),
        FAILED,
        "the result of initialize is text",
    )
    .unusable(),
    fault(
        "init-other-shape",
        Act::Initialize(|server, request| server.answer(request, r#"{"content":[]}"#)),
        FAILED,
        "the result of initialize is that of a call",
    )
    .unusable(),
    fault(
        "init-other-id",
        Act::Initialize(other_id),
        FAILED,
        "the answer to initialize has another id",
    )
    .unusable()
    .within_secs(6),
    fault(
        "init-no-jsonrpc",
        Act::Initialize(no_jsonrpc),
        FAILED,
        "the answer to initialize isn't JSON-RPC",
    )
    .unusable(),
    fault(
        "init-null-id-error",
        Act::Initialize(null_id),
        FAILED,
        "initialize is answered by an error without an id",
    )
    .unusable(),
    fault(
        "init-version-nonsense",
        Act::Initialize(|server, request| version(server, request, "banana")),
        FAILED,
        "it speaks a version that doesn't exist",
    )
    .unusable(),
    fault(
        "init-version-old",
        Act::Initialize(|server, request| version(server, request, "2024-11-05")),
        FINE,
        "it speaks the oldest version, which is no fault",
    ),
    fault("init-twice", Act::Initialize(twice), FINE, "it answers initialize twice"),
    fault(
        "init-ping-first",
        Act::Initialize(ping_first),
        FINE,
        "it sends a ping and a log message before its answer",
    ),
    fault(
        "initialized-exits",
        Act::Initialized(|_| process::exit(0)),
        Expect::NotSent(Cause::SessionStopped),
        "it exits once it is initialised",
    )
    .unusable(),
    fault(
        "initialized-error",
        Act::Initialized(initialized_error),
        FINE,
        "it answers a notification with an error",
    ),
];

fn garbage(server: &mut Server) {
    loop {
        server.line("%PDF-1.7 and so on");
    }
}

fn half_an_answer(server: &mut Server, request: &Request) {
    server.raw(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"protocolVersion":"#, request.id));
    process::exit(1);
}

fn other_id(server: &mut Server, request: &Request) {
    server.line(format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{{"protocolVersion":"2025-11-25","capabilities":{{}},"serverInfo":{{"name":"h","version":"1"}}}}}}"#,
        request.number() + 1000
    ));
}

fn no_jsonrpc(server: &mut Server, request: &Request) {
    server.line(format!(r#"{{"id":{},"result":{{"protocolVersion":"2025-11-25"}}}}"#, request.id));
}

fn null_id(server: &mut Server, _request: &Request) {
    server.line(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}"#);
}

fn version(server: &mut Server, request: &Request, version: &str) {
    server.answer(
        request,
        &format!(
            r#"{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"h","version":"1"}}}}"#
        ),
    );
}

fn twice(server: &mut Server, request: &Request) {
    server.initialize(request);
    server.initialize(request);
}

fn ping_first(server: &mut Server, request: &Request) {
    server.line(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"starting"}}"#);
    server.line(r#"{"jsonrpc":"2.0","id":"before","method":"ping"}"#);
    server.initialize(request);
}

fn initialized_error(server: &mut Server) {
    server.line(r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"unknown notification"}}"#);
}
