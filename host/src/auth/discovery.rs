//! From a server's refusal to the authorization server that it trusts: the metadata of protected resources (RFC 9728) and of
//! authorization servers (RFC 8414, OpenID Connect Discovery).
//!
//! What the documents say is checked before anything is done with it: the resource has to be the server, the issuer has
//! to be the one that the document was asked of, and every address has to be one that may be spoken to.

use serde::{Deserialize, Deserializer, de::Error as _};
use url::Url;

use super::{
    challenge::Challenge,
    fault::{Unauthorized, plain, quoted},
    requests::{Reach, Requests},
};
use crate::limits::OAuthLimits;

/// What is known of the way to a token for one server.
#[derive(Clone, Debug)]
pub(super) struct Discovered {
    /// The server's name in requests for tokens, exactly as it publishes it.
    pub(super) resource: String,
    /// The scopes that the server knows, as far as it says.
    pub(super) scopes: Vec<String>,
    pub(super) issuer: Issuer,
}

/// The metadata of an authorization server.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Issuer {
    pub(super) issuer: String,
    #[serde(default, deserialize_with = "address")]
    pub(super) authorization_endpoint: Option<Url>,
    #[serde(default, deserialize_with = "address")]
    pub(super) token_endpoint: Option<Url>,
    #[serde(default, deserialize_with = "address")]
    pub(super) registration_endpoint: Option<Url>,
    pub(super) scopes_supported: Option<Vec<String>>,
    pub(super) code_challenge_methods_supported: Option<Vec<String>>,
    pub(super) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    pub(super) token_endpoint_auth_signing_alg_values_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(super) client_id_metadata_document_supported: bool,
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
}

/// An address is a text in JSON.
fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Url>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| Url::parse(&text)).transpose().map_err(D::Error::custom)
}

/// The metadata of a protected resource.
#[derive(Debug, Deserialize)]
struct Resource {
    resource: String,
    #[serde(default)]
    authorization_servers: Vec<String>,
    #[serde(default)]
    scopes_supported: Vec<String>,
}

/// Who asks, and how.
pub(super) struct Discovery<'a> {
    pub(super) server: &'a Url,
    /// The issuer that the configuration names, where it names one.
    pub(super) issuer: Option<&'a str>,
    pub(super) reach: Reach,
    pub(super) requests: &'a Requests,
    pub(super) limits: &'a OAuthLimits,
}

impl Discovery<'_> {
    pub(super) async fn run(&self, challenge: &Challenge) -> Result<Discovered, Unauthorized> {
        let Some(resource) = self.resource(challenge).await? else {
            // Servers of the revision 2025-03-26 have no such metadata: each is its own authorization server.
            let origin = self.server.origin().ascii_serialization();
            let issuer = self.issuer.unwrap_or(&origin);
            return Ok(Discovered {
                resource: plain(self.server),
                scopes: Vec::new(),
                issuer: self.issuer(issuer).await?,
            });
        };
        let chosen = self.choose(&resource)?;
        Ok(Discovered {
            issuer: self.issuer(&chosen).await?,
            resource: resource.resource,
            scopes: resource.scopes_supported,
        })
    }

    /// The server's metadata: where its refusal says, or else at the places that the specification names.
    async fn resource(&self, challenge: &Challenge) -> Result<Option<Resource>, Unauthorized> {
        let named = challenge.resource_metadata.as_deref();
        let named = named.and_then(|address| self.server.join(address).ok());
        // Another origin could say anything of this server. Its own well-known places are asked instead.
        let named = named.filter(|address| address.origin() == self.server.origin());
        for address in named.into_iter().chain(self.resource_places()) {
            match self.requests.document::<Resource>(&address, self.reach, self.limits).await? {
                Ok(resource) => return self.checked(resource).map(Some),
                Err(absent) => tracing::debug!(absent, "no metadata of the server there"),
            }
        }
        Ok(None)
    }

    fn resource_places(&self) -> Vec<Url> {
        let path = self.server.path().trim_end_matches('/');
        let place = |path: &str| {
            let mut address = self.server.clone();
            address.set_path(&format!("/.well-known/oauth-protected-resource{path}"));
            address.set_query(None);
            address.set_fragment(None);
            address
        };
        let mut places = vec![place(path)];
        if !path.is_empty() {
            places.push(place(""));
        }
        places
    }

    /// The resource has to be the server, or what the server is a part of.
    fn checked(&self, resource: Resource) -> Result<Resource, Unauthorized> {
        let is_ours = Url::parse(&resource.resource).is_ok_and(|named| {
            let ours = named.path().trim_end_matches('/');
            let is_part = self.server.path().strip_prefix(ours);
            named.origin() == self.server.origin()
                && is_part.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                && (named.query().is_none() || named.query() == self.server.query())
                && named.fragment().is_none()
        });
        if is_ours {
            return Ok(resource);
        }
        Err(Unauthorized::OtherResource {
            server: plain(self.server),
            resource: quoted(&resource.resource, self.limits.max_quoted_chars),
        })
    }

    /// The first authorization server, or the configured one.
    fn choose(&self, resource: &Resource) -> Result<String, Unauthorized> {
        let Some(first) = resource.authorization_servers.first() else {
            return Ok(self
                .issuer
                .map_or_else(|| self.server.origin().ascii_serialization(), str::to_owned));
        };
        let Some(wanted) = self.issuer else { return Ok(first.clone()) };
        let is_it = |named: &&String| named.trim_end_matches('/') == wanted.trim_end_matches('/');
        match resource.authorization_servers.iter().find(is_it) {
            Some(named) => Ok(named.clone()),
            None => Err(Unauthorized::OtherIssuer {
                wanted: wanted.to_owned(),
                found: quoted(first, self.limits.max_quoted_chars),
            }),
        }
    }

    /// The metadata of the authorization server `issuer`.
    async fn issuer(&self, issuer: &str) -> Result<Issuer, Unauthorized> {
        let quote = |words: &str| quoted(words, self.limits.max_quoted_chars);
        let undiscovered =
            |detail| Unauthorized::Undiscovered { server: plain(self.server), detail };
        let Ok(base) = Url::parse(issuer) else {
            return Err(undiscovered(format!("the issuer {:?} is no address", quote(issuer))));
        };
        let mut why_not = Vec::new();
        for address in issuer_places(&base) {
            match self.requests.document::<Issuer>(&address, self.reach, self.limits).await? {
                Ok(found) if found.issuer == issuer => return Ok(found),
                Ok(found) => {
                    let (wanted, found) = (quote(issuer), quote(&found.issuer));
                    return Err(Unauthorized::OtherIssuer { wanted, found });
                }
                Err(absent) => why_not.push(quote(&absent)),
            }
        }
        Err(undiscovered(why_not.join("; ")))
    }
}

/// Where an issuer's metadata may be, in the order of the MCP specification.
fn issuer_places(issuer: &Url) -> Vec<Url> {
    let path = issuer.path().trim_end_matches('/');
    let place = |path: String| {
        let mut address = issuer.clone();
        address.set_path(&path);
        address.set_query(None);
        address.set_fragment(None);
        address
    };
    let mut places = vec![
        place(format!("/.well-known/oauth-authorization-server{path}")),
        place(format!("/.well-known/openid-configuration{path}")),
    ];
    if !path.is_empty() {
        places.push(place(format!("{path}/.well-known/openid-configuration")));
    }
    places
}

impl Issuer {
    /// Whether the server does `wanted`; one that doesn't say what it does does what the standard has as its default.
    pub(super) fn has(list: Option<&Vec<String>>, wanted: &str, default: &[&str]) -> bool {
        match list {
            Some(list) => list.iter().any(|offered| offered == wanted),
            None => default.contains(&wanted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(server: &str, resource: &str) -> bool {
        let discovery = Discovery {
            server: &server.parse().unwrap(),
            issuer: None,
            reach: Reach::Network,
            requests: &Requests::default(),
            limits: &OAuthLimits::default(),
        };
        let resource = Resource {
            resource: resource.to_owned(),
            authorization_servers: Vec::new(),
            scopes_supported: Vec::new(),
        };
        discovery.checked(resource).is_ok()
    }

    #[test]
    fn a_resource_is_the_server_or_what_it_is_a_part_of() {
        let server = "https://e.com/team/mcp?key=1";
        for (resource, expected) in [
            ("https://e.com/team/mcp", true),
            ("https://e.com/team/mcp/", true),
            ("https://e.com/team", true),
            ("https://e.com", true),
            ("https://E.com:443/", true),
            ("https://e.com/team/mcp?key=1", true),
            ("https://e.com/team/mcp?key=2", false),
            ("https://e.com/team/mcp#x", false),
            ("https://e.com/team/mc", false),
            ("https://e.com/other", false),
            ("http://e.com/team/mcp", false),
            ("https://e.com:8443/team/mcp", false),
            ("https://evil.example.com/team/mcp", false),
            ("e.com", false),
        ] {
            assert_eq!(checked(server, resource), expected, "{resource}");
        }
    }

    #[test]
    fn the_places_of_metadata_are_those_of_the_specification() {
        let places = |issuer: &str| -> Vec<String> {
            issuer_places(&issuer.parse().unwrap()).iter().map(Url::to_string).collect()
        };

        assert_eq!(
            places("https://a.com"),
            [
                "https://a.com/.well-known/oauth-authorization-server",
                "https://a.com/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            places("https://a.com/tenant1"),
            [
                "https://a.com/.well-known/oauth-authorization-server/tenant1",
                "https://a.com/.well-known/openid-configuration/tenant1",
                "https://a.com/tenant1/.well-known/openid-configuration",
            ]
        );
    }
}
