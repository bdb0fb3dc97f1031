//! The bounds that only streamable HTTP needs.

use std::time::Duration;

/// The bounds of a connection by streamable HTTP. The largest body is [`SessionLimits::max_message_bytes`](super::SessionLimits::max_message_bytes).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpLimits {
    /// DNS, TCP and TLS together, for one connection. Protects callers from addresses that swallow packets.
    pub connect_timeout: Duration,
    /// How long not a single byte may come while an answer is owed: before its head, or on its event stream. Comments
    /// count as bytes, because servers send them to keep a long call's connection alive; what ends a call whose server
    /// sends nothing else is its deadline. [`SessionLimits::call_timeout`](super::SessionLimits::call_timeout) counts instead where it is longer, because
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
