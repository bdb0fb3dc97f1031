//! A stack of layers that have nothing to say can't be told from none, whatever a call is answered with.

use callgate::{
    Body, CallError, Cause, Content, Embedded, Failure, Json, Media, Outcome, Refusal,
    RefusalReason, ResourceLink, RpcError, ToolCallResult, Workflow,
};
use callgate_tests::guests;
use futures::FutureExt;
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::select,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};

use super::{Answer, compiled, layer, one, plain_layer, run_answered, stack};

pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z \"\\\\\u{0}\u{7f}ß😀]{0,40}", Just("x".repeat(5000))]
}

/// JSON as servers spell it: numbers that no float holds, escapes, white space.
fn spelled() -> impl Strategy<Value = Json> {
    let number = select(vec!["1.50", "1e400", "-0", "123456789012345678901234567890", "1E-2"]);
    let other =
        select(vec!["null", "[ ]", "{\"a\" : [1,\t2.0]}", "\"\\u00e9\\/\"", "{\"a\":1,\"a\":2}"]);
    prop_oneof![
        number.prop_map(|text| Json::from_text(text.to_owned()).unwrap()),
        other.prop_map(|text| Json::from_text(text.to_owned()).unwrap()),
        text().prop_map(|text| Json::from_string(&text)),
    ]
}

fn media() -> impl Strategy<Value = Media> {
    (text(), vec(any::<u8>(), 0..200)).prop_map(|(mime_type, data)| Media { mime_type, data })
}

fn content() -> impl Strategy<Value = Content> {
    let body =
        prop_oneof![text().prop_map(Body::Text), vec(any::<u8>(), 0..200).prop_map(Body::Blob)];
    let link = (text(), text(), option::of(text()), option::of(text()), option::of(any::<u64>()));
    prop_oneof![
        text().prop_map(Content::Text),
        media().prop_map(Content::Image),
        media().prop_map(Content::Audio),
        link.prop_map(|(uri, name, title, mime_type, size)| {
            let description = title.clone();
            Content::ResourceLink(ResourceLink { uri, name, title, description, mime_type, size })
        }),
        (text(), option::of(text()), body).prop_map(|(uri, mime_type, body)| Content::Resource(
            Embedded { uri, mime_type, body }
        )),
        spelled().prop_map(Content::Other),
    ]
}

fn failure() -> impl Strategy<Value = Failure> {
    let causes = vec![
        Cause::Timeout,
        Cause::Cancelled,
        Cause::SessionStopped,
        Cause::ConnectFailed,
        Cause::TooLarge,
        Cause::ProtocolViolation,
        Cause::InputRequired,
        Cause::Internal,
    ];
    (select(causes), text()).prop_map(|(cause, detail)| Failure::new(cause, detail))
}

pub(super) fn answer() -> impl Strategy<Value = Answer> {
    let reasons = vec![
        RefusalReason::UnknownConnection,
        RefusalReason::InvalidArguments,
        RefusalReason::Denied,
        RefusalReason::LimitReached,
    ];
    let result = (
        select(vec![Outcome::Ok, Outcome::Error]),
        spelled(),
        vec(content(), 0..4),
        option::of(spelled()),
    );
    let rpc_error = (any::<i64>(), text(), option::of(spelled()));
    prop_oneof![
        4 => result.prop_map(|(outcome, output, content, meta)| {
            Ok(ToolCallResult { outcome, output, content, meta })
        }),
        1 => (select(reasons), text())
            .prop_map(|(reason, detail)| Err(CallError::Refused(Refusal { reason, detail }))),
        1 => failure().prop_map(|failure| Err(CallError::NotSent(failure))),
        1 => failure().prop_map(|failure| Err(CallError::OutcomeUnknown(failure))),
        1 => rpc_error.prop_map(|(code, message, data)| {
            Err(CallError::Rejected(RpcError { code, message, data }))
        }),
    ]
}

/// The whole outcome of a run whose one call is answered so, and what reached the end of the stack.
pub(super) fn told(workflow: &Workflow, given: &Value, answer: &Answer) -> (String, Vec<String>) {
    let answer = answer.clone();
    let answering = move |_, _: &_| {
        let answer = answer.clone();
        async { answer }.boxed()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (report, reached) = runtime.block_on(run_answered(workflow, given, answering));
    (format!("{:?}", report.outcome), reached.calls())
}

#[test]
fn layers_that_have_nothing_to_say_can_not_be_told_from_none() {
    let bare = compiled(&stack(guests::ONE_CALL, Vec::new()));
    let layers = vec![
        plain_layer(guests::DENY_WRITES),
        layer(guests::ALLOW_LIST, json!({"allow": ["*/*"]})),
        layer(guests::BUDGET, json!({"budgets": [{"max_calls": 1}]})),
        layer(guests::RENAME, json!({"names": [{"from": "nobody/*", "to": "else/*"}]})),
    ];
    let stacked = compiled(&stack(guests::ONE_CALL, layers));
    let cases = (answer(), text(), text());

    let config = Config { cases: 300, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let run = runner.run(&cases, |(answer, tool, argument)| {
        // A pattern has a name on either side of its stroke, so no layer can mean a tool without one.
        let given = one(&format!("a/x{tool}"), json!({"argument": argument, "n": 1.5}));

        prop_assert_eq!(told(&bare, &given, &answer), told(&stacked, &given, &answer));
        Ok(())
    });

    run.unwrap_or_else(|failure| panic!("{failure}"));
}
