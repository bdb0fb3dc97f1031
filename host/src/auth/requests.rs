//! Requests for metadata and tokens, each bounded in time and size, and only to addresses that may be asked.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use http::{
    HeaderValue, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, LOCATION},
};
use reqwest::{Client, RequestBuilder, Response};
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use url::Url;

use super::fault::{Unauthorized, plain};
use crate::{
    limits::{HttpLimits, OAuthLimits},
    web,
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");

/// Where the steps to a token may lead. A server could name any address, so this machine is closed to those that aren't on
/// it themselves, and nothing goes anywhere in the clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    Network,
    ThisMachineToo,
}

impl Reach {
    pub(super) fn check(self, address: &Url) -> Result<(), Unauthorized> {
        let is_here = web::is_loopback(address);
        let is_allowed = match address.scheme() {
            "https" => !is_here || self == Self::ThisMachineToo,
            "http" => is_here && self == Self::ThisMachineToo,
            _ => false,
        };
        let has_user = !address.username().is_empty() || address.password().is_some();
        if is_allowed && !has_user {
            return Ok(());
        }
        Err(Unauthorized::Address { address: plain(address) })
    }
}

/// What was answered.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) body: Vec<u8>,
}

/// The clients, so that connections serve again.
#[derive(Default)]
pub(super) struct Requests {
    /// By scheme, and by whether it is for this machine. Locked to look one up, never across an await.
    clients: Mutex<HashMap<(String, bool), Client>>,
}

impl Requests {
    /// A JSON document; `Err` in the inside says why there is none at that address.
    pub(super) async fn document<T: DeserializeOwned>(
        &self,
        address: &Url,
        reach: Reach,
        limits: &OAuthLimits,
    ) -> Result<Result<T, String>, Unauthorized> {
        let reply = self.get(address, reach, limits).await?;
        if !reply.status.is_success() {
            return Ok(Err(format!("HTTP {} from {}", reply.status.as_u16(), plain(address))));
        }
        // An address that shows a page for people whatever it is asked for has no such document either.
        Ok(serde_json::from_slice(&reply.body)
            .map_err(|error| format!("{} is no such document: {error}", plain(address))))
    }

    async fn get(
        &self,
        address: &Url,
        reach: Reach,
        limits: &OAuthLimits,
    ) -> Result<Reply, Unauthorized> {
        let mut address = address.clone();
        let mut redirects_left = limits.max_redirects;
        loop {
            let request = self.client(&address, reach)?.get(address.clone()).header(ACCEPT, JSON);
            let (reply, redirection) = ask(request, &address, limits).await?;
            match redirection {
                Some(next) if redirects_left > 0 => address = next,
                _ => return Ok(reply),
            }
            redirects_left -= 1;
        }
    }

    /// Posts a form. Redirections aren't followed, because there are secrets in it.
    pub(super) async fn post_form(
        &self,
        address: &Url,
        form: &[(&str, &str)],
        authorization: Option<HeaderValue>,
        reach: Reach,
        limits: &OAuthLimits,
    ) -> Result<Reply, Unauthorized> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let mut request = self.client(address, reach)?.post(address.clone());
        request = request.header(ACCEPT, JSON).header(CONTENT_TYPE, FORM).body(body);
        if let Some(value) = authorization {
            request = request.header(AUTHORIZATION, value);
        }
        Ok(ask(request, address, limits).await?.0)
    }

    /// Posts a JSON text.
    pub(super) async fn post_json(
        &self,
        address: &Url,
        body: &serde_json::Value,
        reach: Reach,
        limits: &OAuthLimits,
    ) -> Result<Reply, Unauthorized> {
        let request = self.client(address, reach)?.post(address.clone());
        let request =
            request.header(ACCEPT, JSON).header(CONTENT_TYPE, JSON).body(body.to_string());
        Ok(ask(request, address, limits).await?.0)
    }

    /// Every request passes here, so no address escapes the check.
    fn client(&self, address: &Url, reach: Reach) -> Result<Client, Unauthorized> {
        reach.check(address)?;
        let key = (address.scheme().to_owned(), web::is_loopback(address));
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&key) {
            return Ok(client.clone());
        }
        let client = web::client(address, &HttpLimits::default())
            .map_err(|error| Unauthorized::unusable(address, told(error)))?;
        clients.insert(key, client.clone());
        Ok(client)
    }
}

async fn ask(
    request: RequestBuilder,
    address: &Url,
    limits: &OAuthLimits,
) -> Result<(Reply, Option<Url>), Unauthorized> {
    let asked = async {
        let response = request.send().await.map_err(told)?;
        let redirection = redirection(address, &response);
        let status = response.status();
        let body = read(response, limits.max_document_bytes).await?;
        Ok((Reply { status, body }, redirection))
    };
    match timeout(limits.request_timeout, asked).await {
        Ok(outcome) => outcome.map_err(|detail: String| Unauthorized::unusable(address, detail)),
        Err(_) => Err(Unauthorized::unusable(address, "it did not answer in time")),
    }
}

async fn read(mut response: Response, max_bytes: usize) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(told)? {
        if body.len() + chunk.len() > max_bytes {
            return Err(format!("its answer is larger than {max_bytes} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Where a redirection within the origin leads.
fn redirection(from: &Url, response: &Response) -> Option<Url> {
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let to = from.join(location).ok()?;
    (response.status().is_redirection() && to.origin() == from.origin()).then_some(to)
}

/// The chain of an error, without the address: the caller names it.
fn told(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked_in_the_clear_or_on_this_machine_for_a_server_elsewhere() {
        for (address, network, this_machine) in [
            ("https://auth.example.com/token", true, true),
            ("http://auth.example.com/token", false, false),
            ("http://127.0.0.1:1/token", false, true),
            ("https://localhost/token", false, true),
            ("file:///etc/passwd", false, false),
            ("https://user:secret@auth.example.com/", false, false),
        ] {
            let address: Url = address.parse().unwrap();

            assert_eq!(Reach::Network.check(&address).is_ok(), network, "{address}");
            assert_eq!(Reach::ThisMachineToo.check(&address).is_ok(), this_machine, "{address}");
        }
    }

    #[test]
    fn a_refused_address_is_told_without_its_secrets() {
        let address: Url = "http://user:s3cret@e.com/token?key=s3cret".parse().unwrap();

        let refused = Reach::Network.check(&address).unwrap_err();

        assert!(!refused.to_string().contains("s3cret"), "{refused}");
        assert!(refused.to_string().contains("http://e.com/token"), "{refused}");
    }
}
