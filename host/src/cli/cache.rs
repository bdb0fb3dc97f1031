//! `--cache-dir` and `--no-cache`: where compiled components are kept.

use std::path::PathBuf;

use crate::config::Environment;

/// Where what was compiled is kept, for every command that compiles.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// Compile, and keep nothing of it
    #[arg(long, conflicts_with = "cache_dir")]
    no_cache: bool,
    /// The folder for compiled workflows; nobody else may have access to it
    /// [default: callgate in XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
}

impl Arguments {
    /// The folder, where there is one.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        if self.no_cache {
            return None;
        }
        self.cache_dir.clone().or_else(|| Environment::of_process().cache_folder())
    }
}
