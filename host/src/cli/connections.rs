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
    config::{Config, Environment},
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
    file: File,
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

impl Arguments {
    /// As [`pool`](Self::pool), and without any connection where no file is named and there is none: a workflow that calls
    /// nothing needs none.
    pub(super) fn pool_if_any(&self) -> anyhow::Result<(SessionPool, Vec<ConnectionId>)> {
        if self.file.config.is_none() && !Path::new(DEFAULT_FILE).exists() {
            return Ok((SessionPool::new([]), Vec::new()));
        }
        self.pool()
    }

    /// Reads the file and makes the pool. Nothing is opened yet. The list names the connections that have to open.
    pub(super) fn pool(&self) -> anyhow::Result<(SessionPool, Vec<ConnectionId>)> {
        let config = self.file.read()?;
        let required = config.required().cloned().collect();
        Ok((config.into_pool(self.call_timeout), required))
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
