//! From the configuration file to a pool.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use futures::future::join_all;

use super::{exit::Failed, output};
use crate::{
    call::ConnectionId,
    config::{Config, Environment, WorkflowConfig},
    pool::SessionPool,
};

/// The file that says which connections there are.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct File {
    /// The servers: an `.mcp.json`, `mcpServers` or VS Code `servers` file
    /// [default: .mcp.json]
    #[arg(long, short, value_name = "FILE", env = "CALLGATE_CONFIG")]
    config: Option<PathBuf>,
}

/// Read where no other file is named.
const DEFAULT_FILE: &str = ".mcp.json";

/// Where the connections come from.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) file: File,
    /// How long one call may take, queue, connect and answer included, where the file says nothing
    #[arg(long, value_name = "DURATION", value_parser = super::units::duration)]
    call_timeout: Option<Duration>,
}

impl File {
    /// Reads and checks the file; what is odd in it goes to stderr.
    pub(super) fn read(&self) -> anyhow::Result<Config> {
        let path = self.config.as_deref().unwrap_or(Path::new(DEFAULT_FILE));
        let config = Config::load(path, &Environment::of_process())
            .context("the configuration can't be used")?;
        for warning in &config.warnings {
            output::warn(&warning.to_string());
        }
        Ok(config)
    }
}

/// What a file says for one workflow.
pub(super) struct ForWorkflow {
    /// Nothing in it is open yet.
    pub(super) pool: SessionPool,
    /// The connections that have to open.
    pub(super) required: Vec<ConnectionId>,
    /// All that can be opened.
    pub(super) enabled: Vec<ConnectionId>,
    pub(super) workflow: WorkflowConfig,
}

impl Arguments {
    /// What the file says for the workflow in `path`. Without any connection where no file is named and there is none: a
    /// workflow that calls nothing needs none.
    pub(super) fn for_workflow(&self, path: &Path) -> anyhow::Result<ForWorkflow> {
        if self.file.config.is_none() && !Path::new(DEFAULT_FILE).exists() {
            return Ok(ForWorkflow {
                pool: SessionPool::new([]),
                required: Vec::new(),
                enabled: Vec::new(),
                workflow: WorkflowConfig::default(),
            });
        }
        let config = self.file.read()?;
        Ok(ForWorkflow {
            required: config.required().cloned().collect(),
            enabled: config.enabled().cloned().collect(),
            workflow: config.workflow(path).cloned().unwrap_or_default(),
            pool: config.into_pool(self.call_timeout),
        })
    }

    /// Reads the file and makes the pool. Nothing is opened yet.
    pub(super) fn pool(&self) -> anyhow::Result<SessionPool> {
        Ok(self.file.read()?.into_pool(self.call_timeout))
    }
}

/// Opens the connections that a run is no use without, all at the same time.
pub(super) async fn open_required(
    pool: &SessionPool,
    required: &[ConnectionId],
) -> Result<(), Failed> {
    let opened = join_all(required.iter().map(|id| async move {
        let session = pool.session(id).map_err(|error| error.to_string())?;
        session.ready().await.map_err(|failure| failure.to_string())
    }));
    for (id, opened) in required.iter().zip(opened.await) {
        if let Err(why) = opened {
            return Err(Failed::connection(anyhow::anyhow!("{id} is required: {why}")));
        }
    }
    Ok(())
}
