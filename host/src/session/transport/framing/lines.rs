//! Cuts a byte stream into lines, with a bound on what one line may hold in memory.
//!
//! It knows nothing of JSON, except that a line over the bound goes through an [`IdScan`] on its way to oblivion.

use std::{
    future::Future,
    io,
    pin::pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::salvage::IdScan;

/// Bytes asked of the reader at once: what a pipe holds on Linux.
const CHUNK: usize = 64 << 10;

/// What comes out of the stream.
#[derive(Debug)]
pub(super) enum Cut {
    /// A whole line: [`LineReader::line`] has it until [`LineReader::consume`].
    Line,
    /// A line over the bound, or as much of it as tells whose it is. What follows of it is skipped.
    Oversized(IdScan),
    /// A line that goes on for ever.
    Endless,
    /// The end. [`LineReader::rest`] has what is left.
    Eof,
    /// The stream broke.
    Broken(io::Error),
}

/// A reader of lines that may be left and taken up again at any await.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Where the first unread byte is.
    start: usize,
    /// Up to here there is no line end.
    scanned: usize,
    /// Where the current line ends, without its line feed.
    line_end: usize,
    skipping: Skipping,
    max_line: usize,
    max_skipped: usize,
}

/// Whether the current line is being thrown away.
#[derive(Debug)]
enum Skipping {
    No,
    /// Its owner isn't known yet.
    Undecided(Box<IdScan>),
    /// It has been reported.
    Reported {
        skipped: usize,
    },
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(super) fn new(reader: R, max_line: usize, max_skipped: usize) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            line_end: 0,
            skipping: Skipping::No,
            max_line,
            max_skipped,
        }
    }

    /// The line that [`Cut::Line`] announced.
    pub(super) fn line(&self) -> &[u8] {
        &self.buffer[self.start..self.line_end]
    }

    /// What came after the last line, when nothing more comes.
    pub(super) fn rest(&self) -> &[u8] {
        match self.skipping {
            Skipping::No => &self.buffer[self.start..],
            Skipping::Undecided(_) | Skipping::Reported { .. } => &[],
        }
    }

    /// Lets go of the line.
    pub(super) fn consume(&mut self) {
        self.start = self.line_end + 1;
        self.scanned = self.start;
        if self.start == self.buffer.len() {
            self.reset();
        }
    }

    /// The next thing in the stream.
    ///
    /// # Cancel safety
    ///
    /// Everything read is in `self`.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Cut> {
        loop {
            if let Some(cut) = self.cut() {
                return Poll::Ready(cut);
            }
            match ready!(self.poll_fill(cx)) {
                Ok(0) => return Poll::Ready(Cut::Eof),
                Ok(_) => {}
                Err(error) => return Poll::Ready(Cut::Broken(error)),
            }
        }
    }

    /// What the bytes at hand hold.
    fn cut(&mut self) -> Option<Cut> {
        let end = memchr::memchr(b'\n', &self.buffer[self.scanned..]).map(|at| self.scanned + at);
        self.scanned = end.unwrap_or(self.buffer.len());
        if !matches!(self.skipping, Skipping::No) {
            return self.skip(end);
        }
        let held = self.scanned - self.start;
        if held > self.max_line {
            self.skipping = Skipping::Undecided(Box::default());
            return self.skip(end);
        }
        end.map(|end| {
            self.line_end = end;
            Cut::Line
        })
    }

    /// Throws away what is at hand of an oversized line, up to and with its `end`.
    fn skip(&mut self, end: Option<usize>) -> Option<Cut> {
        let part = &self.buffer[self.start..self.scanned];
        let cut = match &mut self.skipping {
            Skipping::No => None,
            Skipping::Reported { skipped } => {
                *skipped += part.len();
                (*skipped > self.max_skipped).then_some(Cut::Endless)
            }
            Skipping::Undecided(scan) => {
                scan.feed(part);
                if scan.bytes() > self.max_skipped {
                    Some(Cut::Endless)
                } else if end.is_some() || scan.is_decided() {
                    let skipped = scan.bytes();
                    let scan = std::mem::take(&mut **scan);
                    self.skipping = Skipping::Reported { skipped };
                    Some(Cut::Oversized(scan))
                } else {
                    None
                }
            }
        };
        if end.is_some() {
            self.skipping = Skipping::No;
            self.line_end = self.scanned;
            self.consume();
        } else {
            self.reset();
        }
        // The line ended and nobody has to hear of it: look at what follows.
        if cut.is_none() && end.is_some() { self.cut() } else { cut }
    }

    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if self.buffer.capacity() - self.buffer.len() < CHUNK / 4 {
            self.make_room();
        }
        // Polled once and let go of: `read_buf` keeps nothing of its own.
        pin!(self.reader.read_buf(&mut self.buffer)).poll(cx)
    }

    /// Moves the unread bytes to the front, or grows.
    fn make_room(&mut self) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        if self.buffer.capacity() - self.buffer.len() < CHUNK / 4 {
            self.buffer.reserve(CHUNK.max(self.buffer.len()));
        }
    }

    /// Everything at hand has been read; a buffer that one big line has blown up is given back.
    fn reset(&mut self) {
        self.buffer.clear();
        if self.buffer.capacity() > 4 * CHUNK {
            self.buffer = Vec::new();
        }
        self.start = 0;
        self.scanned = 0;
    }
}
