//! stdout and stderr of a guest: what is written there goes to the logs of its run, at once and without an end.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::AsyncWrite;
use wasmtime_wasi::{
    async_trait,
    cli::{IsTerminal, StdoutStream},
    p2::{OutputStream, Pollable, StreamResult},
};

use crate::run::{LogStream, LogWriter};

/// How much a guest may write in one call, in bytes: that of wasi-libc's own buffer. It may make any number of calls.
const WRITE_BYTES: usize = 64 << 10;

/// One of a guest's two outputs.
#[derive(Clone)]
pub(super) struct LogOutput {
    logs: LogWriter,
    to: LogStream,
}

impl LogOutput {
    pub(super) fn new(logs: &LogWriter, to: LogStream) -> Self {
        Self { logs: logs.clone(), to }
    }
}

impl IsTerminal for LogOutput {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for LogOutput {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for LogOutput {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        self.logs.write(self.to, &bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(WRITE_BYTES)
    }
}

#[async_trait]
impl Pollable for LogOutput {
    async fn ready(&mut self) {}
}

impl AsyncWrite for LogOutput {
    fn poll_write(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.logs.write(self.to, bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
