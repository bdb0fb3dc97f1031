//! The bounds of getting tokens from authorization servers.

use std::time::Duration;

/// The bounds of one [`OAuth`](crate::OAuth) record, whatever servers its sessions are with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OAuthLimits {
    /// One request to an authorization server or for metadata, from its first byte to the last of the answer. Protects the
    /// flow from servers.
    pub request_timeout: Duration,
    /// One step to a token: finding the authorization server, registering, asking for the token. At most four of them and
    /// one person make a token. Protects the flow from servers that are slow at every one of many places.
    pub step_timeout: Duration,
    /// How long a person may take to consent. Calls that wait for it end earlier, by their own deadlines, and the token is
    /// there for the next ones. Protects the host from forgotten browser windows.
    pub consent_timeout: Duration,
    /// Bytes of one answer of an authorization server, or of one metadata document. Protects memory from servers.
    pub max_document_bytes: usize,
    /// Redirections of one request for metadata; none leaves the origin, and no other request follows any. Protects the
    /// flow from servers that point in circles.
    pub max_redirects: u32,
    /// Characters of an authorization server's words that an error quotes. Protects logs from servers.
    pub max_quoted_chars: usize,
    /// Scopes that are asked for at most. A server that demands more and more of them gets no further. Protects people from
    /// servers that ask again and again.
    pub max_scopes: usize,
    /// How long before its end a token is replaced, where that needs no person. Protects calls from tokens that end on the
    /// way.
    pub early_renewal: Duration,
    /// How long a failure answers everybody who asks again, and how long a new token that the server never accepted is not
    /// replaced. Protects authorization servers from this host.
    pub failure_pause: Duration,
    /// New tokens that one request may ask for because its own was not accepted (401). Protects authorization servers.
    pub renewals_per_request: u32,
    /// New tokens that one request may ask for because its scopes don't suffice (403). Protects people and servers.
    pub step_ups_per_request: u32,
    /// How long a signed assertion is good for. Protects the client from whoever gets hold of one.
    pub assertion_lifetime: Duration,
}

impl Default for OAuthLimits {
    fn default() -> Self {
        Self {
            request_timeout: Duration::from_secs(10),
            step_timeout: Duration::from_secs(20),
            consent_timeout: Duration::from_secs(300),
            max_document_bytes: 256 << 10,
            max_redirects: 3,
            max_quoted_chars: 300,
            max_scopes: 64,
            early_renewal: Duration::from_secs(30),
            failure_pause: Duration::from_secs(5),
            renewals_per_request: 1,
            step_ups_per_request: 1,
            assertion_lifetime: Duration::from_secs(60),
        }
    }
}
