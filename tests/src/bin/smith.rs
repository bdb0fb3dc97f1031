//! `smith [--seeds N] [--first S]`: tries the host on components that chance makes, seed by seed, and prints what came of
//! them. It fails if one of them came to something that has no name, or to nothing in time.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Instant,
};

use callgate_tests::smith::{Smith, Tally};
use clap::Parser;
use futures::{StreamExt as _, stream};

/// Seeds that are tried at the same time.
const AT_ONCE: usize = 4;

/// Try the host on components that chance makes.
#[derive(Parser)]
struct Arguments {
    /// How many seeds to try.
    #[arg(long, default_value_t = 10_000)]
    seeds: u64,
    /// The first of them.
    #[arg(long, default_value_t = 0)]
    first: u64,
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { seeds, first } = Arguments::parse();
    let started = Instant::now();
    let smith = Smith::new();
    let mut tally = Tally::default();
    let seeds = first..first.saturating_add(seeds);
    let mut tried = stream::iter(seeds.clone())
        .map(|seed| {
            let smith = &smith;
            async move { (seed, smith.try_seed(seed).await) }
        })
        .buffer_unordered(AT_ONCE);
    while let Some((seed, came)) = tried.next().await {
        tally.add(seed, came);
    }

    let count = seeds.end - seeds.start;
    let _a_reader_that_leaves_has_read_enough =
        writeln!(io::stdout(), "{tally}\n{count} seeds in {:.1?}", started.elapsed());
    if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
