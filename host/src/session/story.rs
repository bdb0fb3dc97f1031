//! What is known of one session beside its calls, for whoever diagnoses it: what the handshake agreed on, what stood in the
//! way of the connection, and how the child process ended. Own types only: nothing of the MCP client is in them.

use std::{process::ExitStatus, sync::PoisonError, time::Duration};

use futures::FutureExt;
use tokio::time::Instant;

use super::{Session, Shared, era::Era};
use crate::call::CallError;

/// What is known so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Story {
    /// Set once the handshake is done.
    pub(crate) info: Option<SessionInfo>,
    /// Set when the connection could not be opened.
    pub(crate) obstacle: Option<Obstacle>,
    /// Why the session has no list of tools.
    pub(crate) list_problem: Option<String>,
    /// Names in the configuration's lists of tools that the server doesn't list, each with the key that has it.
    pub(crate) unlisted: Vec<(&'static str, String)>,
    /// Set when the child process is gone; there is none over HTTP.
    pub(crate) process_end: Option<ProcessEnd>,
}

/// What the handshake agreed on. The names are the server's word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SessionInfo {
    pub(crate) protocol_version: String,
    pub(crate) era: Era,
    /// Whether it was reached only at the second attempt, without the question that servers of the newer era answer.
    pub(crate) is_second_start: bool,
    /// A server may keep it to itself, from 2026-07-28 on.
    pub(crate) server_name: Option<String>,
    pub(crate) server_version: Option<String>,
    pub(crate) instructions: Option<String>,
}

/// What kept a connection from opening: one case for each thing that somebody can do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Obstacle {
    /// There is no such program.
    NoProgram,
    /// There is a file of that name, and it may not be run.
    NotExecutable,
    /// The program is a script whose interpreter isn't there.
    NoInterpreter,
    /// The working directory isn't there.
    NoFolder,
    /// The system doesn't start the program for another reason.
    NotStarted,
    /// The process ended by itself before the session was ready.
    Exited,
    /// The session was not ready in time.
    Late,
    /// Nobody listens at that address.
    Refused,
    /// The address could not be reached for another reason, an unknown name among them.
    Unreachable,
    /// The connection stood, and TLS didn't agree.
    Tls,
    /// The server answered with this HTTP status.
    Status(u16),
    /// The HTTP server answered with something that isn't MCP.
    NotMcp,
    /// The server didn't agree on a session.
    Handshake,
}

/// How a child process ended, and what that took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProcessEnd {
    /// `None` when the system doesn't say.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) farewell: Farewell,
    /// From the wish to end it to its end; zero when it had ended before.
    pub(crate) took: Duration,
    /// Whether processes of its group outlived it; they were killed.
    pub(crate) left_over: LeftOver,
    /// The end of its stderr: untrusted text.
    pub(crate) stderr: String,
}

/// What it took to end a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Farewell {
    /// It had ended before anybody wanted it to.
    Gone,
    /// It ended by itself when its stdin was closed.
    Left,
    /// It ended on SIGTERM.
    Terminated,
    /// It had to be killed.
    Killed,
    /// It was killed and still isn't gone: the system holds it.
    Stuck,
}

/// Whether anything of a process group outlived its leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftOver {
    Nothing,
    Something,
}

impl Session {
    /// What is known of the session beside its calls. The end of the process is told after [`close`](Self::close).
    pub(crate) fn story(&self) -> Story {
        self.shared.story.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How long the server takes to answer a question that changes nothing.
    ///
    /// # Errors
    ///
    /// When no answer comes in `connect_timeout`, or the session has ended.
    pub(crate) async fn round_trip(&self) -> Result<Duration, CallError> {
        let deadline = Instant::now() + self.shared.limits.connect_timeout;
        let era = self.story().info.map_or(Era::Legacy, |info| info.era);
        self.submit_until("round_trip", deadline, move |client| client.round_trip(era).boxed())
            .await
    }
}

impl Shared {
    pub(super) fn tell(&self, change: impl FnOnce(&mut Story)) {
        change(&mut self.story.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
