//! Logs: to stderr, by a filter, never to stdout.

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::cli::output;

/// Sends the log to stderr.
///
/// # Errors
///
/// When the filter is none, or a log is set up already.
pub(crate) fn log_to_stderr(filter: &str) -> anyhow::Result<()> {
    let filter =
        EnvFilter::try_new(filter).with_context(|| format!("{filter:?} is not a log filter"))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(output::log)
        .try_init()
        .map_err(|error| anyhow::anyhow!(error))
        .context("the log can't be set up")
}
