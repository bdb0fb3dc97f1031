//! The bounds of scripts.

use super::SourceLimits;

/// The bounds of one script, beside those of its run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ScriptLimits {
    /// Bytes of the script's file. Protects memory from a path that isn't one, such as a device.
    pub max_source_bytes: usize,
    /// The bounds of taking types out of TypeScript.
    pub typescript: SourceLimits,
    /// Identifiers that stand for names of connections and tools. Protects the runs of scripts from servers with more tools than
    /// anybody calls.
    pub max_identifiers: usize,
    /// Lines before the one with the error that are shown. Serves readers.
    pub frame_lines: usize,
    /// Characters of a line that are shown around an error. Protects readers from files that are one line.
    pub max_frame_columns: usize,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            max_source_bytes: 4 << 20,
            typescript: SourceLimits::default(),
            max_identifiers: 10_000,
            frame_lines: 2,
            max_frame_columns: 120,
        }
    }
}
