//! Names and arguments that somebody below might take for something else: they arrive as they are, or are refused.

use callgate::{Allocation, Ending, Run, RunLimits, RunReport};
use callgate_tests::components;

use super::{Host, load, tight};

/// The text of a data segment.
fn data(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:02x}")).collect()
}

/// Makes one call of these names and arguments, and returns the result 7 whatever comes of it.
async fn call(host: &Host, connection: &str, tool: &str, arguments: &[u8]) -> RunReport {
    let code = format!(
        r#"(data $connection "{}") (data $tool "{}") (data $arguments "{}")
        (func (export "run") (param i32 i32) (result i32)
            (drop (memory.grow (i32.const 30)))
            (memory.init $connection (i32.const 65536) (i32.const 0) (i32.const {}))
            (memory.init $tool (i32.const 131072) (i32.const 0) (i32.const {}))
            (memory.init $arguments (i32.const 196608) (i32.const 0) (i32.const {}))
            (call $block (i32.const 65536) (i32.const {}) (i32.const 131072) (i32.const {})
                (i32.const 196608) (i32.const {}) (i32.const 256))
            (call $return-seven) (i32.const 0))"#,
        data(connection.as_bytes()),
        data(tool.as_bytes()),
        data(arguments),
        connection.len(),
        tool.len(),
        arguments.len(),
        connection.len(),
        tool.len(),
        arguments.len(),
    );
    let workflow = load(&host.engine, components::caller(&code)).await.unwrap();
    host.run(&workflow, tight()).await
}

/// How the one call ended, and what was said of it.
#[track_caller]
fn the_call(report: &RunReport) -> (Ending, &str) {
    let [call] = report.calls.as_slice() else { panic!("{report:?}") };
    (call.outcome, call.detail.as_deref().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_nothing_but_a_configured_name() {
    let host = Host::new(Allocation::OnDemand).await;
    let names = [
        "",
        " ",
        "fake ",
        " fake",
        "Fake",
        "fake\0",
        "fake\0x",
        "..",
        "../fake",
        "fake/read",
        "./fake",
        "*",
        "fake*",
        "__proto__",
        "constructor",
        "stdio:sh",
        "http://127.0.0.1/",
        "file:///etc/passwd",
        "$HOME",
        "${env:HOME}",
        "\u{1b}[2J",
        "\r\n",
        "\u{202e}ekaf",
        "ｆａｋｅ",
        "fаke",
        "mcpServers.fake",
        "callgate",
        "callgate:mcp/tools",
        "-",
        "--help",
        "null",
        "0",
    ];

    for name in names {
        let report = call(&host, name, "read", b"{}").await;

        let (outcome, detail) = the_call(&report);
        assert_eq!(outcome, Ending::Refused, "{name:?}: {report:?}");
        assert!(!detail.contains(char::is_control), "{name:?}: {detail:?}");
        assert_eq!(report.calls[0].connection, name);
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_reaches_the_server_by_the_very_name_that_the_guest_gave() {
    let host = Host::new(Allocation::OnDemand).await;
    let names = [
        "",
        " ",
        "read\0",
        "..",
        "../../read",
        "__proto__",
        "tools/list",
        "initialize",
        "\u{1b}[2J",
        "a\nb",
        "\",\"x\":\"",
        "\u{2028}",
        "\u{10ffff}",
        "read*",
        "-",
        "null",
    ];

    for name in names {
        let report = call(&host, "fake", name, b"{}").await;

        // The server says so of a name only that it knows to be this one.
        let (outcome, detail) = the_call(&report);
        assert_eq!((outcome, report.calls[0].tool.as_str()), (Ending::Ok, name), "{detail}");
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_without_measure_are_refused_and_not_kept() {
    let host = Host::new(Allocation::OnDemand).await;
    let long = "é".repeat(10_000);

    for (connection, tool) in [(long.as_str(), "read"), ("fake", long.as_str())] {
        let report = call(&host, connection, tool, b"{}").await;

        let (outcome, detail) = the_call(&report);
        assert_eq!(outcome, Ending::Refused);
        assert!(detail.contains("max_name_bytes"), "{detail}");
        assert!(report.calls[0].connection.len().max(report.calls[0].tool.len()) <= 100);
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_are_one_json_object_or_nothing_is_sent() {
    let host = Host::new(Allocation::OnDemand).await;
    let invalid: [&[u8]; 18] = [
        b"",
        b" ",
        b"null",
        b"[]",
        b"\"{}\"",
        b"{",
        b"{}{}",
        b"{},",
        b"{}\0",
        b"\xef\xbb\xbf{}",
        b"{'a': 1}",
        b"{a: 1}",
        b"{\"a\": 01}",
        b"{\"a\": NaN}",
        b"{\"a\": 1,}",
        b"{\"a\": \"\t\"}",
        b"{} // {}",
        b"{\"a\": \"\\ud800\"",
    ];

    for arguments in invalid {
        let report = call(&host, "fake", "read", arguments).await;

        let (outcome, detail) = the_call(&report);
        let shown = String::from_utf8_lossy(arguments);
        assert_eq!(outcome, Ending::Refused, "{shown}: {report:?}");
        assert!(detail.contains("arguments"), "{shown}: {detail}");
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_of_any_depth_and_width_go_through_as_text() {
    let host = Host::new(Allocation::OnDemand).await;
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(50_000), "]".repeat(50_000));
    let wide = format!("{{{}\"z\": 0}}", "\"a\": 1e999999, ".repeat(5_000));
    let digits = format!("{{\"n\": {}}}", "9".repeat(50_000));

    for arguments in [deep, wide, digits] {
        let report = call(&host, "fake", "read", arguments.as_bytes()).await;

        assert_eq!(the_call(&report).0, Ending::Ok, "{report:.300?}");
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_without_grants_reaches_no_name_at_all() {
    let host = Host::new(Allocation::OnDemand).await;
    let good = &host.good;

    let report =
        Run::new(good, &host.pool).limits(RunLimits::default()).start(callgate::Json::null()).await;

    assert_eq!(the_call(&report).0, Ending::Refused);
    host.close().await;
}
