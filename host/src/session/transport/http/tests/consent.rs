//! Authorization servers that want a person's consent: when somebody is asked, and when nobody.

use std::sync::{Arc, Mutex};

use futures::{FutureExt as _, future::BoxFuture};
use http::{HeaderMap, header::WWW_AUTHENTICATE};
use url::Url;

use super::*;
use crate::{
    auth::{Authorize, Challenge, OAuth, OAuthClient, Wallet},
    limits::OAuthLimits,
};

/// What the person does with an address.
type Habit = fn(&Url) -> BoxFuture<'static, Result<Url, String>>;

struct Person {
    asked: Mutex<Vec<Url>>,
    habit: Habit,
}

impl Person {
    fn new(habit: Habit) -> Arc<Self> {
        Arc::new(Self { asked: Mutex::default(), habit })
    }

    /// The scopes of every question.
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|address| parameter(address, "scope")).collect()
    }
}

impl Authorize for Person {
    fn redirect_uri(&self) -> Url {
        "http://127.0.0.1:1/back".parse().unwrap()
    }

    fn authorize(&self, address: Url) -> BoxFuture<'_, Result<Url, String>> {
        let answer = (self.habit)(&address);
        self.asked.lock().unwrap().push(address);
        answer
    }
}

fn parameter(address: &Url, name: &str) -> String {
    let found = address.query_pairs().find(|(found, _)| found == name);
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

fn consents(address: &Url) -> BoxFuture<'static, Result<Url, String>> {
    let mut answer = Url::parse(&parameter(address, "redirect_uri")).unwrap();
    answer
        .query_pairs_mut()
        .append_pair("code", "c0de")
        .append_pair("state", &parameter(address, "state"));
    async { Ok(answer) }.boxed()
}

/// An authorization server that is its own MCP server; `token` answers at its token endpoint, by the fields of the form
/// and how often it was asked before.
async fn authorizing(
    token: impl Fn(&HashMap<String, String>, usize) -> Step + Send + Sync + 'static,
) -> ScriptServer {
    let asked = Mutex::new(0);
    ScriptServer::start(move |seen| {
        let origin = format!("http://{}", seen.headers["host"]);
        let answer = match seen.path.as_str() {
            "/.well-known/oauth-protected-resource/mcp" => json(&format!(
                r#"{{"resource":"{origin}/mcp","authorization_servers":["{origin}"],"scopes_supported":["read"]}}"#
            )),
            "/.well-known/oauth-authorization-server" => json(&format!(
                r#"{{"issuer":"{origin}","authorization_endpoint":"{origin}/authorize",
                    "token_endpoint":"{origin}/token","registration_endpoint":"{origin}/register",
                    "code_challenge_methods_supported":["S256"],
                    "token_endpoint_auth_methods_supported":["none"]}}"#
            )),
            "/register" => json(r#"{"client_id":"me"}"#),
            "/token" => {
                let mut asked = asked.lock().unwrap();
                *asked += 1;
                token(&form(seen), *asked - 1)
            }
            _ => status(404, ""),
        };
        vec![answer]
    })
    .await
}

fn form(seen: &Seen) -> HashMap<String, String> {
    url::form_urlencoded::parse(seen.body.as_bytes()).into_owned().collect()
}

/// Gives a token that can be renewed, with numbers that say the how manieth it is.
fn granted(number: usize) -> Step {
    json(&format!(
        r#"{{"access_token":"t{number}","token_type":"Bearer","refresh_token":"r{number}"}}"#
    ))
}

fn refused(error: &str) -> Step {
    reply(400, "application/json", "", &format!(r#"{{"error":"{error}"}}"#))
}

/// What was asked of the token endpoint.
fn grants(server: &ScriptServer) -> Vec<String> {
    let seen = server.seen();
    let forms = seen.iter().filter(|seen| seen.path == "/token").map(form);
    forms.map(|form| form["grant_type"].clone()).collect()
}

fn wallet(server: &ScriptServer, person: &Arc<Person>) -> Arc<Wallet> {
    let limits = OAuthLimits {
        consent_timeout: Duration::from_millis(100),
        failure_pause: Duration::ZERO,
        ..OAuthLimits::default()
    };
    let oauth = OAuth::authorization_code(OAuthClient::unknown(), person.clone());
    let record = AuthRecord::none().with_oauth(oauth.with_limits(limits));
    record.wallet(&server.server().url).unwrap()
}

fn wants_to_write() -> Challenge {
    let challenge = r#"Bearer error="insufficient_scope", scope="write""#;
    let headers: HeaderMap = [(WWW_AUTHENTICATE, challenge.parse().unwrap())].into_iter().collect();
    Challenge::from_headers(&headers)
}

#[tokio::test]
async fn a_person_is_asked_once_and_the_token_renewed_without_them() {
    let server = authorizing(|_, number| granted(number)).await;
    let person = Person::new(consents);
    let (wallet, refusal) = (wallet(&server, &person), Challenge::default());

    let first = wallet.renew(None, &refusal).await.ok().unwrap();
    let second = wallet.renew(Some(&first), &refusal).await.ok().unwrap();
    let third = wallet.renew(Some(&second), &refusal).await.ok().unwrap();

    assert_eq!(third.header(), "Bearer t2");
    assert_eq!(person.asked(), ["read"]);
    assert_eq!(grants(&server), ["authorization_code", "refresh_token", "refresh_token"]);
    let seen = server.seen();
    assert_eq!(seen.iter().filter(|seen| seen.path == "/register").count(), 1);
    let last = form(seen.last().unwrap());
    assert_eq!((&*last["refresh_token"], &*last["client_id"]), ("r1", "me"));
}

#[tokio::test]
async fn a_renewal_that_is_refused_asks_the_person_again() {
    let server = authorizing(|form, number| match &*form["grant_type"] {
        "refresh_token" => refused("invalid_grant"),
        _ => granted(number),
    })
    .await;
    let person = Person::new(consents);
    let (wallet, refusal) = (wallet(&server, &person), Challenge::default());
    let first = wallet.renew(None, &refusal).await.ok().unwrap();

    assert!(wallet.renew(Some(&first), &refusal).await.is_ok());

    assert_eq!(person.asked().len(), 2);
    assert_eq!(grants(&server), ["authorization_code", "refresh_token", "authorization_code"]);
}

#[tokio::test]
async fn more_scopes_than_a_person_has_consented_to_need_the_person() {
    let server = authorizing(|_, number| granted(number)).await;
    let person = Person::new(consents);
    let wallet = wallet(&server, &person);
    let first = wallet.renew(None, &Challenge::default()).await.ok().unwrap();

    assert!(wallet.renew(Some(&first), &wants_to_write()).await.is_ok());

    assert_eq!(person.asked(), ["read", "read write"]);
    assert_eq!(grants(&server), ["authorization_code", "authorization_code"]);
}

#[tokio::test]
async fn a_client_that_the_server_has_forgotten_registers_anew() {
    let server = authorizing(|_, number| match number {
        0 => refused("invalid_client"),
        number => granted(number),
    })
    .await;
    let (wallet, refusal) = (wallet(&server, &Person::new(consents)), Challenge::default());

    assert!(wallet.renew(None, &refusal).await.is_err());
    assert!(wallet.renew(None, &refusal).await.is_ok());

    let seen = server.seen();
    assert_eq!(seen.iter().filter(|seen| seen.path == "/register").count(), 2);
}

#[tokio::test]
async fn without_consent_nothing_is_asked_for() {
    let habits: [(Habit, &str); 3] = [
        (|_| async { Err("the window\nwas closed".to_owned()) }.boxed(), "the windowwas closed"),
        (|_| futures::future::pending().boxed(), "the person's consent took too long"),
        (
            |address| {
                let answer = address.as_str().replace(&parameter(address, "state"), "theirs");
                async move { Ok(answer.parse().unwrap()) }.boxed()
            },
            "its state is not the one that was sent",
        ),
    ];
    for (habit, expected) in habits {
        let server = authorizing(|_, number| granted(number)).await;
        let wallet = wallet(&server, &Person::new(habit));

        let refused = wallet.renew(None, &Challenge::default()).await.err().unwrap();

        assert!(refused.to_string().contains(expected), "{refused}");
        assert!(grants(&server).is_empty(), "{expected}");
    }
}
