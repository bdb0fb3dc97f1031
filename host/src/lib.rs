//! The host of sandboxed workflows that call MCP tools through one door.

mod auth;
mod call;
mod config;
mod limits;
mod server;
mod session;

pub use auth::AuthRecord;
pub use call::*;
pub use config::*;
pub use limits::*;
pub use session::{HttpServer, Ordering, StdioServer, UnknownOrdering};
