//! What is written, when, and what is said about it.

use super::*;

#[tokio::test]
async fn arguments_are_written_as_their_author_wrote_them() {
    let (mut wire, mut far, _) = wire(&limits());
    let (message, call) = call(7, "{\n  \"big\": 123456789012345678901234567890,\n  \"x\": 1.50}");

    wire.send(message).await.unwrap();

    assert_eq!(
        far.line().await,
        concat!(
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":"#,
            r#"{   "big": 123456789012345678901234567890,   "x": 1.50}}}"#
        )
    );
    assert!(call.phase().is_sent());
}

#[tokio::test]
async fn metadata_of_both_places_is_merged() {
    let (mut wire, mut far, _) = wire(&limits());
    let (mut message, _call) = call(1, "{}");
    if let JsonRpcMessage::Request(request) = &mut message
        && let ClientRequest::CallToolRequest(call) = &mut request.request
    {
        let meta = |text| serde_json::from_str::<rmcp::model::RequestMetaObject>(text).unwrap();
        call.params.meta = Some(meta(r#"{"a":1,"b":1}"#));
        call.params.request_state = Some("s".to_owned());
        call.extensions.insert(meta(r#"{"b":2,"progressToken":9}"#));
    }

    wire.send(message).await.unwrap();

    let line: serde_json::Value = serde_json::from_str(&far.line().await).unwrap();
    assert_eq!(line["params"]["_meta"], serde_json::json!({"a": 1, "b": 2, "progressToken": 9}));
    assert_eq!(line["params"]["requestState"], "s");
}

#[tokio::test]
async fn a_call_whose_caller_left_is_not_written() {
    let (mut wire, mut far, _) = wire(&limits());
    let (message, call) = call(1, "{}");
    assert!(call.phase().abandon());

    let sent = wire.send(message).await;

    assert!(matches!(sent, Err(SendFailure::CallerLeft)), "{sent:?}");
    wire.send(ping(2)).await.unwrap();
    assert!(far.line().await.contains("ping"));
}

#[tokio::test]
async fn a_call_that_is_cancelled_in_the_queue_is_never_written() {
    let (mut wire, mut far, _) = wire(&limits());
    let (message, call) = call(1, "{}");
    let queued = wire.send(message);

    wire.send(cancelled(1)).await.unwrap();

    assert!(matches!(queued.await, Err(SendFailure::CallerLeft)));
    assert!(call.phase().abandon(), "nothing of it was sent");
    wire.send(ping(2)).await.unwrap();
    assert!(far.line().await.contains("ping"));
}

#[tokio::test]
async fn frames_are_written_in_the_order_of_send() {
    let (mut wire, mut far, _) = wire(&limits());
    let mut sends = Vec::new();
    for id in 0..50 {
        sends.push(wire.send(ping(id)));
    }

    // The last one is polled first and writes them all.
    for send in sends.into_iter().rev() {
        send.await.unwrap();
    }

    for id in 0..50 {
        assert!(far.line().await.contains(&format!("\"id\":{id},")));
    }
}

#[tokio::test]
async fn a_dropped_send_leaves_no_half_frame() {
    let (mut wire, mut far, _) = wire_with_pipe(&limits(), 64);
    let big = format!("{{\"x\":\"{}\"}}", "y".repeat(1000));
    let (message, call) = call(1, &big);
    let mut half_written = Box::pin(wire.send(message));
    assert!(futures::poll!(&mut half_written).is_pending());
    assert!(call.phase().is_sent());

    drop(half_written);
    let ping = wire.send(ping(2));
    let (sent, first, second) =
        tokio::join!(ping, async { far.line().await }, std::future::ready(()));
    let () = second;

    sent.unwrap();
    assert!(serde_json::from_str::<serde_json::Value>(&first).is_ok(), "{first}");
    assert!(far.line().await.contains("ping"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_reading_ends_the_connection_in_time() {
    let (mut wire, _far, ended) = wire_with_pipe(&limits(), 64);
    let big = format!("{{\"x\":\"{}\"}}", "y".repeat(1000));
    let (first, begun) = call(1, &big);
    let (second, queued) = call(2, "{}");

    let start = tokio::time::Instant::now();
    let (first, second) = tokio::join!(wire.send(first), wire.send(second));

    assert!(matches!(first, Err(SendFailure::Stalled)), "{first:?}");
    assert!(matches!(second, Err(SendFailure::Stalled)), "{second:?}");
    assert_eq!(start.elapsed(), limits().write_timeout);
    assert!(begun.phase().is_sent());
    assert!(queued.phase().abandon(), "not a byte of it was sent");
    assert!(wire.receive().await.is_none());
    assert_eq!(ended.get().unwrap().cause, Cause::Timeout);
    let later = wire.send(ping(3)).await;
    assert!(matches!(later, Err(SendFailure::Stalled)), "{later:?}");
}

#[tokio::test]
async fn what_the_pipe_did_not_take_is_not_sent() {
    let (mut wire, _far, _) = wire_with_pipe(&limits(), 64);
    let big = format!("{{\"x\":\"{}\"}}", "y".repeat(1000));
    let (first, begun) = call(1, &big);
    let (second, queued) = call(2, "{}");
    let mut sends = Box::pin(async { tokio::join!(wire.send(first), wire.send(second)) });

    assert!(futures::poll!(&mut sends).is_pending());

    assert!(begun.phase().is_sent());
    assert!(!queued.phase().is_sent());
}

#[tokio::test]
async fn the_queue_is_bounded() {
    let limits = SessionLimits { max_unsent_frames: 2, ..limits() };
    let (mut wire, _far, _) = wire(&limits);
    let _queued = (wire.send(ping(1)), wire.send(ping(2)));

    let sent = wire.send(ping(3));

    assert!(matches!(sent.await, Err(SendFailure::Full)));
}

#[tokio::test]
async fn a_closed_transport_fails_what_waits() {
    let (mut wire, mut far, _) = wire_with_pipe(&limits(), 64);
    let (message, call) = call(1, &format!("{{\"x\":\"{}\"}}", "y".repeat(1000)));
    let mut begun = Box::pin(wire.send(message));
    assert!(futures::poll!(&mut begun).is_pending());

    wire.close().await.unwrap();

    assert!(matches!(soon(begun).await, Err(SendFailure::Closed)));
    assert!(call.phase().is_sent());
    drop(wire);
    assert!(!far.line().await.contains("}}}"), "the frame has no end");
}
