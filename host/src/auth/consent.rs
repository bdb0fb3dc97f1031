//! A person's consent: the authorization code grant with PKCE (RFC 6749, section 4.1; RFC 7636; RFC 9207).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use futures::future::BoxFuture;
use ring::digest;
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

use super::{
    assertion::random,
    discovery::{Discovered, Issuer},
    fault::{Unauthorized, quoted},
};
use crate::{limits::OAuthLimits, web};

/// Leads a person to an authorization server and back.
///
/// The host makes the address and judges the answer; the implementation only carries them to and from a browser.
pub trait Authorize: Send + Sync {
    /// Where the authorization server sends the browser afterwards: an address that the implementation listens at. It stays
    /// the same, because the client is registered with it.
    fn redirect_uri(&self) -> Url;

    /// Opens `address` for a person, and gives the whole address that the browser was sent to afterwards, with its query.
    ///
    /// # Errors
    ///
    /// A sentence for people, when nobody consented.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the person takes too long.
    fn authorize(&self, address: Url) -> BoxFuture<'_, Result<Url, String>>;
}

/// One question to a person, and what its answer is checked with.
pub(super) struct Question {
    pub(super) address: Url,
    /// What only the asker knows: whoever catches the code can't use it.
    pub(super) verifier: SecretString,
    /// What the answer has to bring back.
    state: SecretString,
}

impl Question {
    pub(super) fn new(
        client_id: &str,
        redirect_uri: &Url,
        scopes: &[String],
        found: &Discovered,
    ) -> Result<Self, Unauthorized> {
        let issuer = &found.issuer;
        let Some(endpoint) = &issuer.authorization_endpoint else {
            return Err(Unauthorized::Unsupported("authorization endpoint"));
        };
        let methods = issuer.code_challenge_methods_supported.as_ref();
        if !Issuer::has(methods, "S256", &[]) {
            return Err(Unauthorized::Unsupported("PKCE with S256, so a code could be stolen"));
        }
        let (verifier, state) = (random()?, random()?);
        let digest = digest::digest(&digest::SHA256, verifier.as_bytes());
        let challenge = URL_SAFE_NO_PAD.encode(digest.as_ref());
        let mut address = endpoint.clone();
        address
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", client_id)
            .append_pair("redirect_uri", redirect_uri.as_str())
            .append_pair("state", &state)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("resource", &found.resource);
        let scopes = with_offline_access(scopes, issuer);
        if !scopes.is_empty() {
            address.query_pairs_mut().append_pair("scope", &scopes.join(" "));
        }
        Ok(Self { address, verifier: verifier.into(), state: state.into() })
    }

    /// The code in the answer, if it is an answer to this question and from this issuer.
    pub(super) fn code_in(
        &self,
        answer: &Url,
        issuer: &Issuer,
        limits: &OAuthLimits,
    ) -> Result<SecretString, Unauthorized> {
        let value = |name: &str| {
            let mut pairs = answer.query_pairs();
            pairs.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
        };
        if value("state").as_deref() != Some(self.state.expose_secret()) {
            return Err(Unauthorized::BadRedirection("its state is not the one that was sent"));
        }
        // Before anything else of it is believed. Compared as a text: a normalised form could be another issuer's.
        match value("iss") {
            Some(iss) if iss != issuer.issuer => {
                return Err(Unauthorized::BadRedirection("another issuer sent it"));
            }
            None if issuer.authorization_response_iss_parameter_supported => {
                return Err(Unauthorized::BadRedirection("it does not say which issuer sent it"));
            }
            _ => {}
        }
        if let Some(error) = value("error") {
            let description = value("error_description").map(|words| format!(" ({words})"));
            let words = format!("{error}{}", description.unwrap_or_default());
            return Err(Unauthorized::NoConsent(quoted(&words, limits.max_quoted_chars)));
        }
        match value("code") {
            Some(code) if !code.is_empty() => Ok(code.into()),
            _ => Err(Unauthorized::BadRedirection("there is no code in it")),
        }
    }
}

/// Where it is offered, a token is asked for that can be renewed without the person. Not where no scope is asked for:
/// that would take the server's own choice of scopes away.
fn with_offline_access(scopes: &[String], issuer: &Issuer) -> Vec<String> {
    let mut scopes = scopes.to_vec();
    let is_offered = Issuer::has(issuer.scopes_supported.as_ref(), "offline_access", &[]);
    if is_offered && !scopes.is_empty() && !scopes.iter().any(|scope| scope == "offline_access") {
        scopes.push("offline_access".to_owned());
    }
    scopes
}

/// What kind of application listens at an address, in the words of OpenID Connect's registration.
pub(super) fn application_type(redirect_uri: &Url) -> &'static str {
    match redirect_uri.scheme() {
        "http" | "https" if !web::is_loopback(redirect_uri) => "web",
        _ => "native",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found() -> Discovered {
        let issuer = json!({
            "issuer": "https://a.com",
            "authorization_endpoint": "https://a.com/authorize?tenant=1",
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["x", "offline_access"],
            "authorization_response_iss_parameter_supported": true,
        });
        Discovered {
            resource: "https://e.com/mcp".to_owned(),
            scopes: Vec::new(),
            issuer: serde_json::from_value(issuer).unwrap(),
        }
    }

    fn question(scopes: &[&str]) -> Question {
        let scopes: Vec<String> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        Question::new("me", &"http://127.0.0.1:1/back".parse().unwrap(), &scopes, &found()).unwrap()
    }

    fn parameter(address: &Url, name: &str) -> Option<String> {
        let mut pairs = address.query_pairs();
        pairs.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
    }

    #[test]
    fn a_question_says_everything_and_not_what_only_the_asker_knows() {
        let question = question(&["x"]);

        let parameter = |name| parameter(&question.address, name).unwrap();
        assert_eq!(parameter("tenant"), "1");
        assert_eq!(parameter("scope"), "x offline_access");
        assert_eq!(parameter("resource"), "https://e.com/mcp");
        let hash = digest::digest(&digest::SHA256, question.verifier.expose_secret().as_bytes());
        assert_eq!(parameter("code_challenge"), URL_SAFE_NO_PAD.encode(hash.as_ref()));
        assert!(!question.address.as_str().contains(question.verifier.expose_secret()));
    }

    #[test]
    fn without_scopes_none_are_asked_for() {
        assert_eq!(parameter(&question(&[]).address, "scope"), None);
    }

    #[test]
    fn a_server_without_pkce_is_refused() {
        let mut found = found();
        found.issuer.code_challenge_methods_supported = Some(vec!["plain".to_owned()]);

        let refused =
            Question::new("me", &"http://127.0.0.1:1/back".parse().unwrap(), &[], &found).err();

        assert!(matches!(refused, Some(Unauthorized::Unsupported(_))), "{refused:?}");
    }

    #[test]
    fn only_the_answer_to_the_question_from_the_right_issuer_is_taken() {
        let question = question(&[]);
        let state = question.state.expose_secret();
        let (iss, other) = ("iss=https://a.com", "iss=https://a.com/");
        for (query, expected) in [
            (format!("state={state}&{iss}&code=c"), "c"),
            (format!("state={state}&{other}&code=c"), "another issuer"),
            (format!("state={state}&code=c"), "which issuer"),
            (format!("state=x&{iss}&code=c"), "state"),
            (format!("{iss}&code=c"), "state"),
            (format!("state={state}&{iss}&code="), "no code"),
            (format!("state={state}&{iss}&error=access_denied&code=c"), "access_denied"),
            (format!("state={state}&{other}&error=access_denied"), "another issuer"),
        ] {
            let answer: Url = format!("http://127.0.0.1:1/back?{query}").parse().unwrap();

            let code = question.code_in(&answer, &found().issuer, &OAuthLimits::default());

            let told = match &code {
                Ok(code) => code.expose_secret().to_owned(),
                Err(refused) => refused.to_string(),
            };
            assert!(told.contains(expected), "{query}: {told}");
        }
    }

    #[test]
    fn who_listens_on_this_machine_is_a_native_application() {
        for (address, expected) in [
            ("http://127.0.0.1:1/back", "native"),
            ("app.example:/back", "native"),
            ("https://e.com/back", "web"),
        ] {
            assert_eq!(application_type(&address.parse().unwrap()), expected);
        }
    }
}
