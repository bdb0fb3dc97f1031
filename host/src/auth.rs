//! Who the host is to a server: one [`AuthRecord`] per connection, with secrets that never print.

use std::fmt;

use http::{HeaderName, HeaderValue};

/// The credentials of one connection. Two connections with equal records may share a session, others never do.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct AuthRecord {
    headers: Vec<(HeaderName, Secret)>,
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

    /// The headers, for the transport alone.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
        self.headers.iter().map(|(name, Secret(value))| (name, value))
    }
}

impl fmt::Debug for AuthRecord {
    /// Names, never values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.headers.iter().map(|(name, _)| name)).finish()
    }
}
