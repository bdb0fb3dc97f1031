//! The host of sandboxed workflows that call MCP tools through one door.

mod auth;
mod call;
mod limits;
mod session;
mod task;

pub use auth::AuthRecord;
pub use call::*;
pub use limits::*;
