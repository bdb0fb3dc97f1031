//! How far the calls of one connection may overlap at its server.

use std::str::FromStr;

/// Which operations of one session may run at the same time. Admission is first in, first out under each of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ordering {
    /// One operation at a time.
    Serial,
    /// Tools that their server marks `readOnlyHint` may overlap; every other operation runs alone.
    #[default]
    Annotated,
    /// Up to [`max_in_flight`](crate::SessionLimits::max_in_flight) operations at a time, whatever they do.
    Parallel,
}

impl FromStr for Ordering {
    type Err = UnknownOrdering;

    fn from_str(word: &str) -> Result<Self, UnknownOrdering> {
        match word {
            "serial" => Ok(Self::Serial),
            "annotated" => Ok(Self::Annotated),
            "parallel" => Ok(Self::Parallel),
            _ => Err(UnknownOrdering),
        }
    }
}

/// The word names no [`Ordering`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an ordering is one of serial, annotated, parallel")]
pub struct UnknownOrdering;
