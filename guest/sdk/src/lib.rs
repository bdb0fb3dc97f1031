//! Write a Callgate workflow, or a middleware, in Rust.
//!
//! A workflow is a component that the host runs once: JSON in, JSON out, and between them one thing it can do, call a tool
//! of an MCP server. Nothing else is reachable: no clock, no files, no network.
//!
//! ```
//! use callgate_guest::{CallError, Json};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize)]
//! struct Input {
//!     city: String,
//! }
//!
//! #[derive(Serialize)]
//! struct Output {
//!     weather: Json,
//! }
//!
//! async fn run(input: Input) -> Result<Output, CallError> {
//!     let arguments = serde_json::json!({ "city": input.city });
//!     Ok(Output { weather: callgate_guest::call("weather", "today", &arguments).await? })
//! }
//!
//! callgate_guest::workflow!(run);
//! ```
//!
//! The crate type is `cdylib`, the target `wasm32-unknown-unknown`. Many calls at once are many futures awaited together,
//! for instance with [`futures::future::join_all`]. A panic is a trap, which ends the run; there is nowhere to print to.
//!
//! On other targets everything type-checks and links, so that the parts of a guest that call nothing can have ordinary unit
//! tests. A call panics there: no host is listening.

mod answer;
#[cfg(all(target_arch = "wasm32", feature = "arena"))]
mod arena;
#[doc(hidden)]
pub mod bindings;
mod call;
mod failure;
mod json;
mod middleware;
mod pattern;
#[cfg(not(target_family = "wasm"))]
mod script;
mod signal;
mod workflow;

pub use futures;
pub use serde_json;

pub use crate::{
    answer::{Answer, FailureForm, RefusalForm, RpcErrorForm},
    bindings::{
        middleware::callgate::mcp::tools::{
            Body, Cause, Content, Embedded, Failure as CallFailure, Media, Outcome, Refusal,
            RefusalReason, ResourceLink, RpcError, ToolCallResult,
        },
        workflow::exports::callgate::mcp::run::Failure,
    },
    call::{CallError, call, call_tool},
    json::rewrite_json,
    middleware::{Call, CallResult, Middleware, Next},
    pattern::{NotATool, ToolName, ToolPattern, is_match},
    signal::Signal,
};

#[cfg(not(target_family = "wasm"))]
pub use crate::script::Script;

/// One JSON value that nobody needs to look into: it keeps the spelling of its numbers, and the order of its keys.
pub type Json = Box<serde_json::value::RawValue>;

/// What the export macros expand to. Not API.
#[doc(hidden)]
pub mod __private {
    pub use crate::{
        middleware::{Layer, call_layer, handle, make_layer},
        workflow::run,
    };
}
