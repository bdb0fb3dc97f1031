//! One live MCP session.
mod connect;
mod transport;
