//! What a server says when it refuses a request for want of a token: the `Bearer` challenge of `WWW-Authenticate` (RFC 9110,
//! section 11.6.1; RFC 6750, section 3; RFC 9728, section 5.1).

use http::{HeaderMap, header::WWW_AUTHENTICATE};

/// The parts of a challenge that say how to get a token.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Challenge {
    /// Where the server says that its metadata is.
    pub(super) resource_metadata: Option<String>,
    /// The scopes that a token needs.
    pub(super) scopes: Vec<String>,
    error: Option<String>,
}

impl Challenge {
    /// The challenge of a response. A server that refuses without one says nothing in it.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let mut challenge = Self::default();
        for value in headers.get_all(WWW_AUTHENTICATE) {
            if let Ok(text) = value.to_str() {
                challenge.read(text);
            }
        }
        challenge
    }

    /// Whether a token with more scopes would do.
    pub(crate) fn wants_more_scopes(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }

    /// A header may hold several challenges, and each of them several parameters: all are separated by commas.
    fn read(&mut self, header: &str) {
        let mut is_bearer = false;
        for item in items(header) {
            let parameter = match item.split_once(|c: char| c.is_ascii_whitespace() || c == '=') {
                // Without a parameter it is a scheme alone.
                None => {
                    is_bearer = item.eq_ignore_ascii_case("bearer");
                    continue;
                }
                Some((word, rest)) if is_name_of_scheme(item, word, rest) => {
                    is_bearer = word.eq_ignore_ascii_case("bearer");
                    rest.trim_start()
                }
                Some(_) => item,
            };
            if let Some((name, value)) = parameter.split_once('=').filter(|_| is_bearer) {
                self.note(name.trim_end(), &unquoted(value.trim_start()));
            }
        }
    }

    /// The first of each name counts.
    fn note(&mut self, name: &str, value: &str) {
        match name.to_ascii_lowercase().as_str() {
            "resource_metadata" => {
                self.resource_metadata.get_or_insert_with(|| value.to_owned());
            }
            "error" => {
                self.error.get_or_insert_with(|| value.to_owned());
            }
            "scope" if self.scopes.is_empty() => {
                self.scopes = value.split_ascii_whitespace().map(str::to_owned).collect();
            }
            _ => {}
        }
    }
}

/// Whether an item begins a challenge: its first word is followed by a space and by something other than `=`.
fn is_name_of_scheme(item: &str, word: &str, rest: &str) -> bool {
    !item[word.len()..].starts_with('=') && !rest.trim_start().starts_with('=')
}

/// The parts between commas that aren't in quotes.
fn items(header: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    let parts = header.split(move |c: char| {
        let is_literal = std::mem::take(&mut is_escaped);
        match c {
            '\\' if is_quoted && !is_literal => is_escaped = true,
            '"' if !is_literal => is_quoted = !is_quoted,
            _ => {}
        }
        c == ',' && !is_quoted
    });
    parts.map(str::trim).filter(|item| !item.is_empty())
}

fn unquoted(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"') else { return value.to_owned() };
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => break,
            '\\' => text.extend(characters.next()),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn challenge(headers: &[&str]) -> Challenge {
        let values = headers.iter().map(|text| HeaderValue::from_str(text).unwrap());
        let map: HeaderMap = values.map(|value| (WWW_AUTHENTICATE, value)).collect();
        Challenge::from_headers(&map)
    }

    #[test]
    fn the_bearer_challenge_is_read_however_it_is_written() {
        for headers in [
            &[r#"Bearer resource_metadata="https://e.com/a,b", scope="x y", error="e""#][..],
            &[r#"bearer   Scope="x y",error=e ,  resource_metadata = "https://e.com/a,b""#],
            &[
                r#"Basic realm="a, Bearer scope=\"no\"", Bearer error="e", scope="x y""#,
                r#"Bearer resource_metadata="https://e.com/a,b""#,
            ],
            &[
                r#"Negotiate, Bearer scope="x y", resource_metadata="https://e.com/a,b", error=e, DPoP scope="z", error="no""#,
            ],
            &[
                r#"Digest abc==, Bearer scope="x \y", resource_metadata="https://e.com/a,b", error=e"#,
            ],
        ] {
            let found = challenge(headers);

            let expected = Challenge {
                resource_metadata: Some("https://e.com/a,b".to_owned()),
                scopes: vec!["x".to_owned(), "y".to_owned()],
                error: Some("e".to_owned()),
            };
            assert_eq!(found, expected, "{headers:?}");
        }
    }

    #[test]
    fn what_is_no_bearer_challenge_says_nothing() {
        for header in
            ["", "Bearer", "Basic scope=\"a\"", ",,", "scope=\"a\"", "Bearer =", "Bearer \""]
        {
            assert_eq!(challenge(&[header]), Challenge::default(), "{header}");
        }
    }

    #[test]
    fn only_insufficient_scope_asks_for_more_scopes() {
        assert!(
            challenge(&[r#"Bearer error="insufficient_scope", scope="a""#]).wants_more_scopes()
        );
        assert!(!challenge(&[r#"Bearer error="invalid_token", scope="a""#]).wants_more_scopes());
    }
}
