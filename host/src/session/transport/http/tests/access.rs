//! Servers that want tokens, and authorization servers that give them, or not.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use futures::future::{join_all, poll_immediate};

use super::*;
use crate::{
    auth::{Challenge, ClientProof, OAuth, Wallet},
    limits::OAuthLimits,
};

const SECRET: &str = "s3cret";
const TOKEN: &str = r#"{"access_token":"t0ken","token_type":"Bearer","expires_in":3600}"#;

fn record() -> AuthRecord {
    let oauth = OAuth::client_credentials("me", ClientProof::secret(SECRET));
    AuthRecord::none().with_oauth(oauth)
}

fn origin(seen: &Seen) -> String {
    format!("http://{}", seen.headers["host"])
}

fn wants_token() -> Vec<Step> {
    vec![status(401, "www-authenticate: Bearer error=\"invalid_token\"\r\n")]
}

/// What a server does that is its own authorization server; `access` says what it does for a call.
fn guarded(seen: &Seen, access: impl Fn(&Seen) -> Vec<Step>) -> Vec<Step> {
    let origin = origin(seen);
    match seen.path.as_str() {
        "/.well-known/oauth-protected-resource/mcp" => vec![json(&format!(
            r#"{{"resource":"{origin}/mcp","authorization_servers":["{origin}"],"scopes_supported":["read"]}}"#
        ))],
        "/.well-known/oauth-authorization-server" => vec![json(&format!(
            r#"{{"issuer":"{origin}","token_endpoint":"{origin}/token","token_endpoint_auth_methods_supported":["client_secret_post"]}}"#
        ))],
        "/token" => vec![json(TOKEN)],
        _ => access(seen),
    }
}

fn has_token(seen: &Seen) -> bool {
    seen.headers.get("authorization").is_some_and(|value| value == "Bearer t0ken")
}

/// A sound server that lets nobody in without the token.
fn sound_and_guarded(seen: &Seen) -> Vec<Step> {
    guarded(seen, |seen| match has_token(seen) {
        true => sound(seen, |_| vec![json(ANSWER)]),
        false => wants_token(),
    })
}

/// How often something was asked for, by the path or the JSON-RPC method.
fn times(server: &ScriptServer, asked: &str) -> usize {
    server.seen().iter().filter(|seen| seen.path == asked || seen.rpc() == asked).count()
}

fn wallet(server: &ScriptServer, record: &AuthRecord) -> Arc<Wallet> {
    record.wallet(&server.server().url).unwrap()
}

async fn refusal(server: &ScriptServer) -> String {
    let renewed = wallet(server, &record()).renew(None, &Challenge::default()).await;
    renewed.err().unwrap().to_string()
}

#[tokio::test]
async fn a_refused_call_gets_a_token_and_goes_once_more() {
    let server = ScriptServer::start(sound_and_guarded).await;
    let mut client = Client::with_auth(&server, record());

    assert_eq!(verdict(&client.call().await), "result");
    assert_eq!(verdict(&client.call().await), "result");

    assert_eq!((times(&server, "tools/call"), times(&server, "/token")), (3, 1));
    let asked = server.saw(|seen| seen.path == "/token").await;
    let form: HashMap<_, _> = url::form_urlencoded::parse(asked.body.as_bytes()).collect();
    assert_eq!(form["grant_type"], "client_credentials");
    assert_eq!(form["client_secret"], SECRET);
    assert_eq!(form["scope"], "read");
    assert_eq!(form["resource"], format!("http://{}/mcp", server.address));
}

#[tokio::test]
async fn a_token_that_is_never_accepted_is_not_replaced_for_every_call() {
    let server = ScriptServer::start(|seen| guarded(seen, |_| wants_token())).await;
    let mut client = Client::with_auth(&server, record());

    let answer = client.call().await;
    let later = client.call().await;

    assert_eq!(verdict(&answer), "not sent, connect failed");
    let WireAnswer::NotSent(failure) = later else { panic!("{later:?}") };
    assert!(failure.detail.contains("does not accept a new token"), "{failure}");
    assert_eq!((times(&server, "tools/call"), times(&server, "/token")), (3, 1));
}

#[tokio::test]
async fn one_request_asks_for_one_new_token_and_goes_once_more() {
    let server = ScriptServer::start(|seen| guarded(seen, |_| wants_token())).await;
    let limits = OAuthLimits { failure_pause: Duration::ZERO, ..OAuthLimits::default() };
    let oauth = OAuth::client_credentials("me", ClientProof::secret(SECRET)).with_limits(limits);
    let mut client = Client::with_auth(&server, AuthRecord::none().with_oauth(oauth));

    let answer = client.call().await;

    assert_eq!(verdict(&answer), "not sent, connect failed");
    assert_eq!((times(&server, "tools/call"), times(&server, "/token")), (2, 1));
}

#[tokio::test]
async fn whoever_needs_a_token_at_the_same_time_gets_the_same_one() {
    let server = ScriptServer::start(sound_and_guarded).await;
    let record = record();
    let wallet = wallet(&server, &record.clone());

    let challenge = Challenge::default();
    let renewals = join_all((0..50).map(|_| wallet.renew(None, &challenge))).await;

    assert!(renewals.iter().all(Result::is_ok));
    assert_eq!(times(&server, "/token"), 1);
    assert!(record.wallet(&server.server().url).unwrap().current().await.is_some());
}

#[tokio::test]
async fn a_caller_that_gives_up_does_not_take_the_token_along() {
    let server = ScriptServer::start(sound_and_guarded).await;
    let wallet = wallet(&server, &record());

    let challenge = Challenge::default();
    assert!(poll_immediate(pin!(wallet.renew(None, &challenge))).await.is_none());
    server.saw(|seen| seen.path == "/token").await;

    assert!(wallet.renew(None, &challenge).await.is_ok());
    assert_eq!(times(&server, "/token"), 1);
}

#[tokio::test]
async fn while_a_token_is_got_the_call_is_not_sent() {
    let server = ScriptServer::start(|seen| match seen.path.as_str() {
        "/token" => vec![Step::Hang],
        _ => sound_and_guarded(seen),
    })
    .await;
    let mut client = Client::with_auth(&server, record());
    let phase = Phase::default();
    let (message, _call) = call("read", phase.clone());
    client.send(message).await.unwrap();

    server.saw(|seen| seen.path == "/token").await;

    assert!(phase.abandon());
}

#[tokio::test]
async fn a_refusal_of_the_authorization_server_holds_for_a_while_and_tells_no_secret() {
    let refusal = format!(r#"{{"error":"invalid_client","error_description":"not {SECRET}"}}"#);
    let server = ScriptServer::start(move |seen| match seen.path.as_str() {
        "/token" => vec![reply(401, "application/json", "", &refusal)],
        _ => sound_and_guarded(seen),
    })
    .await;
    let mut client = Client::with_auth(&server, record());

    let first = client.call().await;
    let second = client.call().await;

    assert_eq!(verdict(&second), "not sent, connect failed");
    let WireAnswer::NotSent(failure) = first else { panic!("{first:?}") };
    assert!(failure.detail.contains("invalid_client (not ...)"), "{failure}");
    assert!(!failure.detail.contains(SECRET), "{failure}");
    assert_eq!(times(&server, "/token"), 1);
}

#[tokio::test]
async fn more_scopes_are_asked_for_once_beside_the_earlier_ones() {
    let server = ScriptServer::start(|seen| {
        guarded(seen, |seen| match has_token(seen) {
            true => vec![status(
                403,
                "www-authenticate: Bearer error=\"insufficient_scope\", scope=\"write\"\r\n",
            )],
            false => wants_token(),
        })
    })
    .await;
    let mut client = Client::with_auth(&server, record());

    let answer = client.call().await;
    let later = client.call().await;

    assert_eq!(verdict(&answer), "not sent, connect failed");
    let WireAnswer::NotSent(failure) = later else { panic!("{later:?}") };
    assert!(failure.detail.contains("\"read write\" were asked for"), "{failure}");
    let seen = server.seen();
    let forms: Vec<_> = seen.iter().filter(|seen| seen.path == "/token").collect();
    assert_eq!(forms.len(), 2);
    assert!(forms[1].body.contains("scope=read+write"), "{}", forms[1].body);
}

#[tokio::test]
async fn metadata_that_is_about_others_gets_no_credentials() {
    let cases: [(&str, &str, &str); 5] = [
        (
            "/.well-known/oauth-protected-resource/mcp",
            r#"{"resource":"https://evil.example.com/mcp","authorization_servers":["ORIGIN"]}"#,
            "is about \"https://evil.example.com/mcp\"",
        ),
        (
            "/.well-known/oauth-authorization-server",
            r#"{"issuer":"https://evil.example.com","token_endpoint":"ORIGIN/token"}"#,
            "the issuer is \"https://evil.example.com\"",
        ),
        (
            "/.well-known/oauth-authorization-server",
            r#"{"issuer":"ORIGIN/","token_endpoint":"ORIGIN/token"}"#,
            "the issuer is",
        ),
        (
            "/.well-known/oauth-authorization-server",
            r#"{"issuer":"ORIGIN","token_endpoint":"http://example.com/token","token_endpoint_auth_methods_supported":["client_secret_post"]}"#,
            "http://example.com/token must not be asked",
        ),
        (
            "/.well-known/oauth-protected-resource/mcp",
            r#"{"resource":"ORIGIN/mcp","authorization_servers":["http://example.com"]}"#,
            "must not be asked",
        ),
    ];
    for (path, document, expected) in cases {
        let server = ScriptServer::start(move |seen| match seen.path == path {
            true => vec![json(&document.replace("ORIGIN", &origin(seen)))],
            false => sound_and_guarded(seen),
        })
        .await;

        let refused = refusal(&server).await;

        assert!(refused.contains(expected), "{document}: {refused}");
        assert_eq!(times(&server, "/token"), 0, "{document}");
    }
}

#[tokio::test]
async fn a_server_in_the_clear_gets_no_token() {
    let wallet = record().wallet(&"http://example.com/mcp".parse().unwrap()).unwrap();

    let refused = wallet.renew(None, &Challenge::default()).await.err().unwrap();

    assert!(refused.to_string().contains("has to be https"), "{refused}");
}

#[tokio::test]
async fn credentials_stay_with_the_authorization_server_that_they_were_given_to() {
    let other = ScriptServer::start(sound_and_guarded).await;
    let (has_moved, there) = (Arc::new(AtomicBool::new(false)), other.address);
    let moved = has_moved.clone();
    let server = ScriptServer::start(move |seen| {
        let is_metadata = seen.path.starts_with("/.well-known/oauth-protected-resource");
        match is_metadata && moved.load(Ordering::Relaxed) {
            true => vec![json(&format!(
                r#"{{"resource":"{}/mcp","authorization_servers":["http://{there}"]}}"#,
                origin(seen)
            ))],
            false => sound_and_guarded(seen),
        }
    })
    .await;
    let wallet = wallet(&server, &record());
    let ticket = wallet.renew(None, &Challenge::default()).await.ok().unwrap();

    wallet.accepted(&ticket);
    has_moved.store(true, Ordering::Relaxed);
    let refused = wallet.renew(Some(&ticket), &Challenge::default()).await.err().unwrap();

    assert!(refused.to_string().contains("the credentials are for the issuer"), "{refused}");
    assert_eq!(times(&other, "/token"), 0);
}

#[tokio::test]
async fn a_token_is_for_one_server_alone() {
    let (one, other) =
        (ScriptServer::start(sound_and_guarded).await, ScriptServer::start(|_| Vec::new()).await);
    let record = record();

    assert!(wallet(&one, &record).renew(None, &Challenge::default()).await.is_ok());

    assert!(wallet(&one, &record).current().await.is_some());
    assert!(wallet(&other, &record).current().await.is_none());
}

#[tokio::test]
async fn a_token_is_replaced_before_it_ends() {
    let short = TOKEN.replace("3600", "0.1");
    let server = ScriptServer::start(move |seen| match seen.path.as_str() {
        "/token" => vec![json(&short)],
        _ => sound_and_guarded(seen),
    })
    .await;
    let mut client = Client::with_auth(&server, record());
    assert_eq!(verdict(&client.call().await), "result");

    while times(&server, "/token") < 2 {
        assert_eq!(verdict(&client.call().await), "result");
    }

    let seen = server.seen();
    let refused = seen.iter().filter(|seen| seen.rpc() == "tools/call" && !has_token(seen));
    assert_eq!(refused.count(), 1);
}

#[tokio::test]
async fn an_answer_without_end_is_cut() {
    let long = "x".repeat(OAuthLimits::default().max_document_bytes + 1);
    let server = ScriptServer::start(move |seen| match seen.path.as_str() {
        "/token" => vec![json(&long)],
        _ => sound_and_guarded(seen),
    })
    .await;

    let refused = refusal(&server).await;

    assert!(refused.contains("larger than"), "{refused}");
}

#[test]
fn a_record_shows_no_secret_and_is_equal_to_its_clones_alone() {
    let record = record();

    assert!(!format!("{record:?}").contains(SECRET));
    assert!(format!("{record:?}").contains("client credentials"));
    assert!(record == record.clone());
    assert!(record != self::record());
}
