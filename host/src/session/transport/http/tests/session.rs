//! What outlives one call: the session, its loss, its end, and cancellations.

use super::*;

#[tokio::test]
async fn session_and_version_go_with_every_later_request_and_close_ends_the_session() {
    let server = ScriptServer::start(|seen| sound(seen, |_| vec![json(ANSWER)])).await;
    let mut client = Client::with_session(&server).await;

    client.call().await;
    Transport::<RoleClient>::close(&mut client.transport).await.unwrap();

    let seen = server.seen();
    assert!(!seen[0].headers.contains_key("mcp-session-id"));
    assert!(!seen[0].headers.contains_key("mcp-protocol-version"));
    for later in &seen[1..] {
        assert_eq!(later.headers["mcp-session-id"], "s-1");
        assert_eq!(later.headers["mcp-protocol-version"], "2025-11-25");
    }
    assert_eq!(seen.last().unwrap().method, "DELETE");
}

#[tokio::test]
async fn a_lost_session_is_said_and_the_call_was_not_executed() {
    let unknown = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}"#;
    for status_code in [404, 400] {
        let server = ScriptServer::start(move |seen: &Seen| match seen.rpc().as_str() {
            "ping" | "tools/call" => vec![reply(status_code, "application/json", "", unknown)],
            _ => sound(seen, |_| Vec::new()),
        })
        .await;
        let mut client = Client::with_session(&server).await;

        let answer = client.call().await;

        assert_eq!(verdict(&answer), "not sent, session stopped");
        assert_eq!(client.ended.get().unwrap().cause, Cause::SessionStopped);
        let later = client.call().await;
        assert_eq!(verdict(&later), "not sent, session stopped");
        assert_eq!(server.seen().iter().filter(|seen| seen.rpc() == "tools/call").count(), 1);
    }
}

#[tokio::test]
async fn a_bad_request_is_no_lost_session_while_the_server_answers_a_ping() {
    let refusal = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad"}}"#;
    let server = ScriptServer::start(move |seen| {
        sound(seen, |_| vec![reply(400, "application/json", "", refusal)])
    })
    .await;
    let mut client = Client::with_session(&server).await;

    let answer = client.call().await;

    assert_eq!(verdict(&answer), "error -32600");
    assert!(client.ended.get().is_none());
}

#[tokio::test]
async fn a_cancelled_call_of_the_older_era_is_told_and_its_stream_closed() {
    let server =
        ScriptServer::start(|seen| sound(seen, |_| vec![events(": hi\n\n"), Step::Hang])).await;
    let mut client = Client::with_session(&server).await;
    let (message, _call) = call("read", Phase::default());
    client.send(message).await.unwrap();
    server.saw(|seen| seen.rpc() == "tools/call").await;

    client.send(cancellation()).await.unwrap();

    server.saw(|seen| seen.rpc() == "notifications/cancelled").await;
    server.was_left().await;
}

#[tokio::test]
async fn a_cancelled_call_of_the_newer_era_only_closes_its_stream() {
    let server =
        ScriptServer::start(|seen| sound(seen, |_| vec![events(": hi\n\n"), Step::Hang])).await;
    let mut client = Client::new(&server);
    let (mut message, _call) = call("read", Phase::default());
    make_newer(&mut message);
    client.send(message).await.unwrap();
    let asked = server.saw(|seen| seen.rpc() == "tools/call").await;
    assert_eq!(asked.headers["mcp-protocol-version"], "2026-07-28");
    assert_eq!(asked.headers["mcp-method"], "tools/call");
    assert_eq!(asked.headers["mcp-name"], "read");

    client.send(cancellation()).await.unwrap();

    server.was_left().await;
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn arguments_of_the_newer_era_are_mirrored_where_the_tool_says_so() {
    let server = ScriptServer::start(|seen| match seen.rpc().as_str() {
        "tools/list" => vec![json(
            r#"{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","tools":[
                {"name":"read","inputSchema":{"properties":{"big":{"type":"integer","x-mcp-header":"Big"}}}},
                {"name":"bad","inputSchema":{"properties":{"a":{"type":"integer","x-mcp-header":"A b"}}}}]}}"#,
        )],
        _ => vec![json(ANSWER)],
    })
    .await;
    let mut client = Client::new(&server);
    let list = ClientRequest::ListToolsRequest(ListToolsRequest::default());
    let mut list = JsonRpcMessage::request(list, RequestId::Number(5));
    make_newer(&mut list);
    client.send(list).await.unwrap();
    let JsonRpcMessage::Response(response) = client.receive().await else { panic!() };
    let ServerResult::ListToolsResult(list) = response.result else { panic!() };
    assert_eq!(list.tools.len(), 1);

    assert_eq!(verdict(&client.call().await), "result");
    let bad = client.call_to("bad").await;

    assert_eq!(verdict(&bad), "not sent, protocol violation");
    let [_, only_call] = &server.seen()[..] else { panic!() };
    assert_eq!(only_call.headers["mcp-param-big"], "12345678901234567890123");
}
