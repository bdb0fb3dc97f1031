//! The task runner of this repository: `cargo xtask VERB`, one file per verb.
//!
//! It depends on neither the sandbox nor the MCP client, so that it is built in seconds on a fresh machine.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task runner talks to the person who started it"
)]

mod bench;
mod conformance;
mod demo;
mod density;
mod dist;
mod elsewhere;
mod guests;
mod hostile;
mod licences;
mod markdown;
mod package;
mod peers;
mod script;
mod servers;
mod smith;
mod soak;
mod step;
mod test;
mod test262;
mod wac;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

/// The tasks of this repository.
///
/// On a fresh machine with rustup, start with `cargo xtask demo`, then `cargo xtask test`.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Demo(demo::Demo),
    Test(test::Test),
    Guests(guests::Guests),
    Script(script::Script),
    Dist(dist::Dist),
    Package(package::Package),
    Wac(wac::Wac),
    Servers(servers::Servers),
    Bench(bench::Bench),
    Density(density::Density),
    Peers(peers::Peers),
    Hostile(hostile::Hostile),
    Smith(smith::Smith),
    Test262(test262::Test262),
    Conformance(conformance::Conformance),
    Soak(soak::Soak),
    Licences(licences::Licences),
}

fn main() -> ExitCode {
    match run(Arguments::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(verb: Verb) -> Result<()> {
    let workspace = Workspace::find()?;
    match verb {
        Verb::Demo(verb) => verb.run(&workspace),
        Verb::Test(verb) => verb.run(&workspace),
        Verb::Guests(verb) => verb.run(&workspace),
        Verb::Script(verb) => verb.run(&workspace),
        Verb::Dist(verb) => verb.run(&workspace),
        Verb::Package(verb) => verb.run(&workspace),
        Verb::Wac(verb) => verb.run(&workspace),
        Verb::Servers(verb) => verb.run(&workspace),
        Verb::Bench(verb) => verb.run(&workspace),
        Verb::Density(verb) => verb.run(&workspace),
        Verb::Peers(verb) => verb.run(&workspace),
        Verb::Hostile(verb) => verb.run(&workspace),
        Verb::Smith(verb) => verb.run(&workspace),
        Verb::Test262(verb) => verb.run(&workspace),
        Verb::Conformance(verb) => verb.run(&workspace),
        Verb::Soak(verb) => verb.run(&workspace),
        Verb::Licences(verb) => verb.run(&workspace),
    }
}
