//! The host of sandboxed workflows that call MCP tools through one door.
//!
//! A workflow is a WebAssembly component whose only import is `call-tool`. [`Workflow`] loads and checks one, [`Run`] runs
//! it, [`Grants`] say what it may call, and [`SessionPool`] owns the MCP connections behind the door, each inside a task of
//! its own ([`Session`]).
//!
//! # In a program of your own
//!
//! One [`Engine`] and one [`SessionPool`] serve all runs of a process, any number at once:
//!
//! ```
//! use std::{collections::BTreeMap, time::Duration};
//!
//! use callgate::{
//!     Allocation, ConnectionId, Connector, Engine, EngineOptions, Event, Grants, Json, PooledConnection, Rule, Run, RunEnding,
//!     RunLimits, RunOutcome, SessionPool, StdioServer, Workflow,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Memories and stacks of runs come from a pool; a run that finds it full waits.
//! let mut options = EngineOptions::default();
//! options.allocation = Allocation::Pooled;
//! options.limits.pool.max_places = 100;
//! let engine = Engine::with(options)?;
//!
//! // Compiled once, run often. A file is read by `Workflow::from_file`.
//! let component = wat::parse_str(include_str!("../examples/seven.wat"))?;
//! let workflow = Workflow::from_bytes(&engine, &component)?;
//!
//! // What a workflow may call, by name. Nothing is started before the first call.
//! let server = StdioServer {
//!     command: "callgate".into(),
//!     args: vec!["demo-server".into(), "files".into()],
//!     env: BTreeMap::new(),
//!     cwd: None,
//! };
//! let connection = PooledConnection::new(Connector::stdio(server));
//! let pool = SessionPool::new([(ConnectionId::from("files"), connection)]);
//!
//! let mut limits = RunLimits::default();
//! limits.wall_clock = Duration::from_secs(10);
//! limits.max_memory_bytes = 16 << 20;
//! // What it may call: nothing else.
//! let grants = Grants::none().allow(Rule::new("files/read_*")?);
//! let mut run = Run::new(&workflow, &pool).limits(limits).grants(grants);
//!
//! // `canceller.cancel()` ends the run from anywhere; dropping the future of `start` does too, without a report.
//! let canceller = run.canceller();
//! let mut events = run.events();
//! let (report, told) = tokio::join!(run.start(Json::null()), async {
//!     let mut told = Vec::new();
//!     while let Some(event) = events.next().await {
//!         told.push(event);
//!     }
//!     told
//! });
//!
//! // Done with a result, failed with the workflow's own words, or stopped by the sandbox.
//! let RunOutcome::Done(output) = report.outcome else { panic!("{:?}", report.outcome) };
//! assert_eq!(output.as_str(), "7");
//! // It called nothing, so there is no `Event::Issued` and no entry in `report.calls`.
//! assert_eq!(told, [Event::Ended(RunEnding::Done)]);
//! # drop(canceller);
//! pool.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! The bounds of everything are in [`RunLimits`], [`EngineLimits`] and [`SessionLimits`]. A run ends within milliseconds of
//! its limits, also when its guest never waits; [`Stopped::Limit`] says which it was. Connections that people wrote down for
//! their MCP clients are read by [`Config`].

mod auth;
mod call;
#[cfg(test)]
mod cases;
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
mod script;
mod server;
mod session;
mod shutdown;
mod suite;
mod task;
mod telemetry;
mod types;
mod web;

pub use auth::{AuthRecord, Authorize, ClientProof, OAuth, OAuthClient, UnusableKey, Vouch};
pub use call::*;
pub use component::{Demands, MemoryDemand, TableDemand, Verdict, Workflow, WorkflowError};
pub use compose::{ComposeError, Layer, Library, SettingsFault, SettingsText, Stack, WacFile};
pub use config::{
    Config, ConfigError, Configured, ConnectionConfig, Environment, Fault, Place, Position,
    Problem, Remark, Server, Warning, WorkflowConfig,
};
pub use engine::{Allocation, Engine, EngineError, EngineOptions, WasiPolicy};
pub use gate::{Ending, Entry, Event, Events, Progress, RunEnding};
pub use grants::{Grants, GrantsError, Hint, Misfit, Rule, RuleFault, Ruling};
pub use limits::*;
pub use pool::{OnSessionLoss, PooledConnection, Recovery, Replay, SessionLoss, SessionPool};
pub use run::{
    Canceller, LogEntry, LogStream, Run, RunLogs, RunOutcome, RunReport, Stopped, VirtualWorld,
    WorkflowFailure,
};
pub use script::{Diagnostic, Script, ScriptError, ScriptFault, ScriptReport, ToolNames};
pub use session::{
    AllowedTools, Connector, Elicitation, EraPolicy, Exit, HttpServer, McpClient, Operation,
    Ordering, Session, SessionOptions, StdioServer, Streams,
};
pub use suite::{CaseReport, Suite, SuiteError, SuiteLayer};
