//! The bounds of reading a script's source, and of checking its types.

use std::time::Duration;

/// The bounds of a source that is parsed on the host, and of what is said about it. The parser is recursive and can't be
/// interrupted; both are held by what may be in a source at all.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SourceLimits {
    /// Bytes of one source. Protects memory from scripts: every one of them may take `stack_bytes_per_source_byte` of stack.
    pub max_source_bytes: usize,
    /// `<` signs in one source. Protects the processor from scripts: each may begin type arguments, which the parser tries and
    /// takes back, so its time grows with the square of their number.
    pub max_angle_brackets: usize,
    /// Bytes of stack for each byte of source, on a thread of its own; what isn't used takes no memory. Protects the stack from
    /// nesting: no sign makes the parser go deeper than this, a quarter of it at most in a build that isn't optimised.
    pub stack_bytes_per_source_byte: usize,
    /// Bytes of that stack for the shortest source.
    pub min_stack_bytes: usize,
    /// Faults that are told of one source. Protects whoever reads them.
    pub max_diagnostics: usize,
    /// Characters of a line of the source that is shown with a fault.
    pub max_frame_chars: usize,
    /// Characters of what is said of one fault: names in it are the source's own.
    pub max_message_chars: usize,
}

impl Default for SourceLimits {
    fn default() -> Self {
        Self {
            max_source_bytes: 256 << 10,
            max_angle_brackets: 2_000,
            stack_bytes_per_source_byte: 4 << 10,
            min_stack_bytes: 1 << 20,
            max_diagnostics: 10,
            max_frame_chars: 100,
            max_message_chars: 400,
        }
    }
}

/// The bounds of a type check, which a compiler of the user's does.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckLimits {
    /// How long the compiler may take. Protects the user from one that hangs.
    pub max_time: Duration,
    /// Bytes of its output that are read. Protects memory.
    pub max_output_bytes: usize,
    /// The bounds of what is told.
    pub source: SourceLimits,
}

impl Default for CheckLimits {
    fn default() -> Self {
        Self {
            max_time: Duration::from_secs(120),
            max_output_bytes: 1 << 20,
            source: SourceLimits::default(),
        }
    }
}
