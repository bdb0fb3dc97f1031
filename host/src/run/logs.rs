//! What a run wrote to its logs, up to a bound.

use std::{
    fmt, mem,
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use crate::limits::LimitReached;

/// What a run wrote to its logs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct RunLogs {
    /// In the order in which it was written. All of it is untrusted text.
    pub entries: Vec<LogEntry>,
    /// That something is missing at the end, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<LimitReached>,
    /// Whether something may have been written that nobody has any more: a script's lines are in the sandbox until it is done, and lost
    /// when that is stopped.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub are_lost: bool,
}

impl RunLogs {
    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.cut.is_none() && !self.are_lost
    }
}

/// What was written to one of the logs before something was written to another; of a script, one call of `console`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LogEntry {
    /// Where it was written to.
    pub to: LogStream,
    /// What was written. Bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// Where a run can write to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LogStream {
    /// WASI's standard output.
    Stdout,
    /// WASI's standard error.
    Stderr,
    /// A script's `console.log`.
    Log,
    /// A script's `console.info`.
    Info,
    /// A script's `console.warn`.
    Warn,
    /// A script's `console.error`.
    Error,
    /// A script's `console.debug`.
    Debug,
}

impl fmt::Display for LogStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
            Self::Log => "log",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
            Self::Debug => "debug",
        })
    }
}

/// The logs of a run that is under way. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct LogWriter(Arc<Mutex<Written>>);

#[derive(Debug)]
struct Written {
    max_bytes: usize,
    pieces: Vec<(LogStream, Vec<u8>)>,
    kept_bytes: usize,
    /// Everything, also what was not kept.
    bytes: u64,
}

impl LogWriter {
    pub(super) fn new(max_bytes: usize) -> Self {
        let written = Written { max_bytes, pieces: Vec::new(), kept_bytes: 0, bytes: 0 };
        Self(Arc::new(Mutex::new(written)))
    }

    /// Keeps as much of it as there is room for.
    pub(super) fn write(&self, to: LogStream, bytes: &[u8]) {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        written.bytes = written.bytes.saturating_add(bytes.len() as u64);
        let room = written.max_bytes - written.kept_bytes;
        let kept = &bytes[..bytes.len().min(room)];
        if kept.is_empty() {
            return;
        }
        written.kept_bytes += kept.len();
        match written.pieces.last_mut() {
            Some((last, piece)) if *last == to => piece.extend_from_slice(kept),
            _ => written.pieces.push((to, kept.to_vec())),
        }
    }

    /// What was written up to now; it is gone from here then.
    pub(super) fn take(&self) -> RunLogs {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_cut = written.bytes > written.kept_bytes as u64;
        let cut = is_cut.then(|| LimitReached::logs(written.max_bytes, written.bytes));
        let entries = mem::take(&mut written.pieces)
            .into_iter()
            .map(|(to, bytes)| LogEntry { to, text: String::from_utf8_lossy(&bytes).into_owned() });
        RunLogs { entries: entries.collect(), cut, are_lost: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_in_pieces_reads_as_one_and_the_order_of_streams_is_kept() {
        let logs = LogWriter::new(100);

        for (to, bytes) in [
            (LogStream::Stdout, "caf\u{e9}".as_bytes().split_at(4).0),
            (LogStream::Stdout, "caf\u{e9} is ready\n".as_bytes().split_at(4).1),
            (LogStream::Stderr, b"no sugar\n"),
            (LogStream::Stdout, b"\xff\n"),
        ] {
            logs.write(to, bytes);
        }

        let entry = |to, text: &str| LogEntry { to, text: text.to_owned() };
        let entries = vec![
            entry(LogStream::Stdout, "caf\u{e9} is ready\n"),
            entry(LogStream::Stderr, "no sugar\n"),
            entry(LogStream::Stdout, "\u{fffd}\n"),
        ];
        assert_eq!(logs.take(), RunLogs { entries, ..RunLogs::default() });
    }

    #[test]
    fn what_there_is_no_room_for_is_counted_and_told() {
        let logs = LogWriter::new(5);

        logs.write(LogStream::Stdout, b"abcdefgh");
        logs.write(LogStream::Stderr, b"ij");

        let RunLogs { entries, cut, .. } = logs.take();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].text, "abcde");
        let cut = cut.unwrap();
        assert_eq!((cut.limit, cut.value.as_str()), ("max_log_bytes", "5 bytes"));
        assert!(cut.reached.contains("10 bytes"), "{cut}");
    }
}
