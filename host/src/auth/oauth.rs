//! What the host is to authorization servers, and how it gets its tokens: [`OAuth`].

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use futures::future::BoxFuture;
use url::Url;

use super::{
    client::{ClientProof, Identity, OAuthClient},
    consent::Authorize,
    discovery::Issuer,
    fault::{Unauthorized, quoted},
    requests::{Reach, Requests},
    wallet::Wallet,
};
use crate::{limits::OAuthLimits, web};

/// How the host gets tokens for a server that wants them, by the authorization rules of MCP.
///
/// Nothing happens before the server refuses a request. Tokens are kept in memory, apart for each server, and shared by
/// all sessions of the record.
#[derive(Clone)]
pub struct OAuth {
    pub(super) kind: Kind,
    pub(super) scopes: Vec<String>,
    pub(super) issuer: Option<String>,
    pub(super) limits: OAuthLimits,
}

#[derive(Clone)]
pub(super) enum Kind {
    ClientCredentials { client_id: String, proof: ClientProof },
    Consent { client: OAuthClient, authorize: Arc<dyn Authorize> },
    Vouched { client_id: String, proof: Option<ClientProof>, voucher: Arc<dyn Vouch> },
}

/// Somebody whom authorization servers trust, and who says on whose behalf the host asks (RFC 7523, section 2.1).
pub trait Vouch: Send + Sync {
    /// A signed assertion for the authorization server `issuer`, about access to `resource`.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when it takes too long.
    fn assertion(&self, issuer: &str, resource: &str) -> BoxFuture<'_, Result<String, String>>;
}

impl OAuth {
    /// The host acts for itself, and needs no person.
    pub fn client_credentials(client_id: impl Into<String>, proof: ClientProof) -> Self {
        Self::new(Kind::ClientCredentials { client_id: client_id.into(), proof })
    }

    /// A person consents in a browser (the authorization code grant, with PKCE).
    pub fn authorization_code(client: OAuthClient, authorize: Arc<dyn Authorize>) -> Self {
        Self::new(Kind::Consent { client, authorize })
    }

    /// Another party vouches for whom the host acts (the JWT bearer grant).
    pub fn vouched(
        client_id: impl Into<String>,
        proof: Option<ClientProof>,
        voucher: Arc<dyn Vouch>,
    ) -> Self {
        Self::new(Kind::Vouched { client_id: client_id.into(), proof, voucher })
    }

    fn new(kind: Kind) -> Self {
        Self { kind, scopes: Vec::new(), issuer: None, limits: OAuthLimits::default() }
    }

    /// Asks for these scopes, and for others only when the server demands them. Without this it asks for those that the
    /// server publishes.
    #[must_use]
    pub fn with_scopes(mut self, scopes: impl IntoIterator<Item = String>) -> Self {
        self.scopes = scopes.into_iter().collect();
        self
    }

    /// Deals with this authorization server alone, whatever the MCP server says. Without this, credentials belong to the
    /// first one that the MCP server names.
    #[must_use]
    pub fn with_issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// Other bounds than the usual ones.
    #[must_use]
    pub fn with_limits(mut self, limits: OAuthLimits) -> Self {
        self.limits = limits;
        self
    }
}

impl fmt::Debug for OAuth {
    /// The kind, and nothing that could be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.kind {
            Kind::ClientCredentials { .. } => "client credentials",
            Kind::Consent { .. } => "authorization code",
            Kind::Vouched { .. } => "assertion",
        };
        f.debug_struct("OAuth").field("kind", &kind).field("scopes", &self.scopes).finish()
    }
}

/// One record's part in everything that is done to get tokens.
pub(super) struct Party {
    pub(super) oauth: OAuth,
    pub(super) requests: Requests,
    /// The authorization server that the credentials belong to, once one is known. Never locked across an await.
    bound: Mutex<Option<String>>,
}

impl Party {
    /// Makes sure that credentials go to one authorization server alone: the server of an MCP connection could name another.
    pub(super) fn bind(&self, issuer: &Issuer) -> Result<(), Unauthorized> {
        let has_credentials = match &self.oauth.kind {
            Kind::ClientCredentials { .. } | Kind::Vouched { .. } => true,
            Kind::Consent { client, .. } => matches!(client.0, Identity::Registered { .. }),
        };
        if !has_credentials {
            return Ok(());
        }
        let mut bound = self.bound.lock().unwrap_or_else(PoisonError::into_inner);
        let known = bound.get_or_insert_with(|| issuer.issuer.clone());
        if *known == issuer.issuer {
            return Ok(());
        }
        Err(Unauthorized::OtherCredentials {
            known: known.clone(),
            found: quoted(&issuer.issuer, self.oauth.limits.max_quoted_chars),
        })
    }
}

/// An [`OAuth`] in use, with all tokens that it has got. Two are equal only when they are the same one.
#[derive(Clone)]
pub(super) struct Authority(Arc<Inner>);

struct Inner {
    party: Arc<Party>,
    /// By server, because a token is for one server alone. Never locked across an await.
    wallets: Mutex<HashMap<Url, Arc<Wallet>>>,
}

impl Authority {
    pub(super) fn new(oauth: OAuth) -> Self {
        let party = Party { oauth, requests: Requests::default(), bound: Mutex::default() };
        Self(Arc::new(Inner { party: Arc::new(party), wallets: Mutex::default() }))
    }

    pub(super) fn oauth(&self) -> &OAuth {
        &self.0.party.oauth
    }

    pub(super) fn wallet(&self, server: &Url) -> Arc<Wallet> {
        let mut wallets = self.0.wallets.lock().unwrap_or_else(PoisonError::into_inner);
        let wallet = wallets.entry(server.clone()).or_insert_with(|| {
            let party = self.0.party.clone();
            let issuer = party.oauth.issuer.as_deref().and_then(|issuer| Url::parse(issuer).ok());
            let is_here = web::is_loopback(server) || issuer.as_ref().is_some_and(web::is_loopback);
            let reach = if is_here { Reach::ThisMachineToo } else { Reach::Network };
            Arc::new(Wallet::new(party, server.clone(), reach))
        });
        wallet.clone()
    }
}

impl PartialEq for Authority {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Authority {}

impl std::hash::Hash for Authority {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}
