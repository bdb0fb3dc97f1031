//! What a script finds besides the tools.

/// The globals of a script, as declarations.
pub(super) const GLOBALS: &str = include_str!("globals.d.ts");
