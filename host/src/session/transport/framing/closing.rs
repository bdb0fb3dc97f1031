//! The word between the parts of one connection that it is over: said once, by whoever sees it first.

use std::{
    sync::{Arc, OnceLock},
    task::{Context, Poll},
};

use futures::task::AtomicWaker;

use crate::{
    call::{Cause, Failure},
    limits::SessionLimits,
};

/// Who saw the end, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session::transport) enum End {
    /// The stream from the server ended.
    Eof,
    /// The stream from the server broke.
    ReadFailed(String),
    /// The stream to the server broke.
    WriteFailed(String),
    /// The server didn't take a frame in time.
    WriteStalled,
    /// The server's process has ended.
    Exited,
    /// One message went on for ever.
    Endless,
    /// Too many frames in a row were nonsense; the last one's trouble.
    Babble(String),
}

impl End {
    /// What callers are told, with what the server's process said last.
    pub(super) fn failure(&self, limits: &SessionLimits, last_words: &str) -> Failure {
        let cause = match self {
            Self::Eof | Self::ReadFailed(_) | Self::WriteFailed(_) | Self::Exited => {
                Cause::SessionStopped
            }
            Self::WriteStalled => Cause::Timeout,
            Self::Endless => Cause::TooLarge,
            Self::Babble(_) => Cause::ProtocolViolation,
        };
        Failure::new(cause, self.describe(limits) + last_words)
    }

    fn describe(&self, limits: &SessionLimits) -> String {
        match self {
            Self::Eof => "the server closed its output".to_owned(),
            Self::ReadFailed(error) => format!("reading from the server failed: {error}"),
            Self::WriteFailed(error) => format!("writing to the server failed: {error}"),
            Self::WriteStalled => {
                format!("the server did not take a message within {:?}", limits.write_timeout)
            }
            Self::Exited => "the server's process ended".to_owned(),
            Self::Endless => {
                format!("the server sent a message of over {} bytes", limits.max_skipped_bytes)
            }
            Self::Babble(last) => format!(
                "the server sent {} lines in a row that are not MCP, the last one because {last}",
                limits.max_bad_frames
            ),
        }
    }
}

/// Says that the connection ends. The reading side listens.
#[derive(Clone, Debug, Default)]
pub(in crate::session::transport) struct Closing(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    end: OnceLock<End>,
    /// The reading side's.
    reader: AtomicWaker,
}

impl Closing {
    /// The first one to say it is right.
    pub(in crate::session::transport) fn set(&self, end: End) {
        let _the_first_cause_stays = self.0.end.set(end);
        self.0.reader.wake();
    }

    pub(super) fn poll(&self, cx: &mut Context<'_>) -> Poll<End> {
        if self.0.end.get().is_none() {
            self.0.reader.register(cx.waker());
        }
        self.0.end.get().map_or(Poll::Pending, |end| Poll::Ready(end.clone()))
    }
}
