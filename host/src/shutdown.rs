//! The one listener for signals: the first one ends the work in order.

use std::io;

/// Why the work was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Interrupted {
    /// Somebody asked for it.
    #[error("interrupted by {}", .0.name())]
    Signal(Signal),
    /// Signals can't be heard on this machine.
    #[error("can't listen for signals")]
    Deaf(#[source] io::Error),
}

/// The signals that end the work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Signal {
    Interrupt,
    Terminate,
}

impl Signal {
    fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
        }
    }
}

impl Interrupted {
    /// What shells expect of a program that a signal ended: 128 and the number of the signal.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Signal(Signal::Interrupt) => 130,
            Self::Signal(Signal::Terminate) => 143,
            Self::Deaf(_) => 2,
        }
    }
}

/// Does the work unless a signal comes first. The work is dropped then, which cancels the calls under way.
pub(crate) async fn unless_interrupted<T>(work: impl Future<Output = T>) -> Result<T, Interrupted> {
    tokio::select! {
        biased;
        done = work => Ok(done),
        signal = signal() => Err(signal.map_or_else(Interrupted::Deaf, Interrupted::Signal)),
    }
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "this is the one signal listener")]
async fn signal() -> io::Result<Signal> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = interrupt.recv() => Ok(Signal::Interrupt),
        _ = terminate.recv() => Ok(Signal::Terminate),
    }
}

#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "this is the one signal listener")]
async fn signal() -> io::Result<Signal> {
    tokio::signal::ctrl_c().await.map(|()| Signal::Interrupt)
}
