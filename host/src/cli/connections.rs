//! From the configuration file to a pool.

use std::{path::PathBuf, time::Duration};

use anyhow::Context;

use super::output;
use crate::{
    config::{Config, Environment},
    pool::SessionPool,
};

/// Where the connections come from.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The servers: an `.mcp.json`, `mcpServers` or VS Code `servers` file
    #[arg(long, short, value_name = "FILE", env = "CALLGATE_CONFIG", default_value = ".mcp.json")]
    config: PathBuf,
    /// How long one call may take, queue, connect and answer included, where the file says nothing
    #[arg(long, value_name = "DURATION", value_parser = super::units::duration)]
    call_timeout: Option<Duration>,
}

impl Arguments {
    /// Reads the file and makes the pool. Nothing is opened yet.
    pub(super) fn pool(&self) -> anyhow::Result<SessionPool> {
        let config = Config::load(&self.config, &Environment::of_process())
            .context("the configuration can't be used")?;
        for warning in &config.warnings {
            output::warn(&warning.to_string());
        }
        Ok(config.into_pool(self.call_timeout))
    }
}
