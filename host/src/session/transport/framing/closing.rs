//! The word between the parts of one connection that it is over: said once, by whoever sees it first.

use std::{
    sync::{Arc, OnceLock},
    task::{Context, Poll},
};

use futures::task::AtomicWaker;

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
