//! Why there is no token: [`Unauthorized`], one case for each thing that somebody can do about it.
//!
//! Parts of it are words of servers: short, without control characters, and with nothing secret in them.

use url::Url;

/// Why there is no token.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unauthorized {
    /// The server names no authorization server, and none is found.
    #[error("no authorization server is found for {server}: {detail}")]
    Undiscovered { server: String, detail: String },
    /// An address that nothing secret may go to, or that only this machine may name.
    #[error(
        "{address} must not be asked for a token: it has to be https, or on this machine as the MCP server is"
    )]
    Address { address: String },
    /// The metadata is about another server.
    #[error(
        "the metadata of {server} is about {resource:?}, so a token would be for another server"
    )]
    OtherResource { server: String, resource: String },
    /// An authorization server that isn't the one it should be.
    #[error("the issuer is {found:?}, and {wanted:?} was expected")]
    OtherIssuer { wanted: String, found: String },
    /// The credentials belong to another authorization server.
    #[error(
        "the credentials are for the issuer {known:?}, and the server names {found:?}: if that is right, configure them anew"
    )]
    OtherCredentials { known: String, found: String },
    /// The authorization server can't do what is needed.
    #[error("the authorization server has no {0}")]
    Unsupported(&'static str),
    /// The authorization server said no.
    #[error("the authorization server refused: {code}{description}")]
    Refused { code: String, description: String },
    /// It couldn't be asked, or its answer is of no use.
    #[error("{address}: {detail}")]
    Unusable { address: String, detail: String },
    /// A person would have to consent.
    #[error("a person has to consent, and that failed: {0}")]
    NoConsent(String),
    /// Whoever should vouch for the host does not.
    #[error("nobody vouches for this host: {0}")]
    NotVouched(String),
    /// What came back from the person's browser isn't the answer to what was asked.
    #[error("the answer from the browser is refused: {0}")]
    BadRedirection(&'static str),
    /// The server wants scopes that were asked for already, or too many.
    #[error("the server wants other scopes, and asking again would not get them: {0}")]
    Scopes(String),
    /// The server refuses what its authorization server has just given.
    #[error("the server does not accept a new token from its own authorization server")]
    NotAccepted,
    /// A step or all of them took too long.
    #[error("{0} took too long")]
    TooLate(&'static str),
    /// The host's own part failed.
    #[error("the host failed: {0}")]
    Internal(&'static str),
}

impl Unauthorized {
    pub(super) fn unusable(address: &Url, detail: impl Into<String>) -> Self {
        Self::Unusable { address: plain(address), detail: detail.into() }
    }
}

/// An address without what may be secret in it.
pub(super) fn plain(address: &Url) -> String {
    format!("{}{}", address.origin().ascii_serialization(), address.path())
}

/// A server's words, fit to be quoted.
pub(super) fn quoted(words: &str, max_chars: usize) -> String {
    words.chars().filter(|c| !c.is_control()).take(max_chars).collect()
}
