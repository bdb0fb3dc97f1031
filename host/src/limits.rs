//! Every bound of the system, each with its unit, its default and what it protects from whom.
//!
//! A bound is a field here and a literal nowhere else. Groups follow the rooms that apply them.

use std::{fmt, time::Duration};

use serde::Serialize;

/// The bounds of one session: one MCP connection and its owner task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionLimits {
    /// Operations that may wait in the queue; the next submission waits for a place. Protects memory from callers.
    pub max_queued: usize,
    /// Operations that may run at once under [`Ordering::Parallel`](crate::Ordering) and among read-only tools. Protects the server.
    pub max_in_flight: usize,
    /// From submission to answer, everything included. Protects callers from servers.
    pub call_timeout: Duration,
    /// From the start of the child or the first connect to the end of the handshake. Protects callers from servers.
    pub connect_timeout: Duration,
    /// How long `close` lets queued and running operations finish. Protects the one who closes from servers.
    pub drain_timeout: Duration,
    /// How long the client and its transport may take to close after that. Protects the one who closes from servers.
    pub close_timeout: Duration,
    /// Largest frame or body accepted from the server, in bytes. Protects memory from servers.
    pub max_message_bytes: usize,
    /// Levels of arrays and objects in one message. serde_json itself reads no more. Protects the stack from servers.
    pub max_nesting: usize,
    /// Bytes of one oversized message that are skipped before the connection ends. Protects the processor from servers.
    pub max_skipped_bytes: usize,
    /// Frames in a row that nobody can make sense of before the connection ends. Protects callers from servers.
    pub max_bad_frames: usize,
    /// Requests of the server that may be under way at once. Protects memory and people from servers.
    pub max_server_requests: usize,
    /// The server's notifications of one kind are passed on at most once in this time. Protects the processor from servers.
    pub notification_interval: Duration,
    /// Frames that may wait to be written. Protects memory from a server that stops reading.
    pub max_unsent_frames: usize,
    /// How long one frame may take to be written. Protects callers from a server that stops reading.
    pub write_timeout: Duration,
    /// How long a server's pipes are still read after it ended. Protects callers from helpers that keep them open.
    pub exit_drain: Duration,
    /// How long a child process has between the close of its stdin and SIGTERM, and again between SIGTERM and SIGKILL.
    pub kill_grace: Duration,
    /// Last bytes of the child's stderr that are kept for error messages. Protects memory from servers.
    pub stderr_tail_bytes: usize,
    /// Pages of one tool list. Protects the owner from a server whose list never ends.
    pub max_catalogue_pages: usize,
    /// Tools of one tool list. Protects memory from servers.
    pub max_catalogue_tools: usize,
    /// The bounds that only streamable HTTP needs.
    pub http: HttpLimits,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            max_queued: 256,
            max_in_flight: 64,
            call_timeout: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(30),
            drain_timeout: Duration::from_secs(5),
            close_timeout: Duration::from_secs(5),
            max_message_bytes: 64 << 20,
            max_nesting: 127,
            max_skipped_bytes: 1 << 30,
            max_bad_frames: 100,
            max_server_requests: 16,
            notification_interval: Duration::from_millis(50),
            max_unsent_frames: 1024,
            write_timeout: Duration::from_secs(10),
            exit_drain: Duration::from_millis(200),
            kill_grace: Duration::from_secs(2),
            stderr_tail_bytes: 8 << 10,
            max_catalogue_pages: 100,
            max_catalogue_tools: 10_000,
            http: HttpLimits::default(),
        }
    }
}

/// The bounds of a connection by streamable HTTP. The largest body is [`SessionLimits::max_message_bytes`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpLimits {
    /// DNS, TCP and TLS together, for one connection. Protects callers from addresses that swallow packets.
    pub connect_timeout: Duration,
    /// How long not a single byte may come while an answer is owed: before its head, or on its event stream. Comments
    /// count as bytes, because servers send them to keep a long call's connection alive; what ends a call whose server
    /// sends nothing else is its deadline. [`SessionLimits::call_timeout`] counts instead where it is longer, because
    /// tools run in this time. Protects the owner from half-open connections.
    pub silence_timeout: Duration,
    /// How long not a single byte may come in the middle of a body that is one JSON text. Protects callers from servers.
    pub body_timeout: Duration,
    /// How long a message about a call or the session may take: a cancellation, the question whether the session still
    /// lives, the DELETE that ends it. Protects whoever closes or cancels from servers.
    pub control_timeout: Duration,
    /// Resumptions of one event stream in a row that brought nothing. Protects callers from servers that end each one.
    pub resume_attempts: u32,
    /// The pause before a resumption, where the server names none (`retry`). Protects servers from this host.
    pub resume_delay: Duration,
    /// The longest pause before a resumption that a server may ask for. Protects callers from servers.
    pub max_resume_delay: Duration,
    /// Redirections of one request; none leaves the origin. Protects callers from servers that point in circles.
    pub max_redirects: u32,
    /// Bytes of an unusable body that an error quotes. Protects logs and memory from servers.
    pub excerpt_bytes: usize,
    /// How long an answered event stream may take to end, so that its connection can serve again. Protects the owner.
    pub linger: Duration,
    /// How long an unused connection is kept. Common servers close after five seconds, and a request that crosses with
    /// that close has an unknown outcome; so this host closes first. Protects callers.
    pub keep_unused: Duration,
    /// The interval of TCP keep-alive probes. Finds dead peers on streams that are silent by right.
    pub tcp_keepalive: Duration,
    /// Messages from the server that wait for the client; more wait in their streams. Protects memory from servers.
    pub max_unread: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            silence_timeout: Duration::from_secs(60),
            body_timeout: Duration::from_secs(30),
            control_timeout: Duration::from_secs(5),
            resume_attempts: 3,
            resume_delay: Duration::from_millis(500),
            max_resume_delay: Duration::from_secs(10),
            max_redirects: 3,
            excerpt_bytes: 512,
            linger: Duration::from_millis(100),
            keep_unused: Duration::from_secs(4),
            tcp_keepalive: Duration::from_secs(15),
            max_unread: 64,
        }
    }
}

/// The bounds of one run of a workflow.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunLimits {
    /// From instantiation to result, everything included. Protects the host from guests.
    pub wall_clock: Duration,
    /// Linear memory of all instances of the run together, in bytes. Protects the host from guests.
    pub max_memory_bytes: usize,
    /// Elements of all tables of the run together. Protects the host from guests.
    pub max_table_elements: usize,
    /// Core instances of one run. Protects the host from guests.
    pub max_instances: usize,
    /// Tool calls of one run. Protects servers from guests.
    pub max_calls: u64,
    /// Tool calls of one run that may be under way at once; more wait in the gate. Protects the host from guests.
    pub max_calls_in_flight: usize,
    /// Bytes of arguments of one call. Protects servers from guests.
    pub max_argument_bytes: usize,
    /// Bytes of one run's result. Protects whoever reads it.
    pub max_output_bytes: usize,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            wall_clock: Duration::from_secs(300),
            max_memory_bytes: 256 << 20,
            max_table_elements: 100_000,
            max_instances: 64,
            max_calls: 10_000,
            max_calls_in_flight: 256,
            max_argument_bytes: 16 << 20,
            max_output_bytes: 64 << 20,
        }
    }
}

/// A limit that ended a run: which, its value, what was reached, and how to raise it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LimitReached {
    /// The field of [`RunLimits`].
    pub limit: &'static str,
    /// Its value, with its unit.
    pub value: String,
    /// What the run did.
    pub reached: String,
    /// The option of the command line that raises it.
    pub raise_with: &'static str,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, value, reached, raise_with } = self;
        write!(f, "limit {limit} ({value}) reached: {reached}; raise it with {raise_with}")
    }
}

impl std::error::Error for LimitReached {}

impl LimitReached {
    pub(crate) fn wall_clock(limits: &RunLimits) -> Self {
        Self {
            limit: "wall_clock",
            value: format!("{:?}", limits.wall_clock),
            reached: "the run was not done by then".to_owned(),
            raise_with: "--timeout",
        }
    }

    pub(crate) fn calls(limits: &RunLimits) -> Self {
        Self {
            limit: "max_calls",
            value: format!("{} calls", limits.max_calls),
            reached: "the workflow made one call more".to_owned(),
            raise_with: "--max-calls",
        }
    }

    pub(crate) fn memory(limits: &RunLimits, wanted_bytes: usize) -> Self {
        Self {
            limit: "max_memory_bytes",
            value: format!("{} bytes", limits.max_memory_bytes),
            reached: format!("the workflow asked for {wanted_bytes} bytes in all"),
            raise_with: "--max-memory",
        }
    }

    pub(crate) fn table(limits: &RunLimits, wanted: usize) -> Self {
        Self {
            limit: "max_table_elements",
            value: format!("{} elements", limits.max_table_elements),
            reached: format!("the workflow asked for {wanted} elements in all"),
            raise_with: "--max-table-elements",
        }
    }

    pub(crate) fn output(limits: &RunLimits, bytes: usize) -> Self {
        Self {
            limit: "max_output_bytes",
            value: format!("{} bytes", limits.max_output_bytes),
            reached: format!("the result has {bytes} bytes"),
            raise_with: "--max-output",
        }
    }
}
