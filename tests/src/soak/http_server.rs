//! The soak's server over streamable HTTP, by hand and with a thread for each connection.

use std::{
    collections::{HashMap, HashSet},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    mood::Delivery,
    tools::{ToolRequest, Tools, error},
};

/// How long it tries to get its port back after a restart.
const BIND_WITHIN: Duration = Duration::from_secs(5);

/// What all connections share.
struct State {
    tools: Tools,
    sessions: Mutex<Sessions>,
}

#[derive(Default)]
struct Sessions {
    known: HashSet<String>,
    opened: u64,
}

struct Request {
    http_method: String,
    session: String,
    message: Value,
}

/// Whether the connection goes on.
#[derive(PartialEq)]
enum Then {
    GoOn,
    Close,
}

/// Serves on `port`, or on a free one if it is 0, says where on its standard output, and ends with its process.
///
/// # Errors
///
/// When the port can't be had.
pub fn serve(tools: Tools, port: u16) -> io::Result<()> {
    let listener = bind(port)?;
    let mut out = io::stdout();
    writeln!(out, "{}", listener.local_addr()?.port())?;
    out.flush()?;
    let state = Arc::new(State { tools, sessions: Mutex::default() });
    for stream in listener.incoming().flatten() {
        let state = state.clone();
        let _answers_come_in_small_pieces = stream.set_nodelay(true);
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            while let Some(request) = read(&mut stream)
                && state.handle(&mut stream, &request).is_ok_and(|then| then == Then::GoOn)
            {
            }
        });
    }
    Ok(())
}

fn bind(port: u16) -> io::Result<TcpListener> {
    let until = Instant::now() + BIND_WITHIN;
    loop {
        match TcpListener::bind(("127.0.0.1", port)) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && Instant::now() < until => {
                thread::park_timeout(Duration::from_millis(20));
            }
            bound => return bound,
        }
    }
}

/// The next request; `None` at the end of the connection.
fn read(stream: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let headers: HashMap<String, String> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.get("content-length").map_or(Some(0), |text| text.parse().ok())?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(Request {
        http_method: lines.first()?.split(' ').next()?.to_owned(),
        session: headers.get("mcp-session-id").cloned().unwrap_or_default(),
        message: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

impl State {
    fn handle(&self, stream: &mut BufReader<TcpStream>, request: &Request) -> io::Result<Then> {
        let Request { http_method, session, message } = request;
        let id = message.get("id").map(Value::to_string);
        let method = message["method"].as_str().unwrap_or_default();
        match (http_method.as_str(), method, id) {
            ("DELETE", ..) => {
                self.sessions().known.remove(session);
                status(stream, 200)
            }
            ("POST", "initialize", Some(id)) => self.open(stream, &id, message),
            ("POST", ..) if !self.sessions().known.contains(session) => {
                let body = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"session not found"},"id":null}"#;
                body_of(stream, 404, "application/json", "", body)
            }
            ("POST", _, None) => status(stream, 202),
            ("POST", "tools/list", Some(id)) => {
                json(stream, &frame(&id, &format!(r#""result":{}"#, Tools::list())))
            }
            ("POST", "tools/call", Some(id)) => self.call(stream, &id, &ToolRequest::read(message)),
            ("POST", "ping", Some(id)) => json(stream, &frame(&id, r#""result":{}"#)),
            ("POST", _, Some(id)) => json(stream, &frame(&id, &error(-32_601, "method not found"))),
            _ => status(stream, 405),
        }
    }

    fn open(
        &self,
        stream: &mut BufReader<TcpStream>,
        id: &str,
        message: &Value,
    ) -> io::Result<Then> {
        self.tools.session_opened();
        let mut sessions = self.sessions();
        sessions.opened += 1;
        // With the process, because a session of an earlier one is another.
        let session = format!("{}-{}", process::id(), sessions.opened);
        sessions.known.insert(session.clone());
        drop(sessions);
        let body = frame(id, &format!(r#""result":{}"#, Tools::introduction(message)));
        body_of(stream, 200, "application/json", &format!("mcp-session-id: {session}\r\n"), &body)
    }

    fn call(
        &self,
        stream: &mut BufReader<TcpStream>,
        id: &str,
        request: &ToolRequest,
    ) -> io::Result<Then> {
        let delivery = self.tools.draw_delivery();
        if delivery == Delivery::LostBefore {
            return Ok(Then::Close);
        }
        let member = self.tools.carry_out(request);
        let mut hold = request.hold;
        if delivery == Delivery::Late {
            hold += self.tools.draw_delay();
        }
        if !hold.is_zero() {
            thread::park_timeout(hold);
        }
        let answer = frame(id, &member);
        match delivery {
            Delivery::Plain | Delivery::Late => json(stream, &answer),
            Delivery::Silent => {
                let _until_the_client_goes = stream.read(&mut [0]);
                Ok(Then::Close)
            }
            Delivery::LostBefore | Delivery::LostAfter => Ok(Then::Close),
            Delivery::Cut => {
                let head = head(200, "application/json", "", answer.len());
                raw(stream, &format!("{head}{}", &answer[..answer.len() / 2]))?;
                Ok(Then::Close)
            }
            Delivery::Garbage => json(stream, "}{ nonsense"),
            Delivery::Misaddressed => json(stream, &frame(r#""nobody""#, &member)),
            Delivery::Doubled => events(stream, &event(&answer).repeat(2)),
            Delivery::Mute => status(stream, 500),
            Delivery::Leaving => {
                self.sessions().known.clear();
                json(stream, &answer)
            }
            Delivery::Chatter => {
                let noise = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
                let noise = format!(": nothing\n\n{}", event(&noise.to_string()));
                events(stream, &format!("{}{}", noise.repeat(50), event(&answer)))
            }
        }
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn frame(id: &str, member: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},{member}}}"#)
}

fn event(text: &str) -> String {
    format!("data: {text}\n\n")
}

fn head(status: u16, media_type: &str, headers: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 {status} Something\r\n{headers}content-type: {media_type}\r\ncontent-length: {length}\r\n\r\n"
    )
}

fn raw(stream: &mut BufReader<TcpStream>, text: &str) -> io::Result<()> {
    stream.get_mut().write_all(text.as_bytes())
}

fn body_of(
    stream: &mut BufReader<TcpStream>,
    status: u16,
    media_type: &str,
    headers: &str,
    body: &str,
) -> io::Result<Then> {
    raw(stream, &format!("{}{body}", head(status, media_type, headers, body.len())))?;
    Ok(Then::GoOn)
}

fn json(stream: &mut BufReader<TcpStream>, body: &str) -> io::Result<Then> {
    body_of(stream, 200, "application/json", "", body)
}

fn status(stream: &mut BufReader<TcpStream>, status: u16) -> io::Result<Then> {
    body_of(stream, status, "text/plain", "", "")
}

/// An event stream that ends with its connection.
fn events(stream: &mut BufReader<TcpStream>, text: &str) -> io::Result<Then> {
    raw(
        stream,
        &format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{text}"
        ),
    )?;
    Ok(Then::Close)
}
