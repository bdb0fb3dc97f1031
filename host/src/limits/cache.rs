//! The bounds of the cache of compiled components.

use std::time::Duration;

/// The bounds of one folder of compiled components.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CacheLimits {
    /// Bytes of all files together; the ones that were not used for longest go. Protects disks.
    pub max_bytes: u64,
    /// Bytes of one file; what is larger is compiled each time. Protects memory from files.
    pub max_file_bytes: u64,
    /// Files that are looked at when room is made. Protects the processor from folders that hold something else.
    pub max_files: usize,
    /// How old a half-written file has to be to count as left behind. Protects writers from each other.
    pub abandoned_after: Duration,
}

impl Default for CacheLimits {
    fn default() -> Self {
        Self {
            max_bytes: 512 << 20,
            max_file_bytes: 256 << 20,
            max_files: 10_000,
            abandoned_after: Duration::from_secs(3600),
        }
    }
}
