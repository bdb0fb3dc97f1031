//! One live MCP session.
mod connect;
mod ordering;
mod transport;

pub use connect::{HttpServer, StdioServer};
pub use ordering::{Ordering, UnknownOrdering};
