//! The host of sandboxed workflows that call MCP tools through one door.
//!
//! A workflow is a WebAssembly component whose only import is `call-tool`. [`Workflow`] loads and checks one, [`Run`] runs
//! it, [`Grants`] say what it may call, and [`SessionPool`] owns the MCP connections behind the door, each inside a task of
//! its own ([`Session`]).

mod auth;
mod call;
#[doc(hidden)]
pub mod cli;
mod component;
mod compose;
mod config;
mod engine;
mod gate;
mod grants;
mod jsonc;
mod limits;
mod pool;
mod run;
mod schema;
mod server;
mod session;
mod shutdown;
mod suite;
mod task;
mod telemetry;
mod web;

pub use auth::{AuthRecord, Authorize, ClientProof, OAuth, OAuthClient, UnusableKey, Vouch};
pub use call::*;
pub use component::{Verdict, Workflow, WorkflowError};
pub use compose::{ComposeError, Layer, Library, SettingsFault, SettingsText, Stack, WacFile};
pub use config::{
    Config, ConfigError, Configured, ConnectionConfig, Environment, Fault, Place, Position,
    Problem, Remark, Server, Warning, WorkflowConfig,
};
pub use engine::{Engine, EngineError};
pub use gate::{Ending, Entry, Progress};
pub use grants::{Grants, GrantsError, Hint, Misfit, Rule, RuleFault, Ruling};
pub use limits::*;
pub use pool::{OnSessionLoss, PooledConnection, Recovery, Replay, SessionLoss, SessionPool};
pub use run::{Run, RunOutcome, RunReport, Stopped, WorkflowFailure};
pub use session::{
    AllowedTools, Connector, Elicitation, EraPolicy, Exit, HttpServer, McpClient, Operation,
    Ordering, Session, SessionOptions, StdioServer, Streams,
};
pub use suite::{CaseReport, Suite, SuiteError, SuiteLayer};
