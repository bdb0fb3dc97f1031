//! The part of the hostile HTTP server that behaves: it reads requests and answers them, by hand and over raw bytes.

use std::{
    collections::HashMap,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::Value;

use super::{Act, HttpFault};
pub(super) use crate::hostile::server::DONE;
use crate::hostile::server::{ECHO, SIDE_EFFECT};

/// A server on a port of this machine.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    state: Arc<State>,
}

/// What all connections share.
#[derive(Debug)]
struct State {
    fault: &'static HttpFault,
    /// Calls so far, by session; those without one together.
    calls: Mutex<HashMap<String, u64>>,
    /// The session and the id of the last call.
    last_call: Mutex<(String, String)>,
    has_misbehaved: AtomicBool,
    /// Sessions up to this number are forgotten.
    forgotten: AtomicU64,
    sessions: AtomicU64,
}

/// One request.
#[derive(Debug)]
pub struct Request {
    /// The HTTP method.
    pub http_method: String,
    /// The path, with the query.
    pub path: String,
    /// By name in lower case.
    pub headers: HashMap<String, String>,
    /// The text of the member `id`; empty in a notification.
    pub id: String,
    /// The JSON-RPC method; empty in an answer.
    pub method: String,
    /// The whole message.
    pub message: Value,
}

impl Request {
    /// Whether its body is so large that a server may not want to read it.
    fn is_large(&self) -> bool {
        let length = self.headers.get("content-length").and_then(|text| text.parse().ok());
        length.is_some_and(|length: usize| length > LARGE)
    }

    /// The session that it names; empty where it names none.
    pub fn session(&self) -> String {
        self.headers.get("mcp-session-id").cloned().unwrap_or_default()
    }
}

/// One connection, seen by whoever answers the request on it.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<TcpStream>,
    state: Arc<State>,
    is_open: bool,
}

impl Server {
    /// Takes a free port.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn bind(fault: &'static HttpFault) -> io::Result<Self> {
        let state = State {
            fault,
            calls: Mutex::default(),
            last_call: Mutex::default(),
            has_misbehaved: AtomicBool::new(false),
            forgotten: AtomicU64::new(0),
            sessions: AtomicU64::new(0),
        };
        Ok(Self { listener: TcpListener::bind("127.0.0.1:0")?, state: Arc::new(state) })
    }

    /// Where it can be reached.
    ///
    /// # Errors
    ///
    /// When the system doesn't say.
    pub fn url(&self) -> io::Result<String> {
        Ok(format!("http://{}/mcp", self.listener.local_addr()?))
    }

    /// Serves for ever, each connection in a thread of its own.
    pub fn serve(&self) {
        for stream in self.listener.incoming().flatten() {
            let _answers_come_in_small_pieces = stream.set_nodelay(true);
            let mut connection = Connection {
                stream: BufReader::new(stream),
                state: self.state.clone(),
                is_open: true,
            };
            thread::spawn(move || connection.serve());
        }
    }
}

impl Connection {
    fn serve(&mut self) {
        if let Act::Connect(act) = self.state.fault.act {
            act(self);
        }
        while self.is_open
            && let Some(request) = self.read()
        {
            self.handle(&request);
        }
    }

    fn handle(&mut self, request: &Request) {
        let act = self.state.fault.act;
        if request.method == "tools/call" && !self.has_forgotten(request) {
            self.count(request);
        }
        match (request.http_method.as_str(), request.method.as_str(), act) {
            ("GET", _, Act::Resume(_, act)) if request.headers.contains_key("last-event-id") => {
                act(self, request);
            }
            ("GET", _, Act::Listen(act)) => act(self, request),
            ("GET", ..) => self.status(405),
            ("POST", "", Act::Upload(act)) if request.is_large() => {
                self.count(request);
                act(self, request);
            }
            ("DELETE", _, Act::Delete(act)) => act(self, request),
            ("DELETE", ..) => self.status(200),
            (_, "initialize", Act::Initialize(act))
            | (_, "server/discover", Act::Discover(act)) => act(self, request),
            (_, "initialize", _) => self.initialize(request),
            (_, "notifications/initialized", Act::Initialized(act)) => act(self, request),
            (_, "tools/list", Act::List(act)) => act(self, request),
            _ if self.has_forgotten(request) => self.refuse_session(),
            (_, "tools/call", Act::Echo(act)) if super::is_echo(request) => act(self, request),
            (_, "tools/call", Act::Call(act) | Act::Resume(act, _))
                if !self.state.has_misbehaved.swap(true, Ordering::Relaxed) =>
            {
                act(self, request);
            }
            _ => self.behave(request),
        }
    }

    /// Answers as it should be.
    pub fn behave(&mut self, request: &Request) {
        match request.method.as_str() {
            "initialize" => self.initialize(request),
            "tools/list" => self.answer(request, &format!(r#"{{"tools":[{ECHO},{SIDE_EFFECT}]}}"#)),
            "tools/call" => self.call(request),
            "ping" => self.answer(request, "{}"),
            _ if request.id.is_empty() || request.method.is_empty() => self.status(202),
            _ => self.json(
                200,
                &format!(
                    r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32601,"message":"method not found"}}}}"#,
                    request.id
                ),
            ),
        }
    }

    /// The next request; `None` at the end of the connection.
    fn read(&mut self) -> Option<Request> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let mut request_line = lines.first()?.split(' ');
        let headers: HashMap<String, String> = lines[1..]
            .iter()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let length = headers.get("content-length").map_or(Some(0), |text| text.parse().ok())?;
        let mut body = vec![0; length];
        let is_left_unread = length > LARGE && matches!(self.state.fault.act, Act::Upload(_));
        if !is_left_unread {
            self.stream.read_exact(&mut body).ok()?;
        }
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        Some(Request {
            http_method: request_line.next()?.to_owned(),
            path: request_line.next()?.to_owned(),
            headers,
            id: message.get("id").map(Value::to_string).unwrap_or_default(),
            method: message["method"].as_str().unwrap_or_default().to_owned(),
            message,
        })
    }

    /// Sends bytes and nothing else, at once. When nobody reads them, the connection is over.
    pub fn raw(&mut self, bytes: impl AsRef<[u8]>) {
        let stream = self.stream.get_mut();
        self.is_open &= stream.write_all(bytes.as_ref()).and_then(|()| stream.flush()).is_ok();
    }

    /// Whether the client still listens, as far as sending has shown.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Ends the connection once the handler has returned.
    pub fn close(&mut self) {
        self.is_open = false;
    }

    /// Says nothing more until the client goes away.
    pub fn hang(&mut self) {
        let _whatever_ends_it = self.stream.read(&mut [0]);
        self.is_open = false;
    }

    /// Says nothing more and reads nothing more, for longer than anybody waits.
    pub fn hang_unread(&mut self) {
        self.is_open = false;
        thread::park_timeout(Duration::from_secs(300));
    }

    /// Closes after what the client is still sending, so that it gets to read what was said.
    pub fn linger(&mut self) {
        self.is_open = false;
        let _nothing_more_is_said = self.stream.get_ref().shutdown(Shutdown::Write);
        let _whatever_comes = io::copy(&mut self.stream, &mut io::sink());
    }

    /// Waits until the client has said something.
    pub fn wait_for_a_byte(&mut self) {
        let _it_may_go_away_instead = self.stream.get_ref().peek(&mut [0]);
    }

    /// A response without a body.
    pub fn status(&mut self, status: u16) {
        self.response(status, "content-length: 0", "");
    }

    /// A response with the headers as given, each line but the last with its end.
    pub fn response(&mut self, status: u16, headers: &str, body: &str) {
        self.raw(format!("HTTP/1.1 {status} Something\r\n{headers}\r\n\r\n{body}"));
    }

    /// A response with a body of a media type.
    pub fn body(&mut self, status: u16, media_type: &str, body: &str) {
        let headers = format!("content-type: {media_type}\r\ncontent-length: {}", body.len());
        self.response(status, &headers, body);
    }

    /// A response with a JSON text.
    pub fn json(&mut self, status: u16, body: &str) {
        self.body(status, "application/json", body);
    }

    /// Answers as it should be, with a JSON text as the result.
    pub fn answer(&mut self, request: &Request, result: &str) {
        self.json(200, &answer_text(request, result));
    }

    /// The head of an event stream that ends with its connection.
    pub fn events(&mut self) {
        self.response(200, "content-type: text/event-stream\r\nconnection: close", "");
        self.flush_head();
    }

    /// Bytes of an event stream.
    pub fn event(&mut self, text: &str) {
        self.raw(format!("{text}\n\n"));
    }

    /// Agrees to the version that the client asks for, and opens a session.
    pub fn initialize(&mut self, request: &Request) {
        let number = self.state.sessions.fetch_add(1, Ordering::Relaxed) + 1;
        let text = initialize_text(request);
        let headers = format!(
            "mcp-session-id: {number}\r\ncontent-type: application/json\r\ncontent-length: {}",
            text.len()
        );
        self.response(200, &headers, &text);
    }

    /// Carries a call out: `echo` gives its arguments back, anything else counts the calls.
    fn call(&mut self, request: &Request) {
        let params = &request.message["params"];
        let result = match params["name"].as_str() {
            Some("echo") => {
                format!(r#"{{"content":[],"structuredContent":{}}}"#, params["arguments"])
            }
            _ => format!(
                r#"{{"content":[],"structuredContent":{{"calls":{}}}}}"#,
                self.calls_of(request)
            ),
        };
        self.answer(request, &result);
    }

    /// A call that is sent once more, because it was sent on, counts once.
    fn count(&self, request: &Request) {
        let this = (request.session(), request.id.clone());
        let last = std::mem::replace(&mut *lock(&self.state.last_call), this.clone());
        if last != this {
            *lock(&self.state.calls).entry(request.session()).or_default() += 1;
        }
    }

    fn calls_of(&self, request: &Request) -> u64 {
        lock(&self.state.calls).get(&request.session()).copied().unwrap_or_default()
    }

    /// An answer to the last call, as it should be.
    pub fn last_call_answer(&self, result: &str) -> String {
        let id = &lock(&self.state.last_call).1;
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
    }

    /// Forgets the sessions so far, as a restart does.
    pub fn forget_sessions(&mut self) {
        let newest = self.state.sessions.load(Ordering::Relaxed);
        self.state.forgotten.store(newest, Ordering::Relaxed);
    }

    fn has_forgotten(&self, request: &Request) -> bool {
        let session = request.session().parse().ok();
        session.is_some_and(|id: u64| id <= self.state.forgotten.load(Ordering::Relaxed))
    }

    /// Refuses a session that was forgotten.
    pub fn refuse_session(&mut self) {
        match self.state.fault.mode {
            "session-400" => self.json(400, NO_SESSION),
            "session-400-text" => self.body(400, "text/plain", "unknown session"),
            _ => self.json(404, NO_SESSION),
        }
    }

    fn flush_head(&mut self) {
        let _a_broken_connection_shows_at_the_next_write = self.stream.get_mut().flush();
    }
}

/// Bytes of a message from which on it may be left unread.
const LARGE: usize = 1 << 20;

/// What servers say when they don't know a session.
pub(super) const NO_SESSION: &str = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}"#;

/// An answer as it should be.
pub(super) fn answer_text(request: &Request, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request.id)
}

/// The answer to `initialize` as it should be.
pub(super) fn initialize_text(request: &Request) -> String {
    let version = &request.message["params"]["protocolVersion"];
    answer_text(
        request,
        &format!(
            r#"{{"protocolVersion":{version},"capabilities":{{"tools":{{"listChanged":true}}}},"serverInfo":{{"name":"hostile-http","version":"1"}}}}"#
        ),
    )
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does nothing for a moment, as slow servers do between two bytes.
pub(super) fn pause() {
    thread::park_timeout(Duration::from_millis(50));
}
