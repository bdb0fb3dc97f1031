//! The MCP servers that the host itself is.

// The file server works on open folders, which only Unix has in the form that it needs.
#[cfg(unix)]
pub(crate) mod demo;
