//! Results and failures that aren't what they should be.

use callgate::Allocation;
use callgate_tests::components::Parts;

use super::{End, Guest, Host, end_as_they_should, load, tight};

/// Returns this text; `discriminant` 1 makes it the kind and the message of a failure.
fn returns(discriminant: u32, text: &str) -> String {
    let bytes: String = text.bytes().map(|byte| format!("\\{byte:02x}")).collect();
    format!(
        r#"(data $text "{bytes}")
        (func (export "run") (param i32 i32) (result i32)
            (drop (memory.grow (i32.const 200)))
            (memory.init $text (i32.const 65536) (i32.const 0) (i32.const {length}))
            (call $return (i32.const {discriminant}) (i32.const 65536) (i32.const {length})
                (i32.const 65536) (i32.const {length}) (i32.const 0) (i32.const 0) (i32.const 0))
            (i32.const 0))"#,
        length = text.len()
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_no_json_is_no_result() {
    let texts = [
        "",
        " ",
        "{",
        "{}{}",
        "nul",
        "NaN",
        "-Infinity",
        "01",
        "'a'",
        "[1,]",
        "\"\u{1}\"",
        "\"\\x\"",
        "\u{feff}1",
        "1\0",
        "undefined",
        "\"\\ud800",
        "// 1",
        "1 2",
    ];

    let guests = texts
        .iter()
        .map(|text| Guest::alone(text, &returns(0, text), End::InvalidResult))
        .collect();

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn json_of_any_depth_is_a_result_and_measure_is_of_bytes() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let open = "[".repeat(200_000);
    let digits = "9".repeat(200_000);
    let host = Host::new(Allocation::OnDemand).await;
    for text in [&deep, &digits] {
        let workflow = load(&host.engine, callgate_tests::components::workflow(&returns(0, text)))
            .await
            .unwrap();

        let report = host.run(&workflow, tight()).await;

        let callgate::RunOutcome::Done(output) = &report.outcome else { panic!("{report:.300?}") };
        assert!(output.as_str() == text.as_str());
        // A report with it can be written, too.
        assert!(serde_json::to_string(&report).unwrap().contains(text.as_str()));
    }
    host.close().await;

    end_as_they_should(vec![
        Guest::alone("deep and never closed", &returns(0, &open), End::InvalidResult),
        Guest::alone("a large result", &big(0, 2 << 20), End::Limit("max_output_bytes")),
        Guest::alone("a large failure", &big(1, 1 << 20), End::Limit("max_output_bytes")),
        Guest::alone(
            "a result beyond transfer",
            &big(0, 6 << 20),
            End::Limit("max_transfer_bytes"),
        ),
        Guest::alone(
            "a failure beyond transfer",
            &big(1, 3 << 20),
            End::Limit("max_transfer_bytes"),
        ),
        Guest::alone("a failure of odd letters", &returns(1, "\u{1b}[2J\0\r\u{202e}"), End::Failed),
        Guest::alone("a failure of nothing", &returns(1, ""), End::Failed),
    ])
    .await;
}

/// Returns so many spaces.
fn big(discriminant: u32, bytes: u32) -> String {
    format!(
        r#"(func (export "run") (param i32 i32) (result i32)
            (drop (memory.grow (i32.const 200)))
            (memory.fill (i32.const 65536) (i32.const 32) (i32.const {bytes}))
            (call $return (i32.const {discriminant}) (i32.const 65536) (i32.const {bytes})
                (i32.const 65536) (i32.const {bytes}) (i32.const 0) (i32.const 0) (i32.const 0))
            (i32.const 0))"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_the_same_by_whichever_way_it_is_given() {
    let later = Parts {
        code: r#"(func (export "run") (param i32 i32) (result i32) (i32.const 1))"#,
        resumed: "(call $return-seven) (i32.const 0)",
        ..Parts::default()
    };

    end_as_they_should(vec![Guest::caller_of("in the callback", later, End::Done("7"))]).await;
}
