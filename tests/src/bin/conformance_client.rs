//! `conformance-client URL`: what the MCP conformance suite starts to try Callgate's host as a client.
//!
//! The suite names the scenario in the environment, and judges by what its own server sees.

use std::{env, process::ExitCode, sync::Arc, time::Duration};

use callgate::{
    AuthRecord, CallError, ClientProof, ConnectionId, Connector, Elicitation, Failure, HttpServer,
    Json, OAuth, OAuthClient, Session, SessionOptions, Vouch,
};
use callgate_tests::browser::{Browser, fetch};
use futures::{FutureExt as _, future::BoxFuture};
use serde_json::Value;
use url::Url;

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
    let scenario = env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default();
    let calls = calls(&scenario)?;

    let mut options = SessionOptions::default();
    options.limits.call_timeout = Duration::from_secs(15);
    options.elicitation = Elicitation::AcceptDefaults;
    let session = Session::open(
        ConnectionId::from("conformance"),
        credentials(&scenario)?,
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
        "sep-2322-client-request-state" => {
            ["echo_state", "unrelated", "no_state", "no_result_type"]
                .iter()
                .flat_map(|kind| call(&format!("test_mrtr_{kind}"), "{}"))
                .collect()
        }
        "http-custom-headers" => calls_of_context()?,
        authorized if authorized.starts_with("auth/") => call("test-tool", "{}"),
        other => return Err(Unplayed::UnknownScenario(other.to_owned())),
    })
}

/// Some scenarios say themselves what is to be called.
fn calls_of_context() -> Result<Vec<Call>, Unplayed> {
    let context = context()?;
    let calls = context["toolCalls"].as_array().ok_or(Unplayed::Context)?;
    let call =
        |call: &Value| Some((call["name"].as_str()?.to_owned(), call["arguments"].to_string()));
    calls.iter().map(call).collect::<Option<_>>().ok_or(Unplayed::Context)
}

fn context() -> Result<Value, Unplayed> {
    let context = env::var("MCP_CONFORMANCE_CONTEXT").map_err(|_| Unplayed::Context)?;
    serde_json::from_str(&context).map_err(|_| Unplayed::Context)
}

/// What the host is to the scenario's authorization server, where it has one.
fn credentials(scenario: &str) -> Result<AuthRecord, Unplayed> {
    let Some(kind) = scenario.strip_prefix("auth/") else { return Ok(AuthRecord::none()) };
    let text = |key: &str| -> Result<String, Unplayed> {
        context()?[key].as_str().map(str::to_owned).ok_or(Unplayed::Context)
    };
    let secret = || text("client_secret").map(ClientProof::secret);
    let oauth = match kind {
        "client-credentials-basic" => OAuth::client_credentials(text("client_id")?, secret()?),
        "client-credentials-jwt" => {
            let key = ClientProof::private_key(&text("private_key_pem")?, None);
            OAuth::client_credentials(text("client_id")?, key.map_err(|_| Unplayed::Context)?)
        }
        "pre-registration" => {
            let client = OAuthClient::registered(text("client_id")?, Some(secret()?));
            consented(client).with_issuer(text("issuer")?)
        }
        "basic-cimd" => consented(OAuthClient::described_at(address(CLIENT_DOCUMENT)?)),
        "wif-jwt-bearer" => {
            OAuth::vouched(text("client_id")?, None, Arc::new(Workload(text("valid_jwt")?)))
        }
        "enterprise-managed-authorization" => {
            let provider = IdentityProvider {
                token_endpoint: address(&text("idp_token_endpoint")?)?,
                client_id: text("idp_client_id")?,
                id_token: text("idp_id_token")?,
            };
            OAuth::vouched(text("client_id")?, Some(secret()?), Arc::new(provider))
        }
        _ => consented(OAuthClient::unknown()),
    };
    Ok(AuthRecord::none().with_oauth(oauth))
}

/// What the suite expects as the id of a client that a document describes.
const CLIENT_DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";
const REDIRECT_URI: &str = "http://localhost:3000/callback";

fn address(text: &str) -> Result<Url, Unplayed> {
    text.parse().map_err(|_| Unplayed::Context)
}

fn consented(client: OAuthClient) -> OAuth {
    let redirect_uri = REDIRECT_URI.parse().expect("the constant is an address");
    OAuth::authorization_code(client, Arc::new(Browser { redirect_uri }))
}

/// What a platform gave this process to say who it is.
struct Workload(String);

impl Vouch for Workload {
    fn assertion(&self, _issuer: &str, _resource: &str) -> BoxFuture<'_, Result<String, String>> {
        async { Ok(self.0.clone()) }.boxed()
    }
}

/// A company's identity provider, which exchanges the token of a sign-in for an assertion (RFC 8693).
struct IdentityProvider {
    token_endpoint: Url,
    client_id: String,
    id_token: String,
}

impl Vouch for IdentityProvider {
    fn assertion(&self, issuer: &str, resource: &str) -> BoxFuture<'_, Result<String, String>> {
        let kind = |name: &str| format!("urn:ietf:params:oauth:{name}");
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", &kind("grant-type:token-exchange"))
            .append_pair("requested_token_type", &kind("token-type:id-jag"))
            .append_pair("subject_token_type", &kind("token-type:id_token"))
            .append_pair("subject_token", &self.id_token)
            .append_pair("audience", issuer)
            .append_pair("resource", resource)
            .append_pair("client_id", &self.client_id)
            .finish();
        async move {
            let page = fetch("POST", &self.token_endpoint, &form).await;
            let page = page.map_err(|error| error.to_string())?;
            let answer: Value =
                serde_json::from_str(&page.body).map_err(|error| error.to_string())?;
            answer["access_token"].as_str().map(str::to_owned).ok_or_else(|| answer.to_string())
        }
        .boxed()
    }
}
