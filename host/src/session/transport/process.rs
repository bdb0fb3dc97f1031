//! The child process of a stdio server, and everything that it starts: nothing of it outlives its session.
//!
//! - The server leads its own process group, and signals go to the group, so that launchers (`sh -c`, `npx`) can't leave
//!   grandchildren behind. A program that starts a group or session of its own escapes, as from any shell.
//! - [`ServerProcess::shutdown`] closes its stdin, waits, sends SIGTERM, waits, sends SIGKILL, and reaps. Members of the
//!   group that outlive their leader are killed.
//! - Dropping [`ServerProcess`] (a panic, a runtime that is dropped) sends SIGKILL at once.
//! - If the host itself is killed, the [`watchdog`] kills the groups a second later. `PR_SET_PDEATHSIG` would only reach
//!   the leader, would follow the thread that spawned it and not the host, and exists on Linux only.
//!
//! All of it holds on Linux and macOS. On Windows there are no groups: shutting down kills the server itself, and what it
//! started stays.

mod group;
mod program;
mod stderr;
#[cfg(test)]
#[cfg(unix)]
mod tests;
#[cfg(unix)]
mod watchdog;

use std::{process::ExitStatus, process::Stdio, time::Duration};

use tokio::{
    process::{ChildStdin, ChildStdout, Command},
    sync::watch,
    time::{Instant, timeout, timeout_at},
};

use crate::{
    limits::SessionLimits,
    session::{
        connect::StdioServer,
        story::{Farewell, LeftOver, Obstacle, ProcessEnd},
        transport::framing::{Closer, Closing, End},
    },
    task,
};

pub(super) use group::ProcessGroup;
pub(crate) use program::NotStarted;
use stderr::StderrTail;

/// A process that was just started, in its parts.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) group: ProcessGroup,
    /// The task that waits for the process holds the other end. `Some` once it has ended.
    pub(super) exit: watch::Receiver<Option<Exit>>,
    pub(super) last_words: LastWords,
    pub(super) stderr: StderrTail,
}

/// How a process ended; `None` inside when the system doesn't say.
pub(super) type Exit = Option<ExitStatus>;

/// What a process still says when it has ended.
#[derive(Debug)]
pub(crate) struct LastWords {
    exit: watch::Receiver<Option<Exit>>,
    stderr: StderrTail,
}

impl LastWords {
    /// What is known at `until`, or as soon as all is known, to be added to a sentence.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn hear(&mut self, until: Instant) -> String {
        let exit = timeout_at(until, self.exit.wait_for(Option::is_some)).await;
        // Copied at once, because the value is under a lock.
        let mut words = match exit.map(|known| known.map(|exit| *exit)) {
            Ok(Ok(Some(Some(status)))) => format!(" ({status})"),
            Ok(Ok(_)) => " (how is unknown)".to_owned(),
            Ok(Err(_)) => String::new(),
            Err(_) => " (its process still runs)".to_owned(),
        };
        let _what_is_there_will_do = timeout_at(until, self.stderr.closed()).await;
        let tail = self.stderr.text();
        if !tail.is_empty() {
            words.push_str("; the end of its stderr: ");
            words.push_str(&tail);
        }
        words
    }
}

/// Starts the process of `server`. `closing` is told when it has ended.
///
/// # Errors
///
/// When the program can't be found or started.
pub(super) fn start(
    server: &StdioServer,
    limits: &SessionLimits,
    closing: Closing,
) -> Result<Started, NotStarted> {
    let program = program::find(server)?;
    let mut command = Command::new(&program);
    command
        .args(&server.args)
        .env_clear()
        .envs(&server.env)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(cwd) = &server.cwd {
        command.current_dir(cwd);
    }
    group::lead(&mut command);
    let mut child = command.spawn().map_err(|error| program::explain(&program, &error))?;

    let lacks =
        |what: &str| NotStarted::new(Obstacle::NotStarted, format!("the child has no {what}"));
    let pid = child.id().ok_or_else(|| lacks("process id"))?;
    // Before anything else can fail, because from here on the group has to be killed.
    let group = ProcessGroup::new(pid);
    let stdin = child.stdin.take().ok_or_else(|| lacks("stdin"))?;
    let stdout = child.stdout.take().ok_or_else(|| lacks("stdout"))?;
    let stderr = child.stderr.take().ok_or_else(|| lacks("stderr"))?;

    let stderr = StderrTail::drain(stderr, limits.stderr_tail_bytes);
    let (say_exit, exit) = watch::channel(None);
    let kill = group.kill_request();
    // Ends with the process, which ends with its group, so it needs no owner.
    task::spawn("wait for a server process", async move {
        let status = group::wait(&mut child, kill).await;
        say_exit.send_replace(Some(status.ok()));
        closing.set(End::Exited);
    })
    .detach();
    let last_words = LastWords { exit: exit.clone(), stderr: stderr.clone() };
    Ok(Started { stdin, stdout, group, exit, last_words, stderr })
}

/// The process of a session, for its owner. Dropping it kills the process and all it started.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    group: ProcessGroup,
    /// The task that waits for the process holds the other end.
    exit: watch::Receiver<Option<Exit>>,
    stdin: Closer<ChildStdin>,
    stderr: StderrTail,
    grace: Duration,
    exit_drain: Duration,
    /// Since when its end is wanted, and whether it had ended before that.
    wanted: Option<(Instant, WasGone)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WasGone {
    Yes,
    No,
}

impl ServerProcess {
    pub(super) fn new(
        group: ProcessGroup,
        exit: watch::Receiver<Option<Exit>>,
        stdin: Closer<ChildStdin>,
        stderr: StderrTail,
        limits: &SessionLimits,
    ) -> Self {
        let SessionLimits { kill_grace: grace, exit_drain, .. } = *limits;
        Self { group, exit, stdin, stderr, grace, exit_drain, wanted: None }
    }

    /// The process id of the server, which is the id of its group too.
    pub(crate) fn id(&self) -> u32 {
        self.group.id()
    }

    /// What it still says when it ends.
    pub(crate) fn last_words(&self) -> LastWords {
        LastWords { exit: self.exit.clone(), stderr: self.stderr.clone() }
    }

    /// From now on its end is wanted: one that came before was its own.
    pub(crate) fn want_end(&mut self) {
        let was_gone = if self.exit.borrow().is_some() { WasGone::Yes } else { WasGone::No };
        self.wanted.get_or_insert((Instant::now(), was_gone));
    }

    /// [`want_end`](Self::want_end) a moment later, because the end of a process may be heard of after the end of its
    /// streams.
    pub(crate) async fn want_end_soon(&mut self) {
        drop(timeout(self.exit_drain, self.exit.wait_for(Option::is_some)).await);
        self.want_end();
    }

    /// Ends the process and all it started, politely first. Takes three times `kill_grace` and once `exit_drain` at most.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future kills at once.
    pub(crate) async fn shutdown(mut self) -> ProcessEnd {
        self.want_end();
        self.stdin.close();
        let farewell = self.leave().await;
        let (since, was_gone) = self.wanted.unwrap_or((Instant::now(), WasGone::No));
        let (farewell, took) = match was_gone {
            WasGone::Yes => (Farewell::Gone, Duration::ZERO),
            WasGone::No => (farewell, since.elapsed()),
        };
        let left_over = match farewell {
            Farewell::Stuck => LeftOver::Nothing,
            _ => self.group.left_over(),
        };
        // What is left may hold stderr open.
        self.group.kill();
        let _what_is_there_will_do = timeout(self.exit_drain, self.stderr.closed()).await;
        let status = self.exit.borrow().flatten();
        tracing::debug!(process = self.id(), ?farewell, "a server process was shut down");
        ProcessEnd { status, farewell, took, left_over, stderr: self.stderr.text() }
    }

    async fn leave(&mut self) -> Farewell {
        if self.has_left().await {
            return Farewell::Left;
        }
        self.group.terminate();
        if self.has_left().await {
            return Farewell::Terminated;
        }
        self.group.kill();
        if self.has_left().await { Farewell::Killed } else { Farewell::Stuck }
    }

    async fn has_left(&mut self) -> bool {
        timeout(self.grace, self.exit.wait_for(Option::is_some)).await.is_ok()
    }
}
