//! Who consents at once: a browser without a person, for authorization servers that send it back without a question.

use std::io;

use callgate::Authorize;
use futures::{FutureExt as _, future::BoxFuture};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use url::Url;

/// Follows the authorization server's redirection only as far as to see where it leads.
pub struct Browser {
    /// Where it is to lead; nothing listens there.
    pub redirect_uri: Url,
}

impl Authorize for Browser {
    fn redirect_uri(&self) -> Url {
        self.redirect_uri.clone()
    }

    fn authorize(&self, address: Url) -> BoxFuture<'_, Result<Url, String>> {
        async move {
            let page = fetch("GET", &address, "").await.map_err(|error| error.to_string())?;
            let location = page.header("location").ok_or("the page asks something")?;
            address.join(location).map_err(|error| error.to_string())
        }
        .boxed()
    }
}

/// A response to one request over plain HTTP.
pub struct Page {
    head: String,
    /// The body.
    pub body: String,
}

impl Page {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// Asks for a page with a form, which may be empty.
pub async fn fetch(method: &str, address: &Url, form: &str) -> io::Result<Page> {
    let host = address.host_str().unwrap_or_default();
    let port = address.port_or_known_default().unwrap_or_default();
    let path = &address[url::Position::BeforePath..];
    let mut stream = TcpStream::connect((host, port)).await?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        form.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    Ok(Page { head: head.to_owned(), body: body.to_owned() })
}
