//! A server that says exactly the bytes that a test wants, and remembers what it was asked.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
};

use crate::{session::connect::HttpServer, task};

/// One request, as it came.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) method: String,
    pub(super) path: String,
    /// With names in lower case.
    pub(super) headers: HashMap<String, String>,
    pub(super) body: String,
}

impl Seen {
    /// The JSON-RPC method; empty where there is none.
    pub(super) fn rpc(&self) -> String {
        let body: serde_json::Value = serde_json::from_str(&self.body).unwrap_or_default();
        body["method"].as_str().unwrap_or_default().to_owned()
    }
}

/// One thing that the server does for a request.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Send(String),
    /// Keeps the connection open and says nothing until the client closes it.
    Hang,
    Close,
}

pub(super) struct ScriptServer {
    pub(super) address: std::net::SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    /// Notified for each request and each connection that the client closes.
    news: Arc<Notify>,
    hung_up: Arc<Mutex<usize>>,
}

impl ScriptServer {
    pub(super) async fn start(script: impl Fn(&Seen) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            seen: Arc::default(),
            news: Arc::default(),
            hung_up: Arc::default(),
        };
        let script = Arc::new(script);
        let (seen, news, hung_up) =
            (server.seen.clone(), server.news.clone(), server.hung_up.clone());
        task::spawn("script server", async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (script, seen) = (script.clone(), seen.clone());
                let (news, hung_up) = (news.clone(), hung_up.clone());
                task::spawn("script connection", async move {
                    if serve(stream, &*script, &seen, &news).await == End::ClientHungUp {
                        *hung_up.lock().unwrap() += 1;
                        news.notify_waiters();
                    }
                })
                .detach();
            }
        })
        .detach();
        server
    }

    pub(super) fn server(&self) -> HttpServer {
        HttpServer { url: format!("http://{}/mcp?key=secret", self.address).parse().unwrap() }
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Waits for a request that fits.
    pub(super) async fn saw(&self, fits: impl Fn(&Seen) -> bool) -> Seen {
        loop {
            let news = self.news.notified();
            if let Some(seen) = self.seen().into_iter().find(&fits) {
                return seen;
            }
            news.await;
        }
    }

    /// Waits until the client has closed a connection on which the server hangs.
    pub(super) async fn was_left(&self) {
        loop {
            let news = self.news.notified();
            if *self.hung_up.lock().unwrap() > 0 {
                return;
            }
            news.await;
        }
    }
}

#[derive(PartialEq)]
enum End {
    Closed,
    ClientHungUp,
}

async fn serve(
    mut stream: TcpStream,
    script: &(dyn Fn(&Seen) -> Vec<Step> + Send + Sync),
    log: &Mutex<Vec<Seen>>,
    news: &Notify,
) -> End {
    while let Some(request) = read_request(&mut stream).await {
        let steps = script(&request);
        log.lock().unwrap().push(request);
        news.notify_waiters();
        for step in steps {
            match step {
                Step::Send(text) => {
                    if stream.write_all(text.as_bytes()).await.is_err() {
                        return End::ClientHungUp;
                    }
                }
                Step::Hang => {
                    let _whatever_ends_it = stream.read(&mut [0; 1]).await;
                    return End::ClientHungUp;
                }
                Step::Close => return End::Closed,
            }
        }
    }
    End::Closed
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.lines();
    let mut request_line = lines.next()?.split(' ');
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length").map_or(0, |text| text.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Seen {
        method: request_line.next()?.to_owned(),
        path: request_line.next()?.to_owned(),
        headers,
        body: String::from_utf8(body).unwrap(),
    })
}

/// A whole response with a body of the given media type.
pub(super) fn reply(status: u16, media_type: &str, headers: &str, body: &str) -> Step {
    Step::Send(format!(
        "HTTP/1.1 {status} X\r\ncontent-type: {media_type}\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    ))
}

pub(super) fn json(body: &str) -> Step {
    reply(200, "application/json", "", body)
}

/// The head of an event stream that ends with its connection, and its beginning.
pub(super) fn events(text: &str) -> Step {
    Step::Send(format!(
        "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{text}"
    ))
}

pub(super) fn status(status: u16, headers: &str) -> Step {
    Step::Send(format!("HTTP/1.1 {status} X\r\n{headers}content-length: 0\r\n\r\n"))
}

/// What a sound server with a session does; `call` says what it does for a tool call.
pub(super) fn sound(seen: &Seen, call: impl Fn(&Seen) -> Vec<Step>) -> Vec<Step> {
    match (seen.method.as_str(), seen.rpc().as_str()) {
        ("GET", _) => vec![status(405, "")],
        ("DELETE", _) => vec![status(200, "")],
        (_, "initialize") => vec![reply(
            200,
            "application/json",
            "mcp-session-id: s-1\r\n",
            r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}"#,
        )],
        (_, "ping") => vec![json(r#"{"jsonrpc":"2.0","id":"still-there","result":{}}"#)],
        (_, "tools/call") => call(seen),
        _ => vec![status(202, "")],
    }
}
