//! The transport under rmcp's own client.

use rmcp::{
    ServiceExt as _,
    model::{CallToolRequest, ClientRequest},
    service::{PeerRequestOptions, RunningService, ServiceError},
};

use super::*;

async fn connect(limits: &SessionLimits) -> (RunningService<RoleClient, ()>, Far, Ended) {
    let (wire, mut far, ended) = wire(limits);
    let server = async {
        far.line().await;
        far.say(concat!(
            r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","#,
            r#""capabilities":{},"serverInfo":{"name":"far","version":"1"}}}"#
        ))
        .await;
        assert!(far.line().await.contains("notifications/initialized"));
        far
    };
    let (client, far) = tokio::join!(().serve(wire), server);
    (client.unwrap(), far, ended)
}

fn request(call: &WireCall) -> ClientRequest {
    let mut request = CallToolRequest::new(CallToolRequestParams::new("echo"));
    request.extensions.insert(call.clone());
    ClientRequest::CallToolRequest(request)
}

fn new_call() -> WireCall {
    WireCall::new(Json::from_text("{}".to_owned()).unwrap(), Phase::default())
}

/// The id of a request line.
fn id(line: &str) -> i64 {
    serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_i64().unwrap()
}

#[tokio::test]
async fn a_call_wakes_its_caller_with_the_raw_result() {
    let (client, mut far, _) = connect(&limits()).await;
    let call = new_call();
    let request = request(&call);
    let peer = client.peer();

    let server = async {
        let id = id(&far.line().await);
        far.say(format!(r#"{{"result":{{"n":1.00, "x" : null}},"id":{id},"jsonrpc":"2.0"}}"#))
            .await;
    };
    let (answer, ()) = tokio::join!(
        async {
            let options = PeerRequestOptions::no_options();
            peer.send_request_with_option(request, options).await?.await_response().await
        },
        server
    );

    answer.unwrap();
    assert_eq!(result(call), r#"{"n":1.00, "x" : null}"#);
}

#[tokio::test]
async fn a_hundred_calls_at_once_get_their_own_answers() {
    let (client, mut far, _) = connect(&limits()).await;
    let calls: Vec<WireCall> = (0..100).map(|_| new_call()).collect();
    let peer = client.peer();

    let server = async {
        let mut ids = Vec::new();
        for _ in 0..100 {
            ids.push(id(&far.line().await));
        }
        for id in ids.iter().rev() {
            far.say(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"id":{id}}}}}"#)).await;
        }
    };
    let callers = futures::future::join_all(calls.iter().map(|call| async move {
        let options = PeerRequestOptions::no_options();
        let handle = peer.send_request_with_option(request(call), options).await.unwrap();
        let id = handle.id.to_string();
        handle.await_response().await.unwrap();
        id
    }));
    let (ids, ()) = tokio::join!(callers, server);

    for (call, id) in calls.into_iter().zip(ids) {
        assert_eq!(result(call), format!(r#"{{"id":{id}}}"#));
    }
}

#[tokio::test(start_paused = true)]
async fn a_stalled_write_fails_its_caller_and_ends_the_client() {
    let (wire, mut far, ended) = wire_with_pipe(&limits(), 1024);
    let server = async {
        far.line().await;
        far.say(concat!(
            r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","#,
            r#""capabilities":{},"serverInfo":{"name":"far","version":"1"}}}"#
        ))
        .await;
        far.line().await;
    };
    let (client, ()) = tokio::join!(().serve(wire), server);
    let client = client.unwrap();
    let arguments = format!("{{\"x\":\"{}\"}}", "y".repeat(4096));
    let call = WireCall::new(Json::from_text(arguments).unwrap(), Phase::default());

    let options = PeerRequestOptions::no_options();
    let handle = client.peer().send_request_with_option(request(&call), options).await.unwrap();
    let answer = handle.await_response().await;

    assert!(matches!(answer, Err(ServiceError::TransportSend(_))), "{answer:?}");
    assert_eq!(soon(ended.wait()).await.cause, Cause::Timeout);
    soon(client.waiting()).await.unwrap();
}
