//! What is said when a limit ends a run.

use std::fmt;

use serde::Serialize;

use super::RunLimits;

/// A limit that ended a run: which, its value, what was reached, and how to raise it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LimitReached {
    /// The field of [`RunLimits`].
    pub limit: &'static str,
    /// Its value, with its unit.
    pub value: String,
    /// What the run did.
    pub reached: String,
    /// The option of the command line that raises it.
    pub raise_with: &'static str,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, value, reached, raise_with } = self;
        write!(f, "limit {limit} ({value}) reached: {reached}; raise it with {raise_with}")
    }
}

impl std::error::Error for LimitReached {}

impl LimitReached {
    pub(crate) fn wall_clock(limits: &RunLimits) -> Self {
        Self {
            limit: "wall_clock",
            value: format!("{:?}", limits.wall_clock),
            reached: "the run was not done by then".to_owned(),
            raise_with: "--timeout",
        }
    }

    pub(crate) fn calls(limits: &RunLimits) -> Self {
        Self {
            limit: "max_calls",
            value: format!("{} calls", limits.max_calls),
            reached: "the workflow made one call more".to_owned(),
            raise_with: "--max-calls",
        }
    }

    pub(crate) fn memory(limits: &RunLimits, wanted_bytes: usize) -> Self {
        Self {
            limit: "max_memory_bytes",
            value: format!("{} bytes", limits.max_memory_bytes),
            reached: format!("the workflow asked for {wanted_bytes} bytes in all"),
            raise_with: "--max-memory",
        }
    }

    pub(crate) fn table(limits: &RunLimits, wanted: usize) -> Self {
        Self {
            limit: "max_table_elements",
            value: format!("{} elements", limits.max_table_elements),
            reached: format!("the workflow asked for {wanted} elements in all"),
            raise_with: "--max-table-elements",
        }
    }

    pub(crate) fn output(limits: &RunLimits, bytes: usize) -> Self {
        Self {
            limit: "max_output_bytes",
            value: format!("{} bytes", limits.max_output_bytes),
            reached: format!("the result has {bytes} bytes"),
            raise_with: "--max-output",
        }
    }
}
