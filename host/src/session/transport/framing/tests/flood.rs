//! Servers that talk without being asked.

use futures::FutureExt;
use rmcp::model::{NumberOrString, ProgressToken};

use super::*;

async fn never(wire: &mut Wire) {
    let mut receive = Box::pin(wire.receive());
    assert!(futures::poll!(&mut receive).is_pending(), "nothing comes of it");
}

#[tokio::test]
async fn notifications_that_nobody_needs_end_here() {
    let (mut wire, mut far, _) = wire(&limits());
    for method in [
        "notifications/message",
        "notifications/resources/updated",
        "notifications/prompts/list_changed",
        "notifications/cancelled",
        "window/logMessage",
    ] {
        far.say(format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{}}}}"#)).await;
    }

    never(&mut wire).await;
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_progress_wakes_its_call_and_holds_up_no_answer() {
    let (mut wire, mut far, _) = wire(&limits());
    let call = sent_call(&mut wire, &mut far, 1).await;
    call.expect_progress(ProgressToken(NumberOrString::Number(1)));
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;

    let far_end = async {
        for _ in 0..10_000 {
            far.say(progress).await;
        }
        far.say(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await;
    };
    let near_end = async {
        let mut passed = 0;
        while id_of(&wire.receive().await.unwrap()).is_none() {
            passed += 1;
        }
        passed
    };
    let ((), passed) = tokio::join!(far_end, near_end);

    assert_eq!(passed, 0, "the client has no use for it");
    assert_eq!(call.progressed().now_or_never(), Some(()));
    assert_eq!(call.progressed().now_or_never(), None);
    assert_eq!(result(call), "{}");
}

#[tokio::test(start_paused = true)]
async fn a_storm_of_list_changes_is_one_now_and_one_later() {
    let (mut wire, mut far, _) = wire(&limits());
    for _ in 0..100 {
        far.say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#).await;
    }
    let is_change =
        |message: RxJsonRpcMessage<RoleClient>| matches!(message, JsonRpcMessage::Notification(_));

    let start = tokio::time::Instant::now();
    assert!(is_change(soon(wire.receive()).await.unwrap()));
    assert!(is_change(soon(wire.receive()).await.unwrap()));

    assert_eq!(start.elapsed(), limits().notification_interval);
    never(&mut wire).await;
}

#[tokio::test]
async fn a_request_that_nobody_can_answer_is_refused_here() {
    let (mut wire, mut far, _) = wire(&limits());
    far.say(r#"{"jsonrpc":"2.0","id":"a-7","method":"tools/call","params":{}}"#).await;

    never(&mut wire).await;

    assert_eq!(
        far.line().await,
        r#"{"jsonrpc":"2.0","id":"a-7","error":{"code":-32601,"message":"method not found"}}"#
    );
}

#[tokio::test]
async fn the_servers_requests_are_bounded() {
    let limits = SessionLimits { max_server_requests: 2, ..limits() };
    let (mut wire, mut far, _) = wire(&limits);
    for id in 1..=3 {
        far.say(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).await;
    }

    assert!(matches!(soon(wire.receive()).await, Some(JsonRpcMessage::Request(_))));
    assert!(matches!(soon(wire.receive()).await, Some(JsonRpcMessage::Request(_))));
    never(&mut wire).await;
    assert!(far.line().await.contains(r#""id":3,"error":{"code":-32000"#));

    let answer = rmcp::model::ClientResult::empty(());
    wire.send(JsonRpcMessage::response(answer, NumberOrString::Number(1))).await.unwrap();
    far.line().await;
    far.say(r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#).await;
    assert!(matches!(soon(wire.receive()).await, Some(JsonRpcMessage::Request(_))));
}

#[tokio::test]
async fn a_server_that_asks_and_never_reads_costs_no_memory() {
    let limits = SessionLimits { max_unsent_frames: 4, max_server_requests: 2, ..limits() };
    let (mut wire, mut far, _) = wire_with_pipe(&limits, 512);
    tokio::join!(
        async {
            for id in 0..1000 {
                far.say(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"what/ever"}}"#)).await;
            }
            drop(far);
        },
        async { assert!(soon(wire.receive()).await.is_none()) }
    );
}
