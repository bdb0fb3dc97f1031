//! How a session is to be kept.

use super::{AllowedTools, Elicitation, EraPolicy, Ordering};
use crate::limits::SessionLimits;

/// How a session is to be kept.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionOptions {
    /// Which calls may overlap.
    pub ordering: Ordering,
    /// Which tools may be called; calls of others are refused and not sent.
    pub tools: AllowedTools,
    /// Whether calls that ask for it are refused, and not sent, when their arguments aren't as the server's input schema says. Off for
    /// a server whose schemas are wrong.
    pub checks_arguments: bool,
    /// Which era of MCP is spoken.
    pub era: EraPolicy,
    /// What is answered when the server asks for input from a person.
    pub elicitation: Elicitation,
    /// The bounds.
    pub limits: SessionLimits,
    /// How many sessions of this connection were opened before this one, plus one.
    pub epoch: u64,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            ordering: Ordering::default(),
            tools: AllowedTools::all(),
            checks_arguments: true,
            era: EraPolicy::default(),
            elicitation: Elicitation::default(),
            limits: SessionLimits::default(),
            epoch: 1,
        }
    }
}
