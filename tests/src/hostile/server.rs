//! The part of the hostile server that behaves: it reads requests and answers them, by hand and over raw bytes.

use std::{
    io::{self, BufRead as _, BufReader, Stdin, Write as _},
    process,
};

use serde_json::Value;

use super::{Act, Fault, eras};

/// A server over the standard input and output of this process.
#[derive(Debug)]
pub struct Server {
    input: BufReader<Stdin>,
    calls: u64,
    has_misbehaved: bool,
}

/// One line from the client.
#[derive(Debug)]
pub struct Request {
    /// The text of the member `id`; empty in a notification.
    pub id: String,
    /// The method; empty in an answer.
    pub method: String,
    /// The whole message.
    pub message: Value,
}

impl Request {
    /// The tool that is to be called.
    pub fn tool(&self) -> &str {
        self.message["params"]["name"].as_str().unwrap_or_default()
    }

    /// The id as a number.
    pub fn number(&self) -> i64 {
        self.id.parse().unwrap_or_default()
    }
}

/// Serves until the input ends, with `fault` at its time.
pub fn serve(fault: &Fault) {
    let mut server = Server { input: BufReader::new(io::stdin()), calls: 0, has_misbehaved: false };
    if let Act::Start(act) = fault.act {
        act(&mut server);
    }
    while let Some(request) = server.read() {
        server.handle(&request, fault.act);
    }
}

impl Server {
    fn handle(&mut self, request: &Request, fault: Act) {
        match (request.method.as_str(), fault) {
            ("server/discover", Act::Discover(act)) => act(self, request),
            ("server/discover", Act::Stateless(_)) => eras::discovered(self, request, "2026-07-28"),
            ("initialize", Act::Stateless(_)) => {
                self.error(request, r#"{"code":-32601,"message":"method not found"}"#);
            }
            ("initialize", Act::Initialize(act)) => act(self, request),
            ("notifications/initialized", Act::Initialized(act)) => act(self),
            ("tools/list", Act::List(act)) => act(self, request),
            ("tools/call", Act::Call(act) | Act::Stateless(act))
                if !self.has_misbehaved && request.tool() == "echo" =>
            {
                self.has_misbehaved = true;
                self.calls += 1;
                act(self, request);
            }
            _ => self.behave(request),
        }
    }

    /// Deals with one message as it should be.
    pub fn behave(&mut self, request: &Request) {
        match request.method.as_str() {
            "initialize" => self.initialize(request),
            "tools/list" => self.list(request),
            "tools/call" => self.call(request),
            "ping" => self.answer(request, "{}"),
            // Notifications, and answers that nobody waits for any more.
            _ if request.id.is_empty() || request.method.is_empty() => {}
            _ => self.error(request, r#"{"code":-32601,"message":"method not found"}"#),
        }
    }

    /// The next message; `None` at the end.
    pub fn read(&mut self) -> Option<Request> {
        let mut line = String::new();
        while line.trim().is_empty() {
            line.clear();
            if self.input.read_line(&mut line).ok()? == 0 {
                return None;
            }
        }
        let message: Value = serde_json::from_str(&line).ok()?;
        let id = message.get("id").map(Value::to_string).unwrap_or_default();
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        Some(Request { id, method, message })
    }

    /// Writes bytes and nothing else, at once. When nobody reads them, there is nothing left to do.
    pub fn raw(&mut self, bytes: impl AsRef<[u8]>) {
        let mut out = io::stdout().lock();
        if out.write_all(bytes.as_ref()).and_then(|()| out.flush()).is_err() {
            process::exit(0);
        }
    }

    /// Writes bytes and the end of the line.
    pub fn line(&mut self, bytes: impl AsRef<[u8]>) {
        let mut line = bytes.as_ref().to_vec();
        line.push(b'\n');
        self.raw(line);
    }

    /// Answers as it should be, with a JSON text as the result.
    pub fn answer(&mut self, request: &Request, result: &str) {
        self.line(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request.id));
    }

    /// Answers with an error as it should be.
    pub fn error(&mut self, request: &Request, error: &str) {
        self.line(format!(r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#, request.id));
    }

    /// Agrees to the version that the client asks for.
    pub fn initialize(&mut self, request: &Request) {
        let version = &request.message["params"]["protocolVersion"];
        let result = format!(
            r#"{{"protocolVersion":{version},"capabilities":{{"tools":{{"listChanged":true}}}},"serverInfo":{{"name":"hostile-stdio","version":"1"}}}}"#
        );
        self.answer(request, &result);
    }

    /// Lists `echo`, which only reads, and `side_effect`, which counts.
    pub fn list(&mut self, request: &Request) {
        self.answer(request, &format!(r#"{{"tools":[{ECHO},{SIDE_EFFECT}],"resultType":"complete","ttlMs":0,"cacheScope":"private"}}"#));
    }

    /// Carries a call out: the output says which process it was and how many calls it has had.
    pub fn call(&mut self, request: &Request) {
        self.calls += 1;
        let result = match request.tool() {
            "echo" => format!(
                r#"{{"content":[],"structuredContent":{}}}"#,
                request.message["params"]["arguments"]
            ),
            _ => format!(
                r#"{{"content":[],"structuredContent":{{"process":{},"calls":{}}}}}"#,
                process::id(),
                self.calls
            ),
        };
        self.answer(request, &result);
    }

    /// Carries a call out as if nothing were wrong; the output is `"done"`.
    pub fn done(&mut self, request: &Request) {
        self.answer(request, DONE);
    }
}

/// The result of a call that ended well.
pub(crate) const DONE: &str = r#"{"content":[{"type":"text","text":"done"}]}"#;

/// A tool that changes nothing.
pub(crate) const ECHO: &str =
    r#"{"name":"echo","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#;

/// A tool that changes something.
pub(crate) const SIDE_EFFECT: &str = r#"{"name":"side_effect","inputSchema":{"type":"object"}}"#;
