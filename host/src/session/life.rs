//! When a session opened and when it ended, for the pool that decides about the next one.

use tokio::time::Instant;

use super::{Session, exit::Exit, transport::Ended};

/// Set by the owner task once the connection is open.
pub(super) struct Opened {
    pub(super) at: Instant,
    /// The transport says through it that the connection ended, before any caller hears of it.
    pub(super) ended: Ended,
}

/// The end of a session.
#[derive(Clone, Debug)]
pub(crate) struct SessionEnd {
    /// When operations could run; never, where it could not be opened.
    pub(crate) opened_at: Option<Instant>,
    pub(crate) ended_at: Instant,
    pub(crate) exit: Exit,
}

impl SessionEnd {
    /// Whether it had been open, and ended without having been told to.
    pub(crate) fn is_loss(&self) -> bool {
        self.opened_at.is_some() && self.exit != Exit::Closed
    }
}

impl Session {
    /// How it ended, if it takes nothing more.
    ///
    /// A caller may hear from the transport that the connection ended before the owner task does; this says so from then on.
    pub(crate) fn end(&self) -> Option<SessionEnd> {
        let opened = self.shared.opened.get();
        let opened_at = opened.map(|opened| opened.at);
        if let (Some(exit), Some(ended_at)) = (self.shared.exit.get(), self.shared.exit.ended_at())
        {
            return Some(SessionEnd { opened_at, ended_at, exit: exit.clone() });
        }
        let exit = match opened.and_then(|opened| opened.ended.get()) {
            Some(failure) => Exit::ConnectionEnded(failure.clone()),
            None if self.is_closed() => Exit::Closed,
            None => return None,
        };
        Some(SessionEnd { opened_at, ended_at: Instant::now(), exit })
    }
}
