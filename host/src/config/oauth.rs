//! The key `oauth` of a server that is reached by HTTP: how the host gets tokens for it.

use url::Url;

use crate::{
    auth::{ClientProof, OAuth},
    config::{
        child_env::read_bounded,
        document::{Entry, Findings, Text},
        error::Remark,
        fault::Fault,
        value::Values,
    },
    web::is_loopback,
};

const GRANTS: &str = "it's \"client_credentials\" or \"authorization_code\"";

/// Reads it. What is wrong goes into the findings, and then there is none.
pub(super) fn read<'a>(
    entry: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> Option<OAuth> {
    let mut oauth = entry.entry("oauth", findings)?;
    match oauth.text("grant", findings) {
        Some(grant) if grant.value == "client_credentials" => {}
        Some(grant) if grant.value != "authorization_code" => {
            let word = grant.value.to_owned();
            findings.problem(&grant.spot, Fault::UnknownWord { word, expected: GRANTS });
            return None;
        }
        // What other programs mean where they name no grant.
        _ => {
            findings.problem(oauth.spot(), Fault::NeedsPerson);
            return None;
        }
    }
    let client_id = oauth.text("client_id", findings);
    if !oauth.has("client_id") {
        let hint = "the name by which the authorization server knows this host";
        findings.problem(oauth.spot(), Fault::NeedsKey { key: "client_id", hint });
    }
    let client_id = client_id.and_then(|id| filled(&id, values, findings));
    let proof = proof(&mut oauth, values, findings);
    let issuer = oauth.text("issuer", findings).and_then(|it| issuer(&it, values, findings));
    let scopes = oauth.texts("scopes", findings).unwrap_or_default();
    let scopes: Vec<_> =
        scopes.iter().filter_map(|scope| filled(scope, values, findings)).collect();
    for (_, spot) in oauth.unasked() {
        findings.warning(&spot, Remark::UnknownKey);
    }

    let grant = OAuth::client_credentials(client_id?, proof?).with_scopes(scopes);
    Some(match issuer {
        Some(issuer) => grant.with_issuer(issuer),
        None => grant,
    })
}

/// A secret or a private key.
fn proof<'a>(
    oauth: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> Option<ClientProof> {
    let secret = oauth.text("client_secret", findings);
    let key_file = oauth.text("private_key_file", findings);
    let key_id = oauth.text("private_key_id", findings);
    match (oauth.has("client_secret"), oauth.has("private_key_file")) {
        (true, true) => findings.problem(oauth.spot(), Fault::TwoProofs),
        (false, false) => {
            let hint =
                "a secret that the authorization server knows; or a key in \"private_key_file\"";
            findings.problem(oauth.spot(), Fault::NeedsKey { key: "client_secret", hint });
        }
        _ => {}
    }
    if let Some(text) = secret {
        if !oauth.has("issuer") {
            findings.warning(&text.spot, Remark::NoIssuer);
        }
        return filled(&text, values, findings).map(ClientProof::secret);
    }
    let key_id = key_id.and_then(|id| filled(&id, values, findings));
    private_key(&key_file?, key_id, values, findings)
}

fn private_key(
    text: &Text<'_>,
    key_id: Option<String>,
    values: &Values<'_>,
    findings: &mut Findings<'_>,
) -> Option<ClientProof> {
    let path = values.path(text, findings)?;
    let max_bytes = values.limits.max_file_bytes;
    let pem = match read_bounded(&path, max_bytes) {
        Ok(Some(bytes)) => String::from_utf8(bytes).map_err(|_| "it isn't PEM".to_owned()),
        Ok(None) => Err(format!("it is over max_file_bytes ({max_bytes} bytes)")),
        Err(error) => Err(format!("it can't be read: {error}")),
    };
    let proof = pem
        .and_then(|pem| ClientProof::private_key(&pem, key_id).map_err(|error| error.to_string()));
    match proof {
        Ok(proof) => Some(proof),
        Err(detail) => {
            findings.problem(&text.spot, Fault::KeyFile { path, detail });
            None
        }
    }
}

/// The issuer as the file spells it, because it is compared as a text.
fn issuer(text: &Text<'_>, values: &Values<'_>, findings: &mut Findings<'_>) -> Option<String> {
    let issuer = values.expand(text, findings)?;
    let fault = match Url::parse(&issuer.text) {
        Err(detail) => Fault::BadUrl { detail },
        Ok(url) if url.scheme() != "https" && !is_loopback(&url) => Fault::BadIssuer,
        Ok(_) => return Some(issuer.text),
    };
    findings.problem(&text.spot, issuer.fault(fault));
    None
}

/// A text with something in it.
fn filled(text: &Text<'_>, values: &Values<'_>, findings: &mut Findings<'_>) -> Option<String> {
    let expanded = values.expand(text, findings)?;
    if !expanded.text.trim().is_empty() {
        return Some(expanded.text);
    }
    findings.problem(&text.spot, expanded.fault(Fault::Empty));
    None
}
