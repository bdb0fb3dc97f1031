//! Who the host is to a server: one [`AuthRecord`] per connection, with secrets that never print.
//!
//! A record is either headers that somebody configured, or [`OAuth`]: how to get tokens. The second is a path of several
//! steps, each in a file of its own: the server's refusal ([`challenge`]), the authorization server that it trusts
//! ([`discovery`]), the host as its [`client`], a person's [`consent`], the [`token`] endpoint. [`flight`] goes along
//! it, and [`wallet`] keeps what it brings.

mod assertion;
mod challenge;
mod client;
mod consent;
mod discovery;
mod fault;
mod flight;
mod oauth;
mod requests;
mod token;
mod wallet;

use std::{fmt, sync::Arc};

use http::{HeaderName, HeaderValue};
use url::Url;

use self::oauth::Authority;
pub use self::{
    assertion::UnusableKey,
    client::{ClientProof, OAuthClient},
    consent::Authorize,
    oauth::{OAuth, Vouch},
};
pub(crate) use self::{
    challenge::Challenge,
    wallet::{Ticket, Wallet},
};

/// The credentials of one connection. Two connections with equal records may share a session, others never do.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct AuthRecord {
    headers: Vec<(HeaderName, Secret)>,
    oauth: Option<Authority>,
}

/// A header value that has no `Debug` and no `Display`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Secret(HeaderValue);

impl AuthRecord {
    /// No credentials.
    pub fn none() -> Self {
        Self::default()
    }

    /// Adds a header that goes with every request.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(true);
        self.headers.push((name, Secret(value)));
        self
    }

    /// Adds `Authorization: Bearer TOKEN`.
    ///
    /// # Errors
    ///
    /// When the token has a character that no header may hold.
    pub fn with_bearer(self, token: &str) -> Result<Self, http::header::InvalidHeaderValue> {
        let value = HeaderValue::try_from(format!("Bearer {token}"))?;
        Ok(self.with_header(http::header::AUTHORIZATION, value))
    }

    /// Gets tokens when the server wants them; they take the place of an `Authorization` header. Clones of the record share
    /// its tokens, and only they are equal to it.
    #[must_use]
    pub fn with_oauth(mut self, oauth: OAuth) -> Self {
        self.oauth = Some(Authority::new(oauth));
        self
    }

    /// The headers, for the transport alone.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        self.headers.iter().map(|(name, Secret(value))| (name, value))
    }

    /// The tokens for a server, for the transport alone.
    pub(crate) fn wallet(&self, server: &Url) -> Option<Arc<Wallet>> {
        self.oauth.as_ref().map(|authority| authority.wallet(server))
    }

    /// Whether there is anything in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.oauth.is_none()
    }
}

impl fmt::Debug for AuthRecord {
    /// Names, never values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut set = f.debug_set();
        set.entries(self.headers.iter().map(|(name, _)| name));
        set.entries(self.oauth.iter().map(Authority::oauth)).finish()
    }
}
