//! Answers that are none, each with the end that its call must come to.

use super::*;

#[tokio::test]
async fn every_bad_answer_ends_the_call_with_its_own_cause() {
    let long = "x".repeat(20_000);
    let cut = Step::Send(
        "HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
            .to_owned(),
    );
    let nested =
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{}1{}}}"#, "[".repeat(300), "]".repeat(300));
    for (name, steps, expected) in [
        ("202", vec![status(202, "")], "unknown, protocol violation"),
        ("204", vec![status(204, "")], "unknown, protocol violation"),
        (
            "another id",
            vec![json(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#)],
            "unknown, protocol violation",
        ),
        (
            "another id as event",
            vec![events("data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n"), Step::Hang],
            "unknown, protocol violation",
        ),
        (
            "id as string",
            vec![json(r#"{"jsonrpc":"2.0","id":"1","result":{}}"#)],
            "unknown, protocol violation",
        ),
        ("no id", vec![json(r#"{"jsonrpc":"2.0","result":{}}"#)], "unknown, protocol violation"),
        (
            "error without id",
            vec![json(r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}"#)],
            "error -32700",
        ),
        (
            "error",
            vec![json(
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"m","data":[1]}}"#,
            )],
            "error -32602",
        ),
        (
            "error code as text",
            vec![json(r#"{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":"m"}}"#)],
            "unknown, protocol violation",
        ),
        (
            "both",
            vec![json(r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#)],
            "unknown, protocol violation",
        ),
        ("neither", vec![json(r#"{"jsonrpc":"2.0","id":1}"#)], "unknown, protocol violation"),
        ("no version", vec![json(r#"{"id":1,"result":{}}"#)], "unknown, protocol violation"),
        ("a batch", vec![json(&format!("[{ANSWER}]"))], "unknown, protocol violation"),
        (
            "a request as body",
            vec![json(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)],
            "unknown, protocol violation",
        ),
        ("deep nesting", vec![json(&nested)], "unknown, protocol violation"),
        ("empty", vec![json("")], "unknown, protocol violation"),
        ("no JSON", vec![json("<html>")], "unknown, protocol violation"),
        ("HTML", vec![reply(200, "text/html", "", "<html>")], "unknown, protocol violation"),
        ("no media type", vec![status(200, "")], "unknown, protocol violation"),
        (
            "gzip",
            vec![reply(200, "application/json", "content-encoding: gzip\r\n", "\x1f")],
            "unknown, protocol violation",
        ),
        ("too large", vec![json(&long)], "unknown, too large"),
        ("too large event", vec![events(&format!("data: {long}"))], "unknown, too large"),
        ("cut body", vec![cut.clone(), Step::Close], "unknown, session stopped"),
        ("stalled body", vec![cut, Step::Hang], "unknown, timeout"),
        ("silent head", vec![Step::Hang], "unknown, timeout"),
        ("closed before the head", vec![Step::Close], "unknown, session stopped"),
        (
            "no HTTP",
            vec![Step::Send("SSH-2.0-x\r\n\r\n".to_owned()), Step::Close],
            "unknown, session stopped",
        ),
        ("silent events", vec![events(": hi\n\n"), Step::Hang], "unknown, timeout"),
        (
            "events without answer",
            vec![events(": hi\n\n"), Step::Close],
            "unknown, session stopped",
        ),
        (
            "event that is no JSON",
            vec![events("data: {\n\n"), Step::Hang],
            "unknown, protocol violation",
        ),
        ("400", vec![status(400, "")], "not sent, protocol violation"),
        (
            "400 with error",
            vec![reply(
                400,
                "application/json",
                "",
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"m"}}"#,
            )],
            "error -32000",
        ),
        (
            "401",
            vec![status(401, "www-authenticate: Bearer scope=x\r\n")],
            "not sent, connect failed",
        ),
        ("403", vec![status(403, "")], "not sent, connect failed"),
        ("404", vec![status(404, "")], "not sent, connect failed"),
        ("413", vec![status(413, "")], "not sent, too large"),
        ("429", vec![status(429, "retry-after: 7\r\n")], "not sent, connect failed"),
        ("500", vec![reply(500, "text/html", "", "oops")], "unknown, session stopped"),
        (
            "503 with error",
            vec![reply(
                503,
                "application/json",
                "",
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}"#,
            )],
            "error -32603",
        ),
        (
            "redirect away",
            vec![status(307, "location: http://127.0.0.2/\r\n")],
            "not sent, connect failed",
        ),
        ("redirect as GET", vec![status(303, "location: /other\r\n")], "not sent, connect failed"),
        (
            "redirect in circles",
            vec![status(308, "location: /mcp\r\n")],
            "not sent, connect failed",
        ),
    ] {
        let answer = answer(steps).await;

        assert_eq!(verdict(&answer), expected, "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn a_refusal_says_what_the_server_wants() {
    let answer = answer(vec![status(401, "www-authenticate: Bearer scope=x\r\n")]).await;

    let WireAnswer::NotSent(failure) = answer else { panic!("{answer:?}") };
    assert!(failure.detail.contains("Bearer scope=x"), "{failure}");
}

#[tokio::test]
async fn a_refused_connection_is_not_sent_and_tells_no_secret() {
    let mut server = ScriptServer::start(|_| Vec::new()).await;
    server.address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();

    let answer = Client::new(&server).call().await;

    let WireAnswer::NotSent(failure) = answer else { panic!("{answer:?}") };
    assert_eq!(failure.cause, Cause::ConnectFailed);
    assert!(!failure.detail.contains("secret"), "{failure}");
}

#[tokio::test]
async fn a_call_whose_caller_has_gone_never_leaves() {
    let server = ScriptServer::start(|seen| sound(seen, |_| vec![json(ANSWER)])).await;
    let mut client = Client::new(&server);
    let phase = Phase::default();
    assert!(phase.abandon());

    let (message, call) = call("read", phase);
    client.send(message).await.unwrap();
    client.receive().await;

    assert_eq!(verdict(&call.finish().0.unwrap()), "not sent, session stopped");
    assert!(server.seen().is_empty());
}
