//! Names that are no identifiers, and inputs that the host never makes.

use callgate::{
    ConnectionId, Grants, PooledConnection, Rule, Run, RunOutcome, RunReport, ScriptLimits,
    SessionPool, ToolNames,
};
use callgate_tests::fake::FakeServer;
use serde_json::{Value, json};

use super::{failure_of, script, value_of, workflow};
use crate::run::input;

/// Runs the runner as the component that it is, with this change of a good input.
async fn run_with(source: &str, change: Value) -> RunReport {
    let mut given = json!({
        "source": source, "file": "test.js", "args": null, "seed": 0, "now_ms": 0, "max_log_bytes": 1000,
        "max_stack_bytes": 512 << 10,
    });
    given.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    Run::new(&workflow().await, &SessionPool::new([])).start(input(&given)).await
}

/// Runs the script beside a server that answers with the name of the tool.
async fn called(source: &str, grants: Grants) -> RunReport {
    let (server, connector) = FakeServer::new();
    let mut server = server.with_tools(&["read-all", "stat", "a.b", "a-b", "get-sum", "get_sum"]);
    let connection = PooledConnection::new(connector);
    let pool = SessionPool::new([(ConnectionId::from("my-files"), connection)]);
    let calling = async {
        grants.check(&pool).await.unwrap();
        let names = ToolNames::known(&pool, &grants, &ScriptLimits::default());
        let run = Run::new(&workflow().await, &pool).grants(grants).script(script(source));
        run.tool_names(names).start(input(&Value::Null)).await
    };
    let serving = async {
        let mut connection = server.accept().await;
        loop {
            let call = connection.expect("tools/call").await;
            let text = json!({ "type": "text", "text": call["params"]["name"] });
            connection.answer_id(&call["id"], json!({ "content": [text] })).await;
        }
    };
    tokio::select! {
        report = calling => report,
        () = serving => unreachable!("it never ends by itself"),
    }
}

fn allowing(rules: &[&str]) -> Grants {
    rules.iter().fold(Grants::none(), |grants, rule| grants.allow(Rule::new(rule).unwrap()))
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_have_their_names_and_identifiers_for_those_that_are_none() {
    let source = "
        const { my_files: files } = tools;
        return [await files.read_all(), await files['read-all'](), await tools['my-files'].read_all(), await files.stat()]";

    let report = called(source, allowing(&["my-files/read-all", "my-files/stat"])).await;

    assert_eq!(value_of(&report), json!(["read-all", "read-all", "read-all", "stat"]));
    assert_eq!(report.calls[0].connection.as_str(), "my-files");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_identifier_of_two_tools_that_the_run_may_call_is_an_error() {
    let source = "return await tools.my_files.get_sum()";
    let one = allowing(&["my-files/get-sum"]);
    let both = allowing(&["my-files/get-sum", "my-files/get_sum"]);

    let (one, both) = (called(source, one).await, called(source, both).await);

    assert_eq!(value_of(&one), json!("get-sum"));
    let (kind, fault) = failure_of(&both);
    assert_eq!((kind, &*fault.name), ("exception", "TypeError"));
    assert!(fault.message.contains("the tools get-sum and get_sum: use callTool"), "{fault:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_nobody_knows_is_called_as_it_is_and_refused() {
    let source = "
        const errors = [];
        for (const call of [tools.my_files.read_al, tools.my_files.a_b, tools.yours.read, tools.my_files.hasOwnProperty]) {
            await call().catch(({ connection, tool, reason }) => errors.push([connection, tool, reason]));
        }
        return errors";

    let report = called(source, allowing(&["my-files/read-all"])).await;

    let expected = json!([
        ["my-files", "read_al", "denied"],
        ["my-files", "a_b", "denied"],
        ["yours", "read", "denied"],
        ["my-files", "hasOwnProperty", "denied"],
    ]);
    assert_eq!(value_of(&report), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_names_of_connections_that_are_not_open_are_known() {
    let pool = ["a-b", "a.b", "c-d"]
        .map(|id| (ConnectionId::from(id), PooledConnection::new(FakeServer::new().1)));
    let (pool, grants) = (SessionPool::new(pool), Grants::none());
    let names = ToolNames::known(&pool, &grants, &ScriptLimits::default());
    let source = "
        const one = await tools.c_d.read().catch((error) => error.connection);
        try { tools.a_b } catch (error) { return [one, error.message] }";

    let run = Run::new(&workflow().await, &pool).script(script(source)).tool_names(names);
    let report = run.start(input(&Value::Null)).await;

    let message =
        "tools.a_b can be the connections a-b and a.b: use callTool, which takes the exact name";
    assert_eq!(value_of(&report), json!(["c-d", message]));
}

#[tokio::test(flavor = "multi_thread")]
async fn more_identifiers_than_the_limit_are_left_out() {
    let pool = ["a-b", "c-d"]
        .map(|id| (ConnectionId::from(id), PooledConnection::new(FakeServer::new().1)));
    let mut limits = ScriptLimits::default();
    limits.max_identifiers = 1;

    let names = ToolNames::known(&SessionPool::new(pool), &Grants::none(), &limits);

    assert_eq!(names, ToolNames::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_input_that_is_not_the_hosts_is_an_error() {
    for change in [
        json!({ "source": 5 }),
        json!({ "seed": -1 }),
        json!({ "now_ms": 0.5 }),
        json!({ "max_stack_bytes": null }),
    ] {
        let report = run_with("return 1", change.clone()).await;

        let RunOutcome::Failed(failure) = &report.outcome else { panic!("{change}: {report:?}") };
        assert_eq!(failure.kind, "invalid-input", "{change}");
    }
    let run = Run::new(&workflow().await, &SessionPool::new([]));
    let report = run.start(input(&json!("no object"))).await;
    assert!(matches!(report.outcome, RunOutcome::Failed(_)), "{report:?}");
}
