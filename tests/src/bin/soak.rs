//! `soak`: makes load on the host for a while, as its servers fail at random, and accounts for every call at the end.

use std::{
    env,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::{Context as _, Result};
use callgate_tests::soak::{Faults, Settings, Spoil, soak};
use clap::Parser;

/// Threads of the host.
const THREADS: usize = 2;

/// Makes load on the host for a while, as its servers fail at random, and accounts for every call at the end.
#[derive(Parser)]
struct Arguments {
    /// How long it makes load.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// What chance starts from; another one each time if it isn't given.
    #[arg(long)]
    seed: Option<u64>,
    /// Workflows that run at the same time.
    #[arg(long, default_value_t = 16)]
    runs: usize,
    /// Callers beside them.
    #[arg(long, default_value_t = 16)]
    callers: usize,
    /// Milliseconds that an answer may come after its deadline.
    #[arg(long, default_value_t = 500)]
    slack_ms: u64,
    /// MiB that the memory may be larger at the end than after the first round.
    #[arg(long, default_value_t = 32)]
    memory_mib: u64,
    /// Makes one thing wrong on purpose: twice, lie, silence, process, descriptor, task or memory.
    #[arg(long)]
    spoil: Option<Spoil>,
}

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it talks to the person who started it"
)]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let seed = arguments.seed.unwrap_or_else(new_seed);
    println!("seed {seed}");
    let faults = Arc::new(Faults::default());
    let figures = match run(arguments, seed, &faults) {
        Ok(figures) => figures,
        Err(error) => {
            eprintln!("soak: {error:#}; seed {seed}");
            return ExitCode::FAILURE;
        }
    };
    print!("{}", figures);
    if faults.count() == 0 {
        println!("soak: {} calls accounted for", figures.calls());
        return ExitCode::SUCCESS;
    }
    faults.first().iter().for_each(|fault| println!("BAD {fault}"));
    println!("soak: {} faults in {} calls; seed {seed}", faults.count(), figures.calls());
    ExitCode::FAILURE
}

fn run(
    arguments: Arguments,
    seed: u64,
    faults: &Arc<Faults>,
) -> Result<callgate_tests::soak::Figures> {
    let settings = Settings {
        duration: Duration::try_from_secs_f64(arguments.minutes * 60.0).context("--minutes")?,
        seed,
        runs: arguments.runs,
        callers: arguments.callers,
        slack: Duration::from_millis(arguments.slack_ms),
        memory_mib: arguments.memory_mib,
        spoil: arguments.spoil,
        server: beside("soak-server")?,
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(THREADS).enable_all().build()?.block_on(soak(settings, faults))
}

/// Another binary of this package.
fn beside(name: &str) -> Result<PathBuf> {
    let here = env::current_exe().context("the system doesn't say which file this is")?;
    Ok(here.with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ now.as_secs()
}
