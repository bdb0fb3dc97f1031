//! A soak: the host under load from many runs, while its servers are killed, stalled, restarted and misbehave at random.
//!
//! It goes in rounds. A round has a pool, servers and a ledger of its own; at its end the pool is closed under load, every
//! call is accounted for, and nothing may be left. [`soak`] is the host's side, [`serve_stdio`] and [`serve_http`] are the
//! servers of the binary `soak-server`.

mod accounts;
mod callers;
mod chaos;
mod faults;
mod figures;
mod http_host;
mod http_server;
mod latency;
mod leavings;
mod ledger;
mod line;
mod mood;
mod plan;
mod processes;
mod register;
mod round;
mod run_report;
mod runs;
mod settings;
mod stdio_server;
mod told;
mod tools;

pub use self::{
    faults::Faults,
    figures::Figures,
    http_server::serve as serve_http,
    round::soak,
    settings::{Settings, Spoil, UnknownSpoil},
    stdio_server::serve as serve_stdio,
    tools::Tools,
};
