//! Calls that take several steps: servers of the newer era ask for input, or work on in a task.

use std::time::Duration;

use callgate::{AuthRecord, CallError, Cause, ConnectionId, Elicitation, Session, SessionOptions};
use callgate_tests::fake::{Call, FakeConnection, FakeServer};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::call;

async fn open(elicitation: Elicitation) -> (Session, FakeConnection) {
    let (mut server, connector) = FakeServer::new();
    let mut options = SessionOptions::default();
    options.elicitation = elicitation;
    options.limits.interim.max_input_rounds = 3;
    let opening = Session::open(ConnectionId::from("fake"), AuthRecord::none(), connector, options);
    let (session, connection) = tokio::join!(opening, server.accept_stateless());
    (session.unwrap(), connection)
}

async fn ask_for_input(server: &mut FakeConnection, call: &Call, state: Option<&str>) {
    let mut result = json!({"resultType": "input_required", "inputRequests": {"name": {
        "method": "elicitation/create", "params": {"message": "Who?", "requestedSchema":
            {"type": "object", "properties": {"name": {"type": "string", "default": "x"}}}}}}});
    if let Some(state) = state {
        result["requestState"] = state.into();
    }
    server.answer_id(&call.id, result).await;
}

async fn make_task(server: &mut FakeConnection, call: &Call) {
    server
        .answer_id(
            &call.id,
            json!({"resultType": "task", "taskId": "t1", "status": "working", "pollIntervalMs": 2000,
                "createdAt": "2026-11-30T00:00:00Z", "lastUpdatedAt": "2026-11-30T00:00:00Z", "ttlMs": null}),
        )
        .await;
}

async fn tell_state(server: &mut FakeConnection, status: &str, more: Value) {
    let get = server.expect("tasks/get").await;
    assert_eq!(get["params"]["taskId"], "t1");
    let mut state = json!({"resultType": "complete", "taskId": "t1", "status": status, "pollIntervalMs": 2000,
        "createdAt": "2026-11-30T00:00:00Z", "lastUpdatedAt": "2026-11-30T00:00:00Z", "ttlMs": null});
    for (key, value) in more.as_object().unwrap() {
        state[key] = value.clone();
    }
    server.answer_id(&get["id"], state).await;
}

#[tokio::test(start_paused = true)]
async fn input_is_answered_by_policy_and_the_state_goes_back_as_it_came() {
    for (policy, expected) in [
        (Elicitation::Decline, json!({"action": "decline"})),
        (Elicitation::AcceptDefaults, json!({"action": "accept", "content": {"name": "x"}})),
    ] {
        let (session, mut server) = open(policy).await;
        let answer = call(&session, "read");

        let first = server.expect_call("read").await;
        ask_for_input(&mut server, &first, Some("opaque \u{1}{\"")).await;
        let second = server.expect_call("read").await;
        server.answer(&second, "done").await;

        assert_eq!(answer.await.unwrap().unwrap(), r#""done""#);
        assert_ne!(second.id, first.id);
        assert_eq!(second.arguments, first.arguments);
        assert_eq!(second.params["requestState"], "opaque \u{1}{\"");
        assert_eq!(second.params["inputResponses"], json!({"name": expected}));
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_that_was_not_sent_is_not_sent_back() {
    let (session, mut server) = open(Elicitation::Decline).await;
    let answer = call(&session, "read");

    let first = server.expect_call("read").await;
    ask_for_input(&mut server, &first, None).await;
    let second = server.expect_call("read").await;
    server.answer(&second, "done").await;

    answer.await.unwrap().unwrap();
    assert_eq!(second.params.get("requestState"), None);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_has_enough_input_is_given_up_with_the_outcome_unknown() {
    let (session, mut server) = open(Elicitation::Decline).await;
    let answer = call(&session, "read");

    for _round in 0..4 {
        let request = server.expect_call("read").await;
        ask_for_input(&mut server, &request, Some("again")).await;
    }

    let Err(CallError::OutcomeUnknown(failure)) = answer.await.unwrap() else { panic!() };
    assert_eq!(failure.cause, Cause::InputRequired);
    assert!(failure.detail.contains("max_input_rounds"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn input_that_nobody_can_give_and_a_wish_for_nothing_end_the_call() {
    for (result, cause) in [
        (
            json!({"resultType": "input_required", "inputRequests": {"a": {"method": "sampling/createMessage", "params": {}}}}),
            Cause::InputRequired,
        ),
        (json!({"resultType": "input_required"}), Cause::ProtocolViolation),
    ] {
        let (session, mut server) = open(Elicitation::AcceptDefaults).await;
        let answer = call(&session, "read");
        let request = server.expect_call("read").await;

        server.answer_id(&request.id, result).await;

        let Err(CallError::OutcomeUnknown(failure)) = answer.await.unwrap() else { panic!() };
        assert_eq!(failure.cause, cause);
    }
}

#[tokio::test(start_paused = true)]
async fn a_later_step_that_can_not_be_sent_does_not_make_the_call_not_sent() {
    let (session, mut server) = open(Elicitation::Decline).await;
    let answer = call(&session, "read");

    let first = server.expect_call("read").await;
    ask_for_input(&mut server, &first, None).await;
    drop(server);

    let answer = answer.await.unwrap();
    assert!(matches!(answer, Err(CallError::OutcomeUnknown(_))), "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn a_task_is_followed_to_its_result_at_the_pace_that_the_server_asks_for() {
    let (session, mut server) = open(Elicitation::Decline).await;
    let before = Instant::now();
    let answer = call(&session, "read");

    let request = server.expect_call("read").await;
    make_task(&mut server, &request).await;
    tell_state(&mut server, "working", json!({})).await;
    tell_state(
        &mut server,
        "completed",
        json!({"result": {"content": [], "structuredContent": {"n": 1}}}),
    )
    .await;

    assert_eq!(answer.await.unwrap().unwrap(), r#"{"n":1}"#);
    assert!(before.elapsed() >= Duration::from_secs(4), "{:?}", before.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_task_that_wants_input_gets_it() {
    let (session, mut server) = open(Elicitation::Decline).await;
    let answer = call(&session, "read");

    let request = server.expect_call("read").await;
    make_task(&mut server, &request).await;
    let wish = json!({"inputRequests": {"k": {"method": "elicitation/create", "params": {}}}});
    tell_state(&mut server, "input_required", wish).await;
    let update = server.expect("tasks/update").await;
    assert_eq!(update["params"]["inputResponses"], json!({"k": {"action": "decline"}}));
    server.answer_id(&update["id"], json!({"resultType": "complete"})).await;
    tell_state(&mut server, "completed", json!({"result": {"content": []}})).await;

    assert_eq!(answer.await.unwrap().unwrap(), "null");
}

#[tokio::test(start_paused = true)]
async fn each_end_of_a_task_has_its_own_error() {
    let failed = json!({"error": {"code": -32050, "message": "no", "data": {"a": 1}}});
    for (status, more) in [("failed", failed), ("cancelled", json!({})), ("completed", json!({}))] {
        let (session, mut server) = open(Elicitation::Decline).await;
        let answer = call(&session, "read");
        let request = server.expect_call("read").await;
        make_task(&mut server, &request).await;

        tell_state(&mut server, status, more).await;

        match (status, answer.await.unwrap()) {
            ("failed", Err(CallError::Rejected(error))) => assert_eq!(error.code, -32050),
            ("cancelled", Err(CallError::OutcomeUnknown(failure))) => {
                assert_eq!(failure.cause, Cause::Cancelled);
            }
            ("completed", Err(CallError::OutcomeUnknown(failure))) => {
                assert_eq!(failure.cause, Cause::ProtocolViolation);
            }
            (_, answer) => panic!("{status}: {answer:?}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_caller_leaves_is_cancelled() {
    let (session, mut server) = open(Elicitation::Decline).await;
    let answer = call(&session, "read");
    let request = server.expect_call("read").await;
    make_task(&mut server, &request).await;
    tell_state(&mut server, "working", json!({})).await;

    answer.abort();

    let cancel = server.expect("tasks/cancel").await;
    assert_eq!(cancel["params"]["taskId"], "t1");
}
