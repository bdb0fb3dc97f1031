//! The host of sandboxed workflows that call MCP tools through one door.
//!
//! A workflow is a WebAssembly component whose only import is `call-tool`. [`Workflow`] loads and checks one, [`Run`] runs
//! it, and [`SessionPool`] owns the MCP connections behind the door, each inside a task of its own ([`Session`]).

mod auth;
mod call;
#[doc(hidden)]
pub mod cli;
mod component;
mod config;
mod engine;
mod gate;
mod limits;
mod pool;
mod run;
mod server;
mod session;
mod shutdown;
mod task;
mod telemetry;

pub use auth::AuthRecord;
pub use call::*;
pub use component::{Demands, MemoryDemand, TableDemand, Verdict, Workflow, WorkflowError};
pub use config::{
    Config, ConfigError, Configured, ConnectionConfig, Environment, Fault, Place, Position,
    Problem, Remark, Server, Warning, WorkflowConfig,
};
pub use engine::{Allocation, Engine, EngineError, EngineOptions};
pub use gate::{Ending, Entry, Event, Events, Progress, RunEnding};
pub use limits::*;
pub use pool::{OnSessionLoss, PooledConnection, Recovery, Replay, SessionLoss, SessionPool};
pub use run::{Canceller, Run, RunOutcome, RunReport, Stopped, WorkflowFailure};
pub use session::{
    AllowedTools, ConnectFailure, Connector, Exit, HttpServer, McpClient, Operation, Ordering,
    Session, SessionOptions, StdioServer, Streams,
};
