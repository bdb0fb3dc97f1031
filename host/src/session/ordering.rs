//! How far the calls of one session may overlap.

use serde::{Deserialize, Serialize};

/// Which calls of one session may be under way together. Admission is first in, first out under each of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ordering {
    /// One at a time.
    Serial,
    /// Tools that the server marks with `readOnlyHint` may overlap, every other call is alone.
    #[default]
    Annotated,
    /// Any, up to [`max_in_flight`](crate::SessionLimits::max_in_flight).
    Parallel,
}
