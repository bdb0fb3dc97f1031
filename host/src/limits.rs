//! Every bound of the system, each with its unit, its default and what it protects from whom.
//!
//! A bound is a field here and a literal nowhere else. Groups follow the rooms that apply them.

mod cache;
mod composition;
mod doctor;
mod engine;
mod files;
mod grants;
mod http;
mod interim;
mod oauth;
mod reached;
mod recovery;
mod run;
mod script;
mod settings;
mod source;
mod types;

use std::time::Duration;

pub(crate) use self::doctor::DoctorLimits;
pub use self::{
    cache::CacheLimits,
    composition::{CompositionLimits, SuiteLimits},
    engine::{EngineLimits, PoolLimits},
    files::{ConfigLimits, FileServerLimits},
    grants::GrantLimits,
    http::HttpLimits,
    interim::InterimLimits,
    oauth::OAuthLimits,
    reached::LimitReached,
    recovery::RecoveryLimits,
    run::RunLimits,
    script::ScriptLimits,
    settings::LimitSettings,
    source::{CheckLimits, SourceLimits},
    types::TypesLimits,
};

/// The bounds of one session: one MCP connection and its owner task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionLimits {
    /// Operations that may wait in the queue; the next submission waits for a place. Protects memory from callers.
    pub max_queued: usize,
    /// Operations that may run at once under [`Ordering::Parallel`](crate::Ordering) and among read-only tools. Protects the server.
    pub max_in_flight: usize,
    /// From submission to answer, everything included; nothing extends it. Protects callers from servers.
    pub call_timeout: Duration,
    /// How long a call that was sent may be without an answer and without news of progress. Protects callers from servers
    /// that have forgotten them, while those that work on may take up to `call_timeout`.
    pub idle_timeout: Duration,
    /// From the start of the child or the first connect to the end of the handshake. Protects callers from servers.
    pub connect_timeout: Duration,
    /// How much of `connect_timeout` the question may take which servers of the newer era answer, with the start of the
    /// server in it. Leaves time for a second start without the question, for servers that fail at it.
    pub probe_timeout: Duration,
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
    /// The bounds of answers that are not the last word on a call.
    pub interim: InterimLimits,
    /// The bounds that only streamable HTTP needs.
    pub http: HttpLimits,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            max_queued: 256,
            max_in_flight: 64,
            call_timeout: Duration::from_secs(600),
            idle_timeout: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(30),
            probe_timeout: Duration::from_secs(10),
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
            interim: InterimLimits::default(),
            http: HttpLimits::default(),
        }
    }
}
