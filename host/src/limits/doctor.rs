//! The bounds of what `callgate doctor` prints.

/// How much of a server's words the report repeats. Protects terminals and their readers from servers.
#[derive(Clone, Debug)]
pub(crate) struct DoctorLimits {
    /// Columns of the report: what a terminal has at least.
    pub(crate) columns: usize,
    /// Characters of a name, a version or a line of stderr.
    pub(crate) max_quoted_chars: usize,
    /// Characters of an error.
    pub(crate) max_detail_chars: usize,
    /// Last lines of stderr.
    pub(crate) max_stderr_lines: usize,
    /// Clashes of tool names.
    pub(crate) max_clashes: usize,
}

impl Default for DoctorLimits {
    fn default() -> Self {
        Self {
            columns: 80,
            max_quoted_chars: 160,
            max_detail_chars: 600,
            max_stderr_lines: 5,
            max_clashes: 5,
        }
    }
}
