//! The host of sandboxed workflows that call MCP tools through one door.
//!
//! A workflow is a WebAssembly component whose only import is `call-tool`. [`Workflow`] loads and checks one, [`Run`] runs
//! it, and [`SessionPool`] owns the MCP connections behind the door, each inside a task of its own ([`Session`]).

mod auth;
mod call;
#[doc(hidden)]
pub mod cli;
mod component;
mod compose;
mod config;
mod engine;
mod gate;
mod jsonc;
mod limits;
mod pool;
mod run;
mod server;
mod session;
mod shutdown;
mod suite;
mod task;
mod telemetry;

pub use auth::AuthRecord;
pub use call::*;
pub use component::{Verdict, Workflow, WorkflowError};
pub use compose::{ComposeError, Layer, Library, SettingsFault, SettingsText, Stack, WacFile};
pub use config::{
    Config, ConfigError, Configured, ConnectionConfig, Environment, Fault, Place, Position,
    Problem, Remark, Server, Warning,
};
pub use engine::{Engine, EngineError};
pub use gate::{Ending, Entry, Progress};
pub use limits::*;
pub use pool::{OnSessionLoss, PooledConnection, Recovery, Replay, SessionLoss, SessionPool};
pub use run::{Run, RunOutcome, RunReport, Stopped, WorkflowFailure};
pub use session::{
    AllowedTools, ConnectFailure, Connector, Exit, HttpServer, McpClient, Operation, Ordering,
    Session, SessionOptions, StdioServer, Streams,
};
pub use suite::{CaseReport, Suite, SuiteError, SuiteLayer};
