//! `conformance-client URL`: what the MCP conformance suite starts to try Callgate's host as a client.
//!
//! The suite names the scenario in the environment, and judges by what its own server sees.

use std::{env, process::ExitCode, time::Duration};

use callgate::{
    AuthRecord, CallError, ConnectionId, Connector, Failure, HttpServer, Json, Session,
    SessionOptions,
};
use serde_json::Value;

/// Why a scenario was not played to its end.
#[derive(Debug, thiserror::Error)]
enum Unplayed {
    #[error("the last argument is no address")]
    NoAddress,
    #[error("nothing here plays {0:?}")]
    UnknownScenario(String),
    #[error("the scenario's context is of another shape")]
    Context,
    #[error("no session: {0}")]
    NoSession(#[from] Failure),
    #[error("{tool}: {source}")]
    Call { tool: String, source: CallError },
}

/// One call of the scenario: a tool and the JSON text of its arguments.
type Call = (String, String);

#[tokio::main]
#[expect(clippy::print_stderr, reason = "the suite shows it when a scenario fails")]
async fn main() -> ExitCode {
    match play().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(unplayed) => {
            eprintln!("{unplayed}");
            ExitCode::FAILURE
        }
    }
}

async fn play() -> Result<(), Unplayed> {
    let url = env::args().next_back().and_then(|text| text.parse().ok());
    let url = url.ok_or(Unplayed::NoAddress)?;
    let calls = calls(&env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default())?;

    let mut options = SessionOptions::default();
    options.limits.call_timeout = Duration::from_secs(15);
    let session = Session::open(
        ConnectionId::from("conformance"),
        AuthRecord::none(),
        Connector::http(HttpServer { url }),
        options,
    )
    .await?;
    for (tool, arguments) in calls {
        let arguments = Json::from_text(arguments).map_err(|_| Unplayed::Context)?;
        let called = session.call_tool(&tool, arguments).await;
        called.map_err(|source| Unplayed::Call { tool, source })?;
    }
    session.close().await;
    Ok(())
}

/// The calls that a scenario wants to see.
fn calls(scenario: &str) -> Result<Vec<Call>, Unplayed> {
    let call = |tool: &str, arguments: &str| vec![(tool.to_owned(), arguments.to_owned())];
    Ok(match scenario {
        "initialize" | "request-metadata" | "json-schema-ref-no-deref" => Vec::new(),
        "tools_call" => call("add_numbers", r#"{"a":5,"b":3}"#),
        "sse-retry" => call("test_reconnection", "{}"),
        "elicitation-sep1034-client-defaults" => call("test_client_elicitation_defaults", "{}"),
        "http-standard-headers" => call("test_headers", "{}"),
        "http-invalid-tool-headers" => call("valid_tool", r#"{"region":"eu"}"#),
        "http-custom-headers" => calls_of_context()?,
        other => return Err(Unplayed::UnknownScenario(other.to_owned())),
    })
}

/// Some scenarios say themselves what is to be called.
fn calls_of_context() -> Result<Vec<Call>, Unplayed> {
    let context = env::var("MCP_CONFORMANCE_CONTEXT").map_err(|_| Unplayed::Context)?;
    let context: Value = serde_json::from_str(&context).map_err(|_| Unplayed::Context)?;
    let calls = context["toolCalls"].as_array().ok_or(Unplayed::Context)?;
    let call =
        |call: &Value| Some((call["name"].as_str()?.to_owned(), call["arguments"].to_string()));
    calls.iter().map(call).collect::<Option<_>>().ok_or(Unplayed::Context)
}
