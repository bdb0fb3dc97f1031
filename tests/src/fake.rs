//! A fake MCP server over an in-memory pipe, driven step by step by the test that owns it.
//!
//! It does the handshake and lists its tools by itself; everything after that the test expects and answers. What it didn't
//! expect fails the test.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use callgate::{ConnectionId, Connector, PooledConnection, SessionPool, Streams};
use futures::FutureExt;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf},
    sync::mpsc,
};

/// Bytes that each direction of the pipe holds.
const PIPE_BYTES: usize = 1 << 20;

/// Where a test takes the connections that the code under test opens.
pub struct FakeServer {
    opened: mpsc::Receiver<DuplexStream>,
    opens: Arc<AtomicUsize>,
    tools: Value,
}

/// One open connection, seen from the server.
pub struct FakeConnection {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

/// One call that arrived.
#[derive(Clone, Debug)]
pub struct Call {
    /// The id of the request.
    pub id: Value,
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
    /// All that the request says.
    pub params: Value,
}

/// A message of a client, read no deeper than it takes to answer it, because arguments may be of any depth.
#[derive(Deserialize)]
struct Said<'s> {
    id: Option<u64>,
    method: &'s str,
    #[serde(borrow)]
    params: &'s RawValue,
}

/// The parameters of a call.
#[derive(Deserialize)]
struct Named {
    name: String,
}

impl FakeServer {
    /// A server, and how to connect to it. It has the tools `read` and `look`, which are read-only, `put`, which is idempotent,
    /// and `write`.
    pub fn new() -> (Self, Connector) {
        let (open, opened) = mpsc::channel(8);
        let opens = Arc::new(AtomicUsize::new(0));
        let count = opens.clone();
        let connector = Connector::streams(move || {
            let open = open.clone();
            count.fetch_add(1, Ordering::Relaxed);
            async move {
                let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
                open.send(theirs).await.map_err(|_| io::Error::other("no server is there"))?;
                let (reader, writer) = tokio::io::split(ours);
                let streams: Streams = (Box::new(reader), Box::new(writer));
                Ok(streams)
            }
            .boxed()
        });
        let tools = json!([
            {"name": "read", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
            {"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
            {"name": "put", "inputSchema": {"type": "object"}, "annotations": {"idempotentHint": true}},
            {"name": "write", "inputSchema": {"type": "object"}},
        ]);
        (Self { opened, opens, tools }, connector)
    }

    /// A server, and a pool with it as the connection `fake`, whose calls all overlap.
    pub fn pooled() -> (Self, SessionPool) {
        let (server, connector) = Self::new();
        let mut connection = PooledConnection::new(connector);
        connection.options.ordering = callgate::Ordering::Parallel;
        (server, SessionPool::new([(ConnectionId::from("fake"), connection)]))
    }

    /// The server with these tools in place of its own.
    pub fn with_tools(self, names: &[&str]) -> Self {
        let tool = |name| json!({"name": name, "inputSchema": {"type": "object"}});
        Self { tools: names.iter().map(tool).collect(), ..self }
    }

    /// How often a connection was opened.
    pub fn opens(&self) -> usize {
        self.opens.load(Ordering::Relaxed)
    }

    /// Takes the next connection before the handshake.
    pub async fn accept_raw(&mut self) -> FakeConnection {
        let stream = self.opened.recv().await.expect("somebody connects");
        let (reader, writer) = tokio::io::split(stream);
        FakeConnection { reader: BufReader::new(reader), writer }
    }

    /// Takes the next connection and hangs up.
    pub async fn refuse(&mut self) {
        drop(self.accept_raw().await);
    }

    /// Takes the next connection, does the handshake of the older era and lists the tools.
    pub async fn accept(&mut self) -> FakeConnection {
        let mut connection = self.accept_raw().await;
        let mut initialize = connection.next().await.expect("the client says something");
        if initialize["method"] == "server/discover" {
            connection.reject_id(&initialize["id"], -32601, "method not found").await;
            initialize = connection.next().await.expect("the client goes on");
        }
        assert_eq!(initialize["method"], "initialize", "{initialize}");
        let version = &initialize["params"]["protocolVersion"];
        connection
            .answer_id(
                &initialize["id"],
                json!({"protocolVersion": version, "capabilities": {"tools": {}},
                    "serverInfo": {"name": "fake", "version": "0"}}),
            )
            .await;
        connection.expect("notifications/initialized").await;
        let list = connection.expect("tools/list").await;
        connection.answer_id(&list["id"], json!({"tools": self.tools})).await;
        connection
    }

    /// Takes the next connection in the newer era and lists the tools.
    pub async fn accept_stateless(&mut self) -> FakeConnection {
        let mut connection = self.accept_raw().await;
        let discover = connection.expect("server/discover").await;
        connection
            .answer_id(
                &discover["id"],
                json!({"resultType": "complete", "supportedVersions": ["2026-07-28"],
                    "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"}),
            )
            .await;
        let list = connection.expect("tools/list").await;
        connection.answer_id(&list["id"], json!({"resultType": "complete", "tools": self.tools, "ttlMs": 0, "cacheScope": "private"})).await;
        connection
    }
}

impl FakeConnection {
    /// The next message, which must be of this method.
    pub async fn expect(&mut self, method: &str) -> Value {
        let message = self
            .next()
            .await
            .unwrap_or_else(|| panic!("{method} was expected, the client hung up"));
        assert_eq!(message["method"], method, "{message}");
        message
    }

    /// The next message must be a call of this tool.
    pub async fn expect_call(&mut self, tool: &str) -> Call {
        let message = self.expect("tools/call").await;
        assert_eq!(message["params"]["name"], tool, "{message}");
        Call {
            id: message["id"].clone(),
            tool: tool.to_owned(),
            arguments: message["params"]["arguments"].clone(),
            params: message["params"].clone(),
        }
    }

    /// The next message must cancel this call.
    pub async fn expect_cancelled(&mut self, call: &Call) {
        let message = self.expect("notifications/cancelled").await;
        assert_eq!(message["params"]["requestId"], call.id, "{message}");
    }

    /// The next message must cancel a call, whichever: the id of its request.
    pub async fn next_cancelled(&mut self) -> Value {
        self.expect("notifications/cancelled").await["params"]["requestId"].clone()
    }

    /// Nothing more may come: the client hangs up.
    pub async fn expect_hang_up(&mut self) {
        assert_eq!(self.next().await, None);
    }

    /// Answers a call with one text block.
    pub async fn answer(&mut self, call: &Call, text: &str) {
        self.answer_id(&call.id, json!({"content": [{"type": "text", "text": text}]})).await;
    }

    /// Answers a call with a JSON-RPC error.
    pub async fn reject(&mut self, call: &Call, code: i64, message: &str) {
        self.reject_id(&call.id, code, message).await;
    }

    /// Answers a request with a JSON-RPC error.
    pub async fn reject_id(&mut self, id: &Value, code: i64, message: &str) {
        self.write(&json!({"jsonrpc": "2.0", "id": id,
            "error": {"code": code, "message": message}}))
            .await;
    }

    /// Answers a request.
    pub async fn answer_id(&mut self, id: &Value, result: Value) {
        self.write(&json!({"jsonrpc": "2.0", "id": id, "result": result})).await;
    }

    /// Sends a message.
    pub async fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.writer.write_all(line.as_bytes()).await.expect("the client reads");
    }

    /// Answers every call with one text block, except those of the silent tools, until the client hangs up.
    pub async fn serve(&mut self, text: &str, silent: &[&str]) {
        while let Some(line) = self.next_line().await {
            let Said { id, method, params } =
                serde_json::from_str(&line).expect("the client writes JSON-RPC");
            let (Some(id), "tools/call") = (id, method) else { continue };
            let Named { name } = serde_json::from_str(params.get()).expect("a call names a tool");
            if !silent.contains(&&*name) {
                self.answer_id(&json!(id), json!({"content": [{"type": "text", "text": text}]}))
                    .await;
            }
        }
    }

    async fn next(&mut self) -> Option<Value> {
        let line = self.next_line().await?;
        Some(serde_json::from_str(&line).expect("the client writes JSON"))
    }

    async fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        let bytes = self.reader.read_line(&mut line).await.expect("the pipe works");
        (bytes > 0).then_some(line)
    }
}
