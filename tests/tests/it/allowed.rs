//! Tools that the configuration denies: refused by the host, unseen by the server.

use callgate::{
    AllowedTools, CallError, ConnectionId, Json, PooledConnection, RefusalReason, SessionOptions,
    SessionPool,
};
use callgate_tests::fake::FakeServer;

#[tokio::test(start_paused = true)]
async fn a_denied_tool_is_refused_and_never_reaches_the_server() {
    let (mut server, connector) = FakeServer::new();
    let id = ConnectionId::from("fake");
    let mut options = SessionOptions::default();
    options.tools = AllowedTools::all().except(["delete".to_owned()]);
    let connection = PooledConnection { options, ..PooledConnection::new(connector) };
    let pool = SessionPool::new([(id.clone(), connection)]);
    let call = async |tool| pool.call_tool(&id, tool, Json::from_text("{}".into()).unwrap()).await;

    let denied = call("delete").await;
    let (allowed, ()) = tokio::join!(call("read"), async {
        let mut connection = server.accept().await;
        // The first call that the server sees.
        let request = connection.expect_call("read").await;
        connection.answer(&request, "text").await;
    });

    let Err(CallError::Refused(refusal)) = denied else { panic!("{denied:?}") };
    assert_eq!(refusal.reason, RefusalReason::Denied);
    assert_eq!(refusal.detail, "the configuration of fake denies \"delete\" (disabled_tools)");
    assert_eq!(allowed.unwrap().output.as_str(), "\"text\"");
}
