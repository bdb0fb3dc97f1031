//! The end of what a server wrote to its stderr: always read, so that it can't block, and never kept whole.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    sync::watch,
};

use crate::task;

/// The last bytes of a stream that a task reads to its end.
#[derive(Clone, Debug)]
pub(in crate::session::transport) struct StderrTail {
    /// Held to copy a few KiB, never across an await.
    bytes: Arc<Mutex<VecDeque<u8>>>,
    /// The task that reads holds the other end; closed with the stream.
    open: watch::Receiver<()>,
}

impl StderrTail {
    /// Reads `stream` to its end, and keeps the last `max_bytes`.
    pub(super) fn drain(stream: impl AsyncRead + Unpin + Send + 'static, max_bytes: usize) -> Self {
        let bytes = Arc::<Mutex<VecDeque<u8>>>::default();
        let (is_open, open) = watch::channel(());
        let tail = Self { bytes, open };
        let keep = tail.clone();
        // Ends with the stream, which ends with the process group.
        task::spawn("read a server's stderr", async move {
            keep.read(stream, max_bytes).await;
            drop(is_open);
        })
        .detach();
        tail
    }

    /// Waits for the end of the stream.
    pub(super) async fn closed(&mut self) {
        while self.open.changed().await.is_ok() {}
    }

    /// The text, with replacements for what is not UTF-8.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.lock().iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    async fn read(&self, mut stream: impl AsyncRead + Unpin, max_bytes: usize) {
        let mut chunk = vec![0; 8 << 10];
        // An error is an end as well: nothing more will come.
        while let Ok(read @ 1..) = stream.read(&mut chunk).await {
            let mut bytes = self.lock();
            bytes.extend(&chunk[..read]);
            let over = bytes.len().saturating_sub(max_bytes);
            bytes.drain(..over);
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<u8>> {
        // Bytes have no invariant that a panic could break.
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
