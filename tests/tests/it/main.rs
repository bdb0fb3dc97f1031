//! The integration tests, one binary, one module per topic.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "all of this crate is test code, its helping functions too"
)]

mod agent_scripts;
mod allowed;
#[cfg(unix)]
mod cache;
mod cli;
mod composed;
mod embedding;
mod grants;
#[cfg(unix)]
mod hostile;
mod hostile_guests;
#[cfg(unix)]
mod hostile_http;
mod hostile_scripts;
mod layers;
mod limits;
mod pool;
mod real_servers;
mod recovery;
mod run;
mod script;
mod session;
mod smith;
mod tidy;
mod wasi;
mod workflows;
