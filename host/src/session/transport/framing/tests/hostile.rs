//! Frames that no server should send.

use super::*;

/// Each is meant as the answer to request 1, and can't be taken for one.
const BROKEN: &[(&str, &[u8])] = &[
    ("no jsonrpc", br#"{"id":1,"result":{}}"#),
    ("another jsonrpc", br#"{"jsonrpc":"1.0","id":1,"result":{}}"#),
    (
        "result and error",
        br#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#,
    ),
    ("result and method", br#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#),
    ("neither", br#"{"jsonrpc":"2.0","id":1}"#),
    ("string code", br#"{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":"m"}}"#),
    ("float code", br#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}"#),
    ("no message", br#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#),
    ("error is text", br#"{"jsonrpc":"2.0","id":1,"error":"oops"}"#),
    ("batch", br#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#),
    ("bad UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"\xff\xfe\"}}"),
    ("lone surrogate", br#"{"jsonrpc":"2.0","id":1,"result":{"x":"\ud83d!"}}"#),
    ("lone low surrogate", br#"{"jsonrpc":"2.0","id":1,"result":{"x":"\udc00"}}"#),
    ("id as text", br#"{"jsonrpc":"2.0","id":"1","result":{}}"#),
    ("id as float", br#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#),
    ("duplicate id", br#"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#),
    ("duplicate result", br#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#),
    ("cut short", br#"{"jsonrpc":"2.0","id":1,"result":{"x":"#),
    ("not JSON at the end", br#"{"jsonrpc":"2.0","id":1,"result":{}}]"#),
    ("NaN", br#"{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}"#),
    ("raw control character", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"\x01\"}}"),
    ("id last", br#"{"result":{"id":9,"x":NaN},"jsonrpc":"2.0","id":1}"#),
    ("null id", br#"{"jsonrpc":"2.0","id":null,"result":{}}"#),
    ("id is an object", br#"{"jsonrpc":"2.0","id":{"a":1},"result":{}}"#),
    ("no id", br#"{"jsonrpc":"2.0","result":{}}"#),
];

#[tokio::test]
async fn a_broken_answer_ends_its_call_with_a_fault() {
    for (name, frame) in BROKEN {
        let (mut wire, mut far, _) = wire(&limits());
        let call = sent_call(&mut wire, &mut far, 1).await;

        far.say(frame).await;

        woken(&mut wire, 1).await;
        assert_eq!(fault(call).0, Cause::ProtocolViolation, "{name}");
    }
}

#[tokio::test]
async fn a_broken_answer_with_an_id_leaves_other_calls_alone() {
    for (name, frame) in BROKEN.iter().take_while(|(name, _)| *name != "null id") {
        let (mut wire, mut far, _) = wire(&limits());
        let blamed = sent_call(&mut wire, &mut far, 1).await;
        let other = sent_call(&mut wire, &mut far, 2).await;

        far.say(frame).await;
        woken(&mut wire, 1).await;
        far.say(r#"{"jsonrpc":"2.0","id":2,"result":{"fine":true}}"#).await;
        woken(&mut wire, 2).await;

        assert_eq!(fault(blamed).0, Cause::ProtocolViolation, "{name}");
        assert_eq!(result(other), r#"{"fine":true}"#, "{name}");
    }
}

#[tokio::test]
async fn nesting_is_bounded() {
    for (levels, is_fine) in [(126, true), (127, true), (128, false), (5000, false)] {
        let limits = SessionLimits { max_message_bytes: 1 << 20, ..limits() };
        let (mut wire, mut far, _) = wire(&limits);
        let call = sent_call(&mut wire, &mut far, 1).await;
        let value = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));

        far.say(format!(r#"{{"jsonrpc":"2.0","id":1,"result":{value}}}"#)).await;

        woken(&mut wire, 1).await;
        let is_result = matches!(call.finish().0, Some(WireAnswer::Result(_)));
        assert_eq!(is_result, is_fine, "{levels} levels");
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_told_apart_ends_every_call() {
    let (mut wire, mut far, _) = wire(&limits());
    let first = sent_call(&mut wire, &mut far, 1).await;
    let second = sent_call(&mut wire, &mut far, 2).await;

    far.say(r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{}}"#).await;
    soon(wire.receive()).await.unwrap();
    soon(wire.receive()).await.unwrap();

    assert_eq!(fault(first).0, Cause::ProtocolViolation);
    assert_eq!(fault(second).0, Cause::ProtocolViolation);
}

#[tokio::test]
async fn an_error_without_id_belongs_to_the_only_call() {
    for frame in [
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}}"#,
    ] {
        let (mut wire, mut far, _) = wire(&limits());
        let call = sent_call(&mut wire, &mut far, 1).await;

        far.say(frame).await;

        woken(&mut wire, 1).await;
        let Some(WireAnswer::Error(error)) = call.finish().0 else { panic!("no error") };
        assert_eq!((error.code, error.message.as_str()), (-32700, "what?"));
    }
}

#[tokio::test]
async fn an_error_without_id_is_doubted_after_a_cancelled_call() {
    let (mut wire, mut far, _) = wire(&limits());
    let _given_up = sent_call(&mut wire, &mut far, 1).await;
    wire.send(cancelled(1)).await.unwrap();
    far.line().await;
    let call = sent_call(&mut wire, &mut far, 2).await;

    far.say(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#).await;

    woken(&mut wire, 2).await;
    assert_eq!(fault(call).0, Cause::ProtocolViolation);
}

#[tokio::test]
async fn an_error_in_answer_to_a_notification_hurts_no_request() {
    let (mut wire, mut far, _) = wire(&limits());
    wire.send(cancelled(99)).await.unwrap();
    far.line().await;
    let call = sent_call(&mut wire, &mut far, 1).await;
    let error = r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"unknown notification"}}"#;

    far.say(error).await;
    assert!(futures::poll!(Box::pin(wire.receive())).is_pending());
    // There was one notification, so this is about the call.
    far.say(error).await;

    woken(&mut wire, 1).await;
    assert!(matches!(call.finish().0, Some(WireAnswer::Error(_))));
}

#[tokio::test]
async fn a_request_of_rmcps_own_is_answered_too() {
    for (name, frame) in BROKEN {
        let (mut wire, mut far, _) = wire(&limits());
        wire.send(ping(1)).await.unwrap();
        far.line().await;

        far.say(frame).await;

        let message = soon(wire.receive()).await.unwrap();
        assert!(matches!(message, JsonRpcMessage::Error(_)), "{name}: {message:?}");
        assert_eq!(id_of(&message), Some(NumberOrString::Number(1)), "{name}");
    }
}

#[tokio::test]
async fn any_integer_is_an_error_code() {
    let (mut wire, mut far, _) = wire(&limits());
    let call = sent_call(&mut wire, &mut far, 1).await;

    far.say(
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":9007199254740993,"message":"m","data":{"n":1.0e400}}}"#,
    )
    .await;

    woken(&mut wire, 1).await;
    let Some(WireAnswer::Error(error)) = call.finish().0 else { panic!("no error") };
    assert_eq!(error.code, 9_007_199_254_740_993);
    assert_eq!(error.data.unwrap().as_str(), r#"{"n":1.0e400}"#);
}

#[tokio::test]
async fn log_lines_between_messages_hurt_nobody() {
    let (mut wire, mut far, _) = wire(&limits());
    let call = sent_call(&mut wire, &mut far, 1).await;

    for noise in
        ["[12:30:01] started", r#"{"level":"info","msg":"hi"}"#, "{'level': 'info'}", "", "\r"]
    {
        far.say(noise).await;
    }
    far.say("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r").await;

    woken(&mut wire, 1).await;
    assert_eq!(result(call), "{}");
}

#[tokio::test]
async fn nothing_but_nonsense_ends_the_connection() {
    let (mut wire, mut far, ended) = wire(&limits());
    for _ in 0..4 {
        far.say("what is this").await;
    }

    assert!(soon(wire.receive()).await.is_none());

    assert_eq!(ended.get().unwrap().cause, Cause::ProtocolViolation);
}

#[tokio::test]
async fn a_huge_answer_is_skipped_and_its_call_ends() {
    // The id before and after the bulk.
    for (head, tail) in [
        (r#"{"jsonrpc":"2.0","id":1,"result":{"x":""#, r#""}}"#),
        (r#"{"result":{"id":2,"x":""#, r#""},"jsonrpc":"2.0","id":1}"#),
    ] {
        let (mut wire, mut far, _) = wire(&limits());
        let huge = sent_call(&mut wire, &mut far, 1).await;
        let other = sent_call(&mut wire, &mut far, 2).await;

        let far_end = async {
            far.say(format!("{head}{}{tail}", "y".repeat(1 << 20))).await;
            far.say(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#).await;
        };
        let near_end = async {
            woken(&mut wire, 1).await;
            woken(&mut wire, 2).await;
        };
        tokio::join!(far_end, near_end);

        assert_eq!(fault(huge).0, Cause::TooLarge);
        assert_eq!(result(other), "{}");
    }
}

#[tokio::test]
async fn an_endless_line_ends_the_connection() {
    let limits = SessionLimits { max_skipped_bytes: 100_000, ..limits() };
    let (mut wire, mut far, ended) = wire(&limits);
    tokio::join!(
        async {
            assert!(soon(wire.receive()).await.is_none());
            drop(wire);
        },
        async { while far.stream.write_all(&[b'x'; 1000]).await.is_ok() {} }
    );

    assert_eq!(ended.get().unwrap().cause, Cause::TooLarge);
}

#[tokio::test]
async fn answers_that_nobody_waits_for_change_nothing() {
    let (mut wire, mut far, _) = wire(&limits());
    // Before it was asked, for another, and twice.
    far.say(r#"{"jsonrpc":"2.0","id":1,"result":{"early":true}}"#).await;
    let mut receive = Box::pin(wire.receive());
    assert!(futures::poll!(&mut receive).is_pending());
    drop(receive);
    let call = sent_call(&mut wire, &mut far, 1).await;
    far.say(r#"{"jsonrpc":"2.0","id":99,"result":{}}"#).await;
    far.say(r#"{"jsonrpc":"2.0","id":1,"result":{"n":1}}"#).await;
    far.say(r#"{"jsonrpc":"2.0","id":1,"result":{"n":2}}"#).await;

    woken(&mut wire, 1).await;

    let next = sent_call(&mut wire, &mut far, 2).await;
    far.say(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#).await;
    woken(&mut wire, 2).await;
    assert_eq!(result(call), r#"{"n":1}"#);
    assert_eq!(result(next), "{}");
}

#[tokio::test]
async fn a_message_may_come_in_single_bytes() {
    let (mut wire, mut far, _) = wire_with_pipe(&limits(), 1);
    let (message, call) = call(1, "{}");
    let frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"grün 🦀\"}}";

    tokio::join!(async { wire.send(message).await.unwrap() }, far.line());
    tokio::join!(woken(&mut wire, 1), far.say(frame));

    assert_eq!(result(call), "{\"x\":\"grün 🦀\"}");
}

#[tokio::test]
async fn an_interrupted_receive_loses_nothing() {
    let (mut wire, mut far, _) = wire(&limits());
    let call = sent_call(&mut wire, &mut far, 1).await;
    for byte in br#"{"jsonrpc":"2.0","id":1,"result":{}}"# {
        far.stream.write_all(&[*byte]).await.unwrap();
        assert!(futures::poll!(Box::pin(wire.receive())).is_pending());
    }
    far.say("").await;

    woken(&mut wire, 1).await;

    assert_eq!(result(call), "{}");
}

#[tokio::test]
async fn the_end_of_the_stream_is_the_end() {
    let (mut wire, mut far, ended) = wire(&limits());
    let _call = sent_call(&mut wire, &mut far, 1).await;
    far.stream.write_all(br#"{"jsonrpc":"2.0","id":1,"result":{}"#).await.unwrap();
    drop(far);

    assert!(soon(wire.receive()).await.is_none());

    assert_eq!(ended.get().unwrap().cause, Cause::SessionStopped);
}

#[tokio::test]
async fn a_whole_answer_needs_no_end_of_line_at_the_end() {
    let (mut wire, mut far, _) = wire(&limits());
    let call = sent_call(&mut wire, &mut far, 1).await;
    far.stream.write_all(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await.unwrap();
    drop(far);

    woken(&mut wire, 1).await;

    assert_eq!(result(call), "{}");
    assert!(soon(wire.receive()).await.is_none());
}

mod arbitrary {
    use super::*;

    /// A small generator of numbers (xorshift), so that a failure can be run again.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, sides: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 % sides as u64).unwrap()
        }
    }

    #[tokio::test]
    async fn a_damaged_answer_never_leaves_its_call_waiting_unless_it_lost_its_id() {
        let whole =
            br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"}]}}"#;
        for seed in 1..2000 {
            let mut dice = Dice(seed * 0x9E37_79B9);
            let (mut wire, mut far, _) = wire(&limits());
            let call = sent_call(&mut wire, &mut far, 1).await;
            let mut frame = whole.to_vec();
            // Behind the id, so that it is still known whose it is.
            let at = 24 + dice.roll(frame.len() - 24);
            let byte = u8::try_from(dice.roll(256)).unwrap();
            if byte == b'\n' {
                continue;
            }
            frame[at] = byte;

            far.say(&frame).await;

            woken(&mut wire, 1).await;
            assert!(call.finish().0.is_some(), "seed {seed}");
        }
    }
}
