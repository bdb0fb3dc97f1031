//! The bounds of scripts.

/// The bounds of one script, beside those of its run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ScriptLimits {
    /// Bytes of the script's file. Protects memory from a path that isn't one, such as a device.
    pub max_source_bytes: usize,
    /// Bytes of what a script writes with `console`; the lines after that are counted and not kept. They count towards
    /// [`max_output_bytes`](super::RunLimits::max_output_bytes) too. Protects whoever reads the report.
    pub max_log_bytes: usize,
    /// Lines before the one with the error that are shown. Serves readers.
    pub frame_lines: usize,
    /// Characters of a line that are shown around an error. Protects readers from files that are one line.
    pub max_frame_columns: usize,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            max_source_bytes: 4 << 20,
            max_log_bytes: 1 << 20,
            frame_lines: 2,
            max_frame_columns: 120,
        }
    }
}
