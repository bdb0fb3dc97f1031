//! What a run may call: rules in front of real runs, and their check against what servers list.

use std::sync::Arc;

use callgate::{
    ConnectionId, Ending, Grants, GrantsError, Hint, Json, Misfit, PooledConnection, Rule, Ruling,
    Run, RunOutcome, RunReport, SessionPool,
};
use callgate_tests::{
    fake::{FakeConnection, FakeServer},
    guests,
};
use serde_json::{Value, json};

use crate::run::workflow;

fn rule(tools: &str) -> Rule {
    Rule::new(tools).unwrap()
}

fn rule_if(tools: &str, schema: &Value) -> Rule {
    rule(tools).with_arguments(&Json::from_text(schema.to_string()).unwrap()).unwrap()
}

/// A pool of these connections.
fn pool<const N: usize>(servers: [(&str, callgate::Connector); N]) -> SessionPool {
    SessionPool::new(servers.map(|(name, connector)| {
        let connection = PooledConnection::new(connector);
        (ConnectionId::from(name), connection)
    }))
}

/// One call of a workflow with this text as its arguments.
async fn call(pool: &SessionPool, grants: &Arc<Grants>, tool: &str, arguments: &str) -> RunReport {
    let input = format!(r#"{{"connection": "fake", "tool": "{tool}", "arguments": {arguments}}}"#);
    let run = Run::new(&workflow(guests::ONE_CALL).await, pool).grants(grants.clone());
    run.start(Json::from_text(input).unwrap()).await
}

/// What the workflow heard.
fn heard(report: &RunReport) -> Value {
    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    serde_json::from_str(output.as_str()).unwrap()
}

async fn answer_one(server: &mut FakeConnection, tool: &str) -> Value {
    let call = server.expect_call(tool).await;
    server.answer(&call, "done").await;
    call.arguments
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_without_grants_calls_nothing() {
    let (server, connector) = FakeServer::new();
    let pool = pool([("fake", connector)]);
    let input = json!({"connection": "fake", "tool": "read", "arguments": {}}).to_string();

    let run = Run::new(&workflow(guests::ONE_CALL).await, &pool);
    let report = run.start(Json::from_text(input).unwrap()).await;

    let refusal = &heard(&report)["Err"]["refused"];
    assert_eq!(refusal["reason"], "denied", "{refusal}");
    assert_eq!(refusal["detail"], r#"no rule allows this run to call "read" of "fake""#);
    assert_eq!(report.calls[0].outcome, Ending::Refused);
    assert_eq!(report.calls[0].rule, Some(Ruling::None));
    assert_eq!(server.opens(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_rules_forbid_never_reaches_the_server() {
    let (mut server, connector) = FakeServer::new();
    let pool = pool([("fake", connector)]);
    let below_out =
        json!({"required": ["path"], "properties": {"path": {"pattern": "^out/[a-z]+$"}}});
    let grants = Grants::none()
        .allow(rule("fake/re*"))
        .allow(rule_if("fake/write", &below_out))
        .deny(rule("*/remove"))
        .deny(rule_if("fake/read", &json!({"required": ["secret"]})));
    let grants = Arc::new(grants);

    let calls = async {
        let mut reports = Vec::new();
        for (tool, arguments) in [
            ("remove", "{}"),
            ("look", "{}"),
            ("READ", "{}"),
            ("read", r#"{"secret": 1}"#),
            ("write", r#"{"path": "/etc/passwd"}"#),
            ("write", r#"{"path": "out/a", "path": "/etc/passwd"}"#),
            ("write", r#"{"path": "out/a", "n": 12345678901234567890}"#),
            ("write", r#"{"path": "out/a", "n": 1.50}"#),
            ("read", "{}"),
        ] {
            reports.push(call(&pool, &grants, tool, arguments).await);
        }
        reports
    };
    let serving = async {
        let mut connection = server.accept().await;
        // The first call that comes, and the second; what goes out is what the workflow wrote.
        let written = answer_one(&mut connection, "write").await;
        assert_eq!(written, json!({"path": "out/a", "n": 1.5}));
        answer_one(&mut connection, "read").await;
    };
    let (reports, ()) = tokio::join!(calls, serving);

    let rulings: Vec<_> = reports.iter().map(|it| it.calls[0].rule.clone().unwrap()).collect();
    let (write, read) = (Ruling::Allow("fake/write".into()), Ruling::Deny("fake/read".into()));
    assert_eq!(
        rulings,
        [
            Ruling::Deny("*/remove".into()),
            Ruling::None,
            Ruling::None,
            read,
            write.clone(),
            write.clone(),
            write.clone(),
            write,
            Ruling::Allow("fake/re*".into()),
        ]
    );
    for report in &reports[..7] {
        assert_eq!(report.calls[0].outcome, Ending::Refused, "{report:?}");
        assert_eq!(heard(report)["Err"]["refused"]["reason"], "denied");
    }
    let detail = |at: usize| heard(&reports[at])["Err"]["refused"]["detail"].to_string();
    assert!(detail(4).contains("fake/write"), "{}", detail(4));
    assert!(detail(4).contains(r#"\"/path\" fails \"pattern\""#), "{}", detail(4));
    assert!(!detail(4).contains("out/"), "a rule's own schema is not told: {}", detail(4));
    assert!(detail(5).contains("twice"), "{}", detail(5));
    assert!(detail(6).contains("12345678901234567890"), "{}", detail(6));
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_that_share_a_session_have_rules_of_their_own() {
    let (mut server, connector) = FakeServer::new();
    let pool = pool([("fake", connector)]);
    let [reads, looks] =
        ["fake/read", "fake/look"].map(|it| Arc::new(Grants::none().allow(rule(it))));

    let calls = async {
        [
            call(&pool, &reads, "read", "{}").await,
            call(&pool, &looks, "read", "{}").await,
            call(&pool, &reads, "look", "{}").await,
            call(&pool, &looks, "look", "{}").await,
        ]
    };
    let serving = async {
        let mut connection = server.accept().await;
        answer_one(&mut connection, "read").await;
        answer_one(&mut connection, "look").await;
    };
    let (reports, ()) = tokio::join!(calls, serving);

    let outcomes = reports.map(|report| report.calls[0].outcome);
    assert_eq!(outcomes, [Ending::Ok, Ending::Refused, Ending::Refused, Ending::Ok]);
}

/// Does something while the servers do their handshakes, and holds their connections open until it is done.
async fn beside<T>(servers: &mut [FakeServer], work: impl Future<Output = T>) -> T {
    let serving = async {
        let mut open = Vec::new();
        for server in servers.iter_mut() {
            open.push(server.accept().await);
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        done = work => done,
        () = serving => unreachable!("it never ends by itself"),
    }
}

fn misfits(checked: Result<(), GrantsError>) -> Vec<Misfit> {
    match checked {
        Err(GrantsError::Misfits(misfits)) => misfits,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_rule_on_a_connection_that_there_is_not_opens_nothing() {
    let (server, connector) = FakeServer::new();
    let pool = pool([("fake", connector)]);
    let grants = Grants::none()
        .allow(rule("fake/read"))
        .allow(rule("fkae/read"))
        .deny(rule("g*/delete"))
        .deny(rule("something-else/x"));

    let misfits = misfits(grants.check(&pool).await);

    let known = || Hint::Known(vec!["fake".to_owned()]);
    let misfit = |rule, hint| Misfit::Connection { rule, hint };
    assert_eq!(
        misfits,
        [
            misfit(Ruling::Allow("fkae/read".into()), Hint::Nearest("fake".to_owned())),
            misfit(Ruling::Deny("g*/delete".into()), known()),
            misfit(Ruling::Deny("something-else/x".into()), known()),
        ]
    );
    assert_eq!(
        misfits[0].to_string(),
        r#"rule "allow fkae/read": there is no such connection; did you mean "fake"?"#
    );
    assert_eq!(server.opens(), 0);
}

#[tokio::test(start_paused = true)]
async fn each_rule_has_to_cover_a_tool_that_its_servers_list() {
    let (server, connector) = FakeServer::new();
    let pool = pool([("fake", connector)]);
    let fits = Grants::none().allow(rule("f*/re*")).allow(rule("fake/put")).deny(rule("*/write"));
    let not = fits.clone().allow(rule("fake/raed")).deny(rule("fake/delete_*"));

    let mut servers = [server];
    let checks = async { (fits.check(&pool).await, not.check(&pool).await) };
    let (checked, not_checked) = beside(&mut servers, checks).await;
    let misfits = misfits(not_checked);

    let misfit = |rule, hint| Misfit::Tool { rule, hint };
    assert_eq!(
        misfits,
        [
            misfit(Ruling::Allow("fake/raed".into()), Hint::Nearest("read".to_owned())),
            misfit(Ruling::Deny("fake/delete_*".into()), Hint::None),
        ]
    );
    assert_eq!((checked, servers[0].opens()), (Ok(()), 1));
}

#[tokio::test(start_paused = true)]
async fn tools_that_one_rule_allows_may_not_be_one_identifier() {
    let (server, connector) = FakeServer::new();
    let server = server.with_tools(&["get-sum", "get_sum", "other"]);
    let pool = pool([("fake", connector)]);
    let both = Grants::none().allow(rule("fake/get*"));
    let one = both.clone().deny(rule("fake/get_sum"));
    let by_name = Grants::none().allow(rule("fake/get-sum")).allow(rule("fake/get_sum"));

    let checks =
        async { (both.check(&pool).await, one.check(&pool).await, by_name.check(&pool).await) };
    let (both, one, by_name) = beside(&mut [server], checks).await;

    let misfits = misfits(both);

    let [Misfit::Clash { names, identifier, .. }] = &*misfits else { panic!("{misfits:?}") };
    assert_eq!((names.join(" "), identifier.as_str()), ("get-sum get_sum".to_owned(), "get_sum"));
    assert_eq!((one, by_name), (Ok(()), Ok(())));
}

#[tokio::test(start_paused = true)]
async fn a_rule_needs_one_of_its_connections_to_open() {
    let (first, one) = FakeServer::new();
    let (second, two) = FakeServer::new();
    let pool = pool([("one", one), ("two", two)]);
    drop(second);
    let named = Grants::none().deny(rule("one/read")).allow(rule("two/read"));
    let starred = Grants::none().allow(rule("*/read"));

    let checks = async { (starred.check(&pool).await, named.check(&pool).await) };
    let (starred, named) = beside(&mut [first], checks).await;

    assert_eq!(starred, Ok(()));
    let Err(GrantsError::Connection { connection, rule, .. }) = named else { panic!("{named:?}") };
    assert_eq!((connection.as_str(), rule), ("two", Ruling::Allow("two/read".into())));
}

#[tokio::test(start_paused = true)]
async fn without_a_list_of_tools_no_rule_can_be_checked() {
    let (mut server, connector) = FakeServer::new();
    let pool = pool([("fake", connector)]);
    let grants = Grants::none().allow(rule("fake/read"));

    let serving = async {
        let mut connection = server.accept_raw().await;
        let discover = connection.expect("server/discover").await;
        connection.reject_id(&discover["id"], -32601, "unknown method").await;
        let initialize = connection.expect("initialize").await;
        let version = &initialize["params"]["protocolVersion"];
        let info = json!({"name": "fake", "version": "0"});
        let agreed =
            json!({"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info});
        connection.answer_id(&initialize["id"], agreed).await;
        connection.expect("notifications/initialized").await;
        let list = connection.expect("tools/list").await;
        let error = json!({"code": -32601, "message": "no lists here"});
        connection.write(&json!({"jsonrpc": "2.0", "id": list["id"], "error": error})).await;
        connection.expect_hang_up().await;
    };
    let checking = async {
        let checked = grants.check(&pool).await;
        pool.close().await;
        checked
    };
    let (checked, ()) = tokio::join!(checking, serving);

    let misfits = misfits(checked);
    let [Misfit::Tool { hint: Hint::NoList(why), .. }] = &*misfits else { panic!("{misfits:?}") };
    assert!(why[0].contains("no lists here"), "{why:?}");
}

#[tokio::test(start_paused = true)]
async fn grants_without_rules_open_nothing() {
    let (server, connector) = FakeServer::new();
    let pool = pool([("fake", connector)]);

    for grants in [Grants::all(), Grants::none()] {
        assert_eq!(grants.check(&pool).await, Ok(()));
    }

    assert_eq!(server.opens(), 0);
}
