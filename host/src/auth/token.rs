//! The token endpoint: what is asked of it, and what it gives (RFC 6749, section 5).

use std::time::Duration;

use http::HeaderValue;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::{
    client::Client,
    discovery::Discovered,
    fault::{Unauthorized, quoted},
    requests::{Reach, Reply, Requests},
};
use crate::limits::OAuthLimits;

/// What the endpoint gave.
pub(super) struct Granted {
    /// `Bearer TOKEN`.
    pub(super) header: HeaderValue,
    pub(super) lifetime: Option<Duration>,
    pub(super) refresh: Option<SecretString>,
}

/// What a token is asked for with.
pub(super) enum Grant<'a> {
    /// The client itself is who it is for.
    ClientCredentials,
    /// A person consented, and this is the proof.
    Code { code: &'a SecretString, verifier: &'a SecretString, redirect_uri: &'a Url },
    /// An earlier token can be renewed with it.
    Refresh(&'a SecretString),
    /// Somebody whom the authorization server trusts says whom it is for (RFC 7523, section 2.1).
    Assertion(&'a SecretString),
}

/// Answers of the endpoint that are no token.
#[derive(Deserialize)]
struct Refusal {
    error: String,
    error_description: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    access_token: String,
    token_type: String,
    /// A number; some servers write it as a text.
    expires_in: Option<Value>,
    refresh_token: Option<String>,
}

/// Asks for a token.
pub(super) async fn request(
    grant: &Grant<'_>,
    scopes: &[String],
    client: &Client,
    found: &Discovered,
    reach: Reach,
    requests: &Requests,
    limits: &OAuthLimits,
) -> Result<Granted, Unauthorized> {
    let Some(endpoint) = &found.issuer.token_endpoint else {
        return Err(Unauthorized::Unsupported("token endpoint"));
    };
    let (mut form, mut secrets) = grant.form();
    form.push(("resource", found.resource.clone()));
    // With a code the scopes are those that the person has seen.
    if !scopes.is_empty() && !matches!(grant, Grant::Code { .. }) {
        form.push(("scope", scopes.join(" ")));
    }
    let authorization = client.sign(&mut form, &found.issuer.issuer, limits)?;
    let pairs: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, &**value)).collect();
    let reply = requests.post_form(endpoint, &pairs, authorization, reach, limits).await?;
    if !reply.status.is_success() {
        secrets.extend(client.secret());
        return Err(refusal(endpoint, &reply, &secrets, limits));
    }
    granted(endpoint, &reply)
}

impl<'a> Grant<'a> {
    /// Its part of the form, and what of it is secret.
    fn form(&self) -> (Vec<(&'static str, String)>, Vec<&'a SecretString>) {
        let text = |secret: &SecretString| secret.expose_secret().to_owned();
        match *self {
            Self::ClientCredentials => {
                (vec![("grant_type", "client_credentials".to_owned())], Vec::new())
            }
            Self::Code { code, verifier, redirect_uri } => {
                let form = vec![
                    ("grant_type", "authorization_code".to_owned()),
                    ("code", text(code)),
                    ("code_verifier", text(verifier)),
                    ("redirect_uri", redirect_uri.to_string()),
                ];
                (form, vec![code, verifier])
            }
            Self::Refresh(token) => {
                let form = vec![
                    ("grant_type", "refresh_token".to_owned()),
                    ("refresh_token", text(token)),
                ];
                (form, vec![token])
            }
            Self::Assertion(assertion) => {
                let kind = "urn:ietf:params:oauth:grant-type:jwt-bearer";
                let form = vec![("grant_type", kind.to_owned()), ("assertion", text(assertion))];
                (form, vec![assertion])
            }
        }
    }
}

fn granted(endpoint: &Url, reply: &Reply) -> Result<Granted, Unauthorized> {
    let bad = |detail: &str| Unauthorized::unusable(endpoint, detail);
    // The error of the parser isn't told: it may quote the token.
    let answer: Answer =
        serde_json::from_slice(&reply.body).map_err(|_| bad("it answered with no token"))?;
    if !answer.token_type.eq_ignore_ascii_case("bearer") {
        return Err(bad("its token is of a kind that isn't \"Bearer\""));
    }
    let mut header = HeaderValue::try_from(format!("Bearer {}", answer.access_token))
        .map_err(|_| bad("its token can't stand in a header"))?;
    header.set_sensitive(true);
    Ok(Granted {
        header,
        lifetime: answer.expires_in.as_ref().and_then(seconds),
        refresh: answer.refresh_token.map(SecretString::from),
    })
}

fn seconds(value: &Value) -> Option<Duration> {
    let seconds = match value {
        Value::String(text) => text.parse().ok(),
        value => value.as_f64(),
    }?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// What a refusal says, without the secrets that were sent: a server may quote them.
pub(super) fn refusal(
    endpoint: &Url,
    reply: &Reply,
    secrets: &[&SecretString],
    limits: &OAuthLimits,
) -> Unauthorized {
    let Ok(refusal) = serde_json::from_slice::<Refusal>(&reply.body) else {
        return Unauthorized::unusable(endpoint, format!("HTTP {}", reply.status.as_u16()));
    };
    let clean = |words: String| {
        let shown = |secret: &&SecretString| !secret.expose_secret().is_empty();
        let clean = secrets
            .iter()
            .filter(|it| shown(it))
            .fold(words, |words, secret| words.replace(secret.expose_secret(), "..."));
        quoted(&clean, limits.max_quoted_chars)
    };
    let description = refusal.error_description.map(|words| format!(" ({})", clean(words)));
    Unauthorized::Refused {
        code: clean(refusal.error),
        description: description.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    fn endpoint() -> Url {
        "https://a.com/token".parse().unwrap()
    }

    fn reply(status: StatusCode, body: &str) -> Reply {
        Reply { status, body: body.as_bytes().to_vec() }
    }

    #[test]
    fn a_lifetime_is_a_number_however_it_is_written() {
        for (text, expected) in [
            ("60", Some(60)),
            ("\"60\"", Some(60)),
            ("-1", None),
            ("null", None),
            ("1e300", None),
            ("\"soon\"", None),
        ] {
            let body =
                format!(r#"{{"access_token":"t","token_type":"bearer","expires_in":{text}}}"#);

            let granted = granted(&endpoint(), &reply(StatusCode::OK, &body)).ok().unwrap();

            assert_eq!(granted.lifetime, expected.map(Duration::from_secs), "{text}");
        }
    }

    #[test]
    fn a_token_that_is_none_is_refused_and_not_quoted() {
        for body in [
            r#"{"access_token":"s3cret"}"#,
            r#"{"access_token":"s3cret","token_type":"DPoP"}"#,
            r#"{"access_token":"s3cret\n","token_type":"Bearer"}"#,
            r#"["s3cret"]"#,
        ] {
            let refused = granted(&endpoint(), &reply(StatusCode::OK, body)).err().unwrap();

            assert!(!format!("{refused} {refused:?}").contains("s3cret"), "{refused}");
        }
    }

    #[test]
    fn a_refusal_is_told_without_the_secrets_in_it() {
        let secret = SecretString::from("s3cret");
        let body = r#"{"error":"invalid_client","error_description":"s3cret is\n wrong"}"#;

        let told = refusal(
            &endpoint(),
            &reply(StatusCode::UNAUTHORIZED, body),
            &[&secret],
            &OAuthLimits::default(),
        );

        assert_eq!(
            told.to_string(),
            "the authorization server refused: invalid_client (... is wrong)"
        );
    }
}
