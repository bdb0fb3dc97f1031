//! The bounds of composing stacks and of testing workflows.

use std::time::Duration;

/// The bounds of one composition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompositionLimits {
    /// Layers of one stack. Each costs memory and time at every start and every call, and up to four instances of the run's
    /// [`max_instances`](super::RunLimits::max_instances). Protects runs from stacks that nobody
    /// meant.
    pub max_layers: usize,
    /// Bytes of a middleware component. Protects memory from a path that isn't one, such as a device.
    pub max_component_bytes: usize,
    /// Bytes of one layer's settings. They stand in the memory of each run. Protects runs.
    pub max_settings_bytes: usize,
    /// Faults of one settings file that are told at once. Protects readers.
    pub max_told_faults: usize,
    /// Bytes that a regular expression of a schema may become. Protects memory from a stranger's middleware.
    pub max_pattern_bytes: usize,
}

impl Default for CompositionLimits {
    fn default() -> Self {
        Self {
            max_layers: 12,
            max_component_bytes: 64 << 20,
            max_settings_bytes: 1 << 20,
            max_told_faults: 20,
            max_pattern_bytes: 1 << 20,
        }
    }
}

/// The bounds of testing workflows against tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SuiteLimits {
    /// Bytes of a suite. Protects memory from a path that isn't one, such as a device.
    pub max_file_bytes: usize,
    /// How long one case may take, where it says nothing. Protects whoever waits for the suite from workflows.
    pub case_timeout: Duration,
    /// The longest that a case, or the delay of an answer, may ask for. Protects whoever waits.
    pub max_timeout: Duration,
    /// Lines of one difference that are printed. Protects readers.
    pub max_difference_lines: usize,
    /// Characters of one value that are printed. Protects readers.
    pub max_quoted_chars: usize,
    /// Unexpected calls of one case that are told. Protects readers and memory from a workflow that calls without end.
    pub max_told_calls: usize,
    /// Lines of a failed case's logs that are told, the last ones. Protects readers.
    pub max_told_log_lines: usize,
    /// Lines of a script's stack that are told. Protects readers: a script can write its own stack.
    pub max_told_stack_lines: usize,
}

impl Default for SuiteLimits {
    fn default() -> Self {
        Self {
            max_file_bytes: 64 << 20,
            case_timeout: Duration::from_secs(30),
            max_timeout: Duration::from_secs(3600),
            max_difference_lines: 20,
            max_quoted_chars: 200,
            max_told_calls: 10,
            max_told_log_lines: 20,
            max_told_stack_lines: 10,
        }
    }
}
