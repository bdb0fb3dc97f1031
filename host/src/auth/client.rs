//! What the host is to an authorization server: a client that it knows, that it can look up, or that it registers.

use std::{fmt, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::HeaderValue;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::json;
use url::Url;

use super::{
    assertion::{SigningKey, UnusableKey},
    consent,
    discovery::Issuer,
    fault::Unauthorized,
    requests::{Reach, Requests},
    token::refusal,
};
use crate::limits::OAuthLimits;

/// What a client proves with that it is the one whose id it gives. It has no `Display`, and its `Debug` tells the kind alone.
#[derive(Clone)]
pub struct ClientProof(pub(super) Proof);

#[derive(Clone)]
pub(super) enum Proof {
    Secret(SecretString),
    Key(Arc<SigningKey>),
}

impl ClientProof {
    /// A secret that the authorization server knows too. It is sent as the server wants it, in a header or in the form.
    pub fn secret(secret: impl Into<String>) -> Self {
        Self(Proof::Secret(secret.into().into()))
    }

    /// A private key in PEM, which never leaves the host (`private_key_jwt`). `key_id` is the name by which the server knows
    /// its public half, where it has several.
    ///
    /// # Errors
    ///
    /// When the text holds no key, or one of a kind that nothing here signs with.
    pub fn private_key(pem: &str, key_id: Option<String>) -> Result<Self, UnusableKey> {
        let mut key = SigningKey::from_pem(pem)?;
        key.id = key_id;
        Ok(Self(Proof::Key(Arc::new(key))))
    }
}

impl fmt::Debug for ClientProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Proof::Secret(_) => "secret",
            Proof::Key(key) => key.algorithm(),
        })
    }
}

/// How an authorization server knows this host when a person consents to what it does.
#[derive(Clone, Debug)]
pub struct OAuthClient(pub(super) Identity);

#[derive(Clone, Debug)]
pub(super) enum Identity {
    Registered { id: String, proof: Option<ClientProof> },
    DescribedAt(Url),
    Unknown,
}

impl OAuthClient {
    /// Somebody registered it beforehand, under this id.
    pub fn registered(id: impl Into<String>, proof: Option<ClientProof>) -> Self {
        Self(Identity::Registered { id: id.into(), proof })
    }

    /// A document at this https address describes it (a client id metadata document). At servers that know no such
    /// documents it registers itself.
    pub fn described_at(document: Url) -> Self {
        Self(Identity::DescribedAt(document))
    }

    /// It registers itself at each authorization server (RFC 7591).
    pub fn unknown() -> Self {
        Self(Identity::Unknown)
    }
}

/// A client as one authorization server knows it.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) id: String,
    authentication: Authentication,
}

/// How it proves at the token endpoint who it is (RFC 6749, section 2.3).
#[derive(Clone)]
enum Authentication {
    None,
    Basic(SecretString),
    Post(SecretString),
    Assertion(Arc<SigningKey>),
}

impl Client {
    /// A client that the server knows already, with the way of proving it that both can.
    pub(super) fn known(
        id: &str,
        proof: Option<&ClientProof>,
        issuer: &Issuer,
    ) -> Result<Self, Unauthorized> {
        let methods = issuer.token_endpoint_auth_methods_supported.as_ref();
        let has = |method| Issuer::has(methods, method, &["client_secret_basic"]);
        let authentication = match proof.map(|ClientProof(proof)| proof) {
            None => Authentication::None,
            Some(Proof::Secret(secret)) if has("client_secret_basic") => {
                Authentication::Basic(secret.clone())
            }
            Some(Proof::Secret(secret)) if has("client_secret_post") => {
                Authentication::Post(secret.clone())
            }
            Some(Proof::Secret(_)) => {
                return Err(Unauthorized::Unsupported("way of taking a client's secret"));
            }
            // Servers that take assertions don't always say so; one that says what it takes is believed.
            Some(Proof::Key(_)) if methods.is_some() && !has("private_key_jwt") => {
                return Err(Unauthorized::Unsupported("private_key_jwt"));
            }
            Some(Proof::Key(key)) => {
                let algorithms = issuer.token_endpoint_auth_signing_alg_values_supported.as_ref();
                if !Issuer::has(algorithms, key.algorithm(), &[key.algorithm()]) {
                    return Err(Unauthorized::Unsupported("use for a key of this kind"));
                }
                Authentication::Assertion(key.clone())
            }
        };
        Ok(Self { id: id.to_owned(), authentication })
    }

    /// A client whose description the server fetches: it has no secret.
    pub(super) fn described_at(document: &Url) -> Self {
        Self { id: document.to_string(), authentication: Authentication::None }
    }

    /// Adds to a request at the token endpoint what proves who asks.
    pub(super) fn sign(
        &self,
        form: &mut Vec<(&'static str, String)>,
        issuer: &str,
        limits: &OAuthLimits,
    ) -> Result<Option<HeaderValue>, Unauthorized> {
        match &self.authentication {
            Authentication::Basic(secret) => return basic(&self.id, secret).map(Some),
            Authentication::None => {}
            Authentication::Post(secret) => {
                form.push(("client_secret", secret.expose_secret().to_owned()));
            }
            Authentication::Assertion(key) => {
                let assertion = key.assertion(&self.id, issuer, limits.assertion_lifetime)?;
                let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
                form.push(("client_assertion_type", kind.to_owned()));
                form.push(("client_assertion", assertion));
            }
        }
        form.push(("client_id", self.id.clone()));
        Ok(None)
    }

    /// The secret, to take it out of what the server says.
    pub(super) fn secret(&self) -> Option<&SecretString> {
        match &self.authentication {
            Authentication::Basic(secret) | Authentication::Post(secret) => Some(secret),
            Authentication::None | Authentication::Assertion(_) => None,
        }
    }
}

/// Both parts are encoded as in a form before they are joined (RFC 6749, section 2.3.1).
fn basic(id: &str, secret: &SecretString) -> Result<HeaderValue, Unauthorized> {
    let encoded =
        |text: &str| -> String { url::form_urlencoded::byte_serialize(text.as_bytes()).collect() };
    let joined = format!("{}:{}", encoded(id), encoded(secret.expose_secret()));
    let mut value = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(joined)))
        .map_err(|_| Unauthorized::Internal("the client's secret makes no header"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// What a server answers to a registration, as far as it is of use.
#[derive(Deserialize)]
struct Registration {
    client_id: String,
    client_secret: Option<String>,
    token_endpoint_auth_method: Option<String>,
}

/// Registers the host at an authorization server, for consents whose answers come to `redirect_uri`.
pub(super) async fn register(
    issuer: &Issuer,
    redirect_uri: &Url,
    reach: Reach,
    requests: &Requests,
    limits: &OAuthLimits,
) -> Result<Client, Unauthorized> {
    let Some(endpoint) = &issuer.registration_endpoint else {
        return Err(Unauthorized::Unsupported(
            "registration of unknown clients: register one there, and configure its id",
        ));
    };
    let methods = issuer.token_endpoint_auth_methods_supported.as_ref();
    let wanted = ["none", "client_secret_basic", "client_secret_post"]
        .into_iter()
        .find(|method| Issuer::has(methods, method, &["client_secret_basic"]))
        .ok_or(Unauthorized::Unsupported("way of authentication that a registered client has"))?;
    let description = json!({
        "client_name": "Callgate",
        "redirect_uris": [redirect_uri.as_str()],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": wanted,
        "application_type": consent::application_type(redirect_uri),
    });
    let reply = requests.post_json(endpoint, &description, reach, limits).await?;
    if !reply.status.is_success() {
        return Err(refusal(endpoint, &reply, &[], limits));
    }
    let registration: Registration = serde_json::from_slice(&reply.body)
        .map_err(|_| Unauthorized::unusable(endpoint, "it answered with no registration"))?;
    let secret = registration.client_secret.map(SecretString::from);
    let method = registration.token_endpoint_auth_method.as_deref().unwrap_or(wanted);
    let authentication = match (method, secret) {
        ("none", _) => Authentication::None,
        ("client_secret_basic", Some(secret)) => Authentication::Basic(secret),
        ("client_secret_post", Some(secret)) => Authentication::Post(secret),
        _ => {
            let detail = "it registered a client that has no way to prove who it is";
            return Err(Unauthorized::unusable(endpoint, detail));
        }
    };
    Ok(Client { id: registration.client_id, authentication })
}
