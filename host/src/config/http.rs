//! The keys of a server that is reached by HTTP: `url`, `headers`, `auth`, `bearer_token_env_var`; and `oauth`, which is in
//! [`oauth`].

use std::collections::BTreeMap;

use http::{HeaderName, HeaderValue, header::AUTHORIZATION};
use url::Url;

use crate::{
    auth::AuthRecord,
    config::{
        document::{Entry, Findings, Text},
        error::Remark,
        fault::Fault,
        oauth,
        value::Values,
    },
    session::HttpServer,
    web::is_loopback,
};

/// Headers whose value follows from the message; another value would break the protocol.
const RESERVED_HEADERS: &[&str] = &[
    "accept",
    "connection",
    "content-length",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

/// Reads them. What is wrong goes into the findings, and so much of the server that it can't be used.
pub(super) fn read<'a>(
    entry: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> Option<(HttpServer, AuthRecord)> {
    let address = entry.text("url", findings);
    let url = address.as_ref().and_then(|text| url(text, values, findings));
    let headers = headers(entry, values, findings);
    let mut auth = authorised(entry, headers, values, findings);
    let has_oauth = entry.has("oauth");
    if let Some(oauth) = oauth::read(entry, values, findings) {
        auth = auth.with_oauth(oauth);
    }
    let (address, url) = (address?, url?);
    if url.scheme() == "http" && !is_loopback(&url) {
        if has_oauth {
            findings.problem(&address.spot, Fault::CleartextTokens);
        } else if !auth.is_empty() {
            findings.warning(&address.spot, Remark::Cleartext);
        }
    }
    Some((HttpServer { url }, auth))
}

fn url(text: &Text<'_>, values: &Values<'_>, findings: &mut Findings<'_>) -> Option<Url> {
    let address = values.expand(text, findings)?;
    let fault = match Url::parse(&address.text) {
        Err(detail) => Fault::BadUrl { detail },
        Ok(url) if !matches!(url.scheme(), "http" | "https") => Fault::NotHttp,
        Ok(url) if !url.username().is_empty() || url.password().is_some() => Fault::UrlCredentials,
        Ok(url) => return Some(url),
    };
    findings.problem(&text.spot, address.fault(fault));
    None
}

/// By name in lower case, so that the same headers in another order make an equal [`AuthRecord`].
type Headers = BTreeMap<String, (HeaderName, HeaderValue)>;

fn headers<'a>(entry: &mut Entry<'a>, values: &Values<'_>, findings: &mut Findings<'a>) -> Headers {
    let mut headers = Headers::new();
    let Some(named) = entry.entry("headers", findings) else { return headers };
    for (name, value, spot) in named.members() {
        let Ok(header) = HeaderName::try_from(name) else {
            findings.problem(&spot, Fault::BadHeaderName);
            continue;
        };
        if RESERVED_HEADERS.contains(&header.as_str()) {
            findings.problem(&spot, Fault::ReservedHeader);
            continue;
        }
        let Some(text) = findings.text_of(value, spot) else { continue };
        let Some(value) = values.expand(&text, findings) else { continue };
        let Ok(header_value) = HeaderValue::try_from(&value.text) else {
            findings.problem(&text.spot, value.fault(Fault::BadHeaderValue));
            continue;
        };
        let key = header.as_str().to_owned();
        if headers.insert(key.clone(), (header, header_value)).is_some() {
            findings.problem(&text.spot, Fault::Collision { other: key });
        }
    }
    headers
}

/// The headers, and the bearer token of `auth` or `bearer_token_env_var`.
fn authorised<'a>(
    entry: &mut Entry<'a>,
    mut headers: Headers,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> AuthRecord {
    let sources = [
        ("headers", headers.contains_key(AUTHORIZATION.as_str())),
        ("auth", entry.has("auth")),
        ("bearer_token_env_var", entry.has("bearer_token_env_var")),
        ("oauth", entry.has("oauth")),
    ];
    let mut given = sources.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| *key);
    if let (Some(other), Some(_)) = (given.next(), given.next()) {
        findings.problem(entry.spot(), Fault::TwoCredentials { other });
    }
    let tokens = [bearer(entry, values, findings), token_of_variable(entry, values, findings)];
    for token in tokens.into_iter().flatten() {
        headers.insert(AUTHORIZATION.as_str().to_owned(), (AUTHORIZATION, token));
    }
    headers
        .into_values()
        .fold(AuthRecord::none(), |record, (name, value)| record.with_header(name, value))
}

/// `"auth": {"bearer": TOKEN}`.
fn bearer<'a>(
    entry: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> Option<HeaderValue> {
    let mut auth = entry.entry("auth", findings)?;
    let text = auth.text("bearer", findings);
    if !auth.has("bearer") {
        findings.problem(auth.spot(), Fault::NoBearer);
    }
    for (_, spot) in auth.unasked() {
        findings.warning(&spot, Remark::UnknownKey);
    }
    let text = text?;
    let token = values.expand(&text, findings)?;
    match bearer_value(&token.text) {
        Ok(value) => Some(value),
        Err(fault) => {
            findings.problem(&text.spot, token.fault(fault));
            None
        }
    }
}

/// `"bearer_token_env_var": VARIABLE`.
fn token_of_variable<'a>(
    entry: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> Option<HeaderValue> {
    let name = entry.text("bearer_token_env_var", findings)?;
    let variable = name.value.to_owned();
    let token = match values.environment.get(name.value) {
        Some(token) if !token.is_empty() => token.to_str().ok_or(Fault::NotUnicode { variable }),
        _ => Err(Fault::MissingToken { variable }),
    };
    let value = token
        .and_then(|token| bearer_value(token).map_err(|fault| Fault::Expanded(Box::new(fault))));
    match value {
        Ok(value) => Some(value),
        Err(fault) => {
            findings.problem(&name.spot, fault);
            None
        }
    }
}

fn bearer_value(token: &str) -> Result<HeaderValue, Fault> {
    if token.trim().is_empty() {
        return Err(Fault::Empty);
    }
    HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| Fault::BadHeaderValue)
}
