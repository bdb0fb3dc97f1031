//! The bounds of reading configuration files, and of the built-in file server.

use std::time::Duration;

/// The bounds of a configuration file and what it may ask for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConfigLimits {
    /// Bytes of a configuration file, and of an env file. Protects memory from a path that isn't one, such as a device.
    pub max_file_bytes: usize,
    /// Largest timeout that a file may ask for. Protects deadlines, which are sums, from overflow.
    pub max_timeout: Duration,
}

impl Default for ConfigLimits {
    fn default() -> Self {
        Self { max_file_bytes: 4 << 20, max_timeout: Duration::from_secs(7 * 24 * 60 * 60) }
    }
}

/// The bounds of the built-in file server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileServerLimits {
    /// Bytes of text in one answer and in one file that is written. JSON can make six bytes out of one, and an answer holds its
    /// text twice: together that stays under [`SessionLimits::max_message_bytes`](super::SessionLimits::max_message_bytes). Protects memory from big files.
    pub max_text_bytes: usize,
    /// Bytes of one request, which is one line. Protects memory from clients.
    pub max_request_bytes: usize,
    /// Files and folders that one call looks at. Protects threads from endless trees.
    pub max_entries: usize,
    /// Calls that work on files at once; more wait. Protects memory and threads from clients.
    pub max_in_flight: usize,
}

impl Default for FileServerLimits {
    fn default() -> Self {
        Self {
            max_text_bytes: 4 << 20,
            max_request_bytes: 32 << 20,
            max_entries: 10_000,
            max_in_flight: 16,
        }
    }
}
