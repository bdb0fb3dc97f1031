//! The configuration: from a file that people already have for their MCP clients to checked connections.
//!
//! A file that says something wrong is refused as a whole, with all that is wrong in it. What only this machine lacks,
//! such as a variable that isn't set, puts one connection out of use and leaves the others alone. Nothing is started or
//! connected to here. `docs/configuration.md` is the reference of the keys.

mod child_env;
mod document;
mod entry;
mod environment;
mod error;
mod expand;
mod fault;
mod http;
mod inputs;
mod oauth;
mod pooled;
mod stdio;
mod value;
mod workflows;

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use crate::{
    auth::AuthRecord,
    call::ConnectionId,
    config::{
        document::{Entry, Findings},
        expand::Expander,
        inputs::Inputs,
        value::Values,
    },
    limits::ConfigLimits,
    pool::{OnSessionLoss, Replay},
    session::{Elicitation, EraPolicy, HttpServer, Ordering, StdioServer},
};

pub use environment::Environment;
pub use error::{ConfigError, Place, Position, Problem, Remark, Warning};
pub use fault::Fault;
pub use workflows::WorkflowConfig;

/// What one configuration file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The file.
    pub file: PathBuf,
    /// Every server of the file by its name, also those that can't be used.
    pub connections: BTreeMap<ConnectionId, Configured>,
    /// What the file says of workflows, by their names.
    pub workflows: BTreeMap<String, WorkflowConfig>,
    /// What is odd in the file, in its order.
    pub warnings: Vec<Warning>,
}

/// What the file says of one connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Configured {
    /// It can be opened.
    Ready(Box<ConnectionConfig>),
    /// The file itself disables it.
    Disabled,
    /// Something that it needs isn't there, on this machine or at this time: at least one problem.
    Unusable(Vec<Problem>),
}

/// One connection, checked and complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConnectionConfig {
    /// The name that calls use.
    pub id: ConnectionId,
    /// What to start or where to connect.
    pub server: Server,
    /// The credentials; none for a child process, whose environment has them.
    pub auth: AuthRecord,
    /// How far calls may overlap at the server.
    pub ordering: Ordering,
    /// Which calls may be made again when a session stopped before their answer.
    pub replay: Replay,
    /// What happens to a run that loses a session.
    pub on_session_loss: OnSessionLoss,
    /// Which era of MCP is spoken.
    pub era: EraPolicy,
    /// What is answered when the server asks for input from a person.
    pub elicitation: Elicitation,
    /// The only tools that may be called, where the file names some; an empty list is no tool at all.
    pub enabled_tools: Option<Vec<String>>,
    /// Tools that may not be called, whatever `enabled_tools` says.
    pub disabled_tools: Vec<String>,
    /// Whether arguments may be held against the server's input schemas before they are sent.
    pub checks_arguments: bool,
    /// In place of [`connect_timeout`](crate::SessionLimits::connect_timeout).
    pub startup_timeout: Option<Duration>,
    /// In place of [`call_timeout`](crate::SessionLimits::call_timeout).
    pub tool_timeout: Option<Duration>,
    /// In place of [`idle_timeout`](crate::SessionLimits::idle_timeout).
    pub idle_timeout: Option<Duration>,
    /// Whether a run is no use without this connection: open it first, and fail when it can't be opened.
    pub required: bool,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Server {
    /// As a child process.
    Stdio(StdioServer),
    /// By streamable HTTP.
    Http(HttpServer),
}

impl Config {
    /// Reads and checks a file.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Unreadable`] and [`ConfigError::TooLarge`] for a file that isn't read, and those of [`Config::parse`].
    pub fn load(path: &Path, environment: &Environment) -> Result<Self, ConfigError> {
        Self::load_within(path, environment, &ConfigLimits::default())
    }

    fn load_within(
        path: &Path,
        environment: &Environment,
        limits: &ConfigLimits,
    ) -> Result<Self, ConfigError> {
        let file = path.to_owned();
        let max_file_bytes = limits.max_file_bytes;
        let bytes = match child_env::read_bounded(path, max_file_bytes) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Err(ConfigError::TooLarge { file, max_file_bytes }),
            Err(source) => return Err(ConfigError::Unreadable { file, source }),
        };
        match str::from_utf8(&bytes) {
            Ok(text) => Self::parse_within(text, path, environment, limits),
            Err(error) => {
                let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                let at = Position::of(&valid, valid.len());
                let detail = "this isn't UTF-8: save the file as UTF-8".to_owned();
                Err(ConfigError::NotJson { file, at, detail })
            }
        }
    }

    /// Checks the text of a file. `origin` is the file's path: errors name it, and relative paths start at its folder.
    ///
    /// # Errors
    ///
    /// [`ConfigError::NotJson`] and [`ConfigError::Invalid`]: mend the file.
    pub fn parse(
        text: &str,
        origin: &Path,
        environment: &Environment,
    ) -> Result<Self, ConfigError> {
        Self::parse_within(text, origin, environment, &ConfigLimits::default())
    }

    fn parse_within(
        text: &str,
        origin: &Path,
        environment: &Environment,
        limits: &ConfigLimits,
    ) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document = document::parse(text, origin)?;
        let mut findings = Findings::new(Arc::from(origin), text);
        let mut connections = BTreeMap::new();
        let mut workflows = BTreeMap::new();
        if let Some(mut file) = findings.root(document.as_ref()) {
            let inputs = Inputs::read(&mut file, &mut findings);
            // A path without a folder has no absolute form only where there is no current folder.
            let file_path = std::path::absolute(origin).unwrap_or_else(|_| PathBuf::from(origin));
            let workspace = value::workspace_of(&file_path);
            let expander = Expander { environment, inputs: &inputs, workspace };
            let values = Values { environment, limits, expander };
            workflows = workflows::read(&mut file, limits, &mut findings);
            connections = read_servers(&mut file, &values, &mut findings);
        }
        conclude(origin, connections, workflows, findings)
    }
}

fn read_servers<'a>(
    file: &mut Entry<'a>,
    values: &Values<'_>,
    findings: &mut Findings<'a>,
) -> BTreeMap<ConnectionId, Configured> {
    let mut connections = BTreeMap::new();
    let mut earlier: Option<Entry<'a>> = None;
    if !file.has("mcpServers") && !file.has("servers") {
        findings.problem(file.spot(), Fault::NoServers);
    }
    for key in ["mcpServers", "servers"] {
        let Some(servers) = file.entry(key, findings) else { continue };
        for (name, value, spot) in servers.members() {
            if name.is_empty() || name.contains(char::is_control) {
                findings.problem(&spot, Fault::BadName);
                continue;
            }
            let id = ConnectionId::from(name);
            if earlier.as_ref().is_some_and(|earlier| earlier.has(name)) {
                findings.problem(&spot, Fault::Collision { other: format!("mcpServers.{name}") });
            }
            if let Some(entry) = findings.server(&id, value) {
                connections.insert(id.clone(), entry::read(id, entry, values, findings));
            }
        }
        earlier = Some(servers);
    }
    for (key, spot) in file.unasked() {
        if key != "$schema" {
            findings.warning(&spot, Remark::UnknownKey);
        }
    }
    connections
}

/// Tells what makes the whole file unusable from what concerns one connection.
fn conclude(
    origin: &Path,
    connections: BTreeMap<ConnectionId, Configured>,
    workflows: BTreeMap<String, WorkflowConfig>,
    findings: Findings<'_>,
) -> Result<Config, ConfigError> {
    let Findings { mut problems, mut warnings, lacks_required, .. } = findings;
    if lacks_required || problems.iter().any(|problem| !problem.fault.is_of_the_surroundings()) {
        problems.sort_by_key(|problem| problem.place.at);
        return Err(ConfigError::Invalid { file: origin.to_owned(), problems });
    }
    warnings.sort_by_key(|warning| warning.place.at);
    Ok(Config { file: origin.to_owned(), connections, workflows, warnings })
}
