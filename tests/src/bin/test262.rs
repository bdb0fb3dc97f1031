//! `test262 DIR --failures FILE --cache DIR [--filter TEXT]`: runs the official tests of ECMAScript from a checkout, prints what
//! came of them, and fails when too few of those that are claimed pass, or when one makes the host panic or hang.

use std::{
    fmt::Write as _,
    fs,
    io::{self, IsTerminal as _, Write as _},
    path::PathBuf,
    process::ExitCode,
    thread,
    time::Instant,
};

use anyhow::Context as _;
use callgate_tests::test262::{PASS_RATE, Suite, Tally, Verdict};
use clap::Parser;
use futures::{StreamExt as _, stream};

/// How often a person is told how far it is.
const TOLD_EVERY: usize = 500;

/// Run the official tests of ECMAScript.
#[derive(Parser)]
struct Arguments {
    /// The checkout of tc39/test262.
    checkout: PathBuf,
    /// The file for the tests that failed, with the reasons.
    #[arg(long)]
    failures: PathBuf,
    /// The folder for compiled components.
    #[arg(long)]
    cache: PathBuf,
    /// Only tests with this in their path.
    #[arg(long, default_value = "")]
    filter: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let Arguments { checkout, failures, cache, filter } = Arguments::parse();
    let started = Instant::now();
    let no_suite = || format!("{} is no checkout of test262", checkout.display());
    let suite = Suite::open(&checkout, cache).with_context(no_suite)?;
    let tests = suite.tests(&filter).with_context(no_suite)?;
    anyhow::ensure!(!tests.is_empty(), "no test has {filter} in its path");

    let mut tally = Tally::default();
    let mut text = String::new();
    let at_once = thread::available_parallelism()?.get();
    let mut tried = stream::iter(&tests)
        .map(async |path| (path, suite.try_test(path).await))
        .buffered(at_once)
        .enumerate();
    while let Some((number, (path, verdict))) = tried.next().await {
        let verdict = verdict.with_context(|| format!("can't run {path}"))?;
        tally.add(path, &verdict);
        tell_failure(&mut text, path, &verdict);
        if number % TOLD_EVERY == 0 && io::stderr().is_terminal() {
            eprint_progress(number, tests.len());
        }
    }
    fs::write(&failures, text).with_context(|| format!("can't write {}", failures.display()))?;

    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{tally}\n{} tests in {:.0?}", tests.len(), started.elapsed())?;
    // Of a part of the suite nothing is claimed.
    let is_enough = !filter.is_empty() || tally.pass_rate() >= PASS_RATE;
    if !is_enough {
        writeln!(stdout, "of what is claimed, {:.2} % have to pass", PASS_RATE * 100.0)?;
    }
    Ok(if is_enough && tally.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn eprint_progress(number: usize, all: usize) {
    let _a_person_who_left_needs_no_progress = write!(io::stderr(), "\r{number} of {all}\r");
}

fn tell_failure(text: &mut String, path: &str, verdict: &Verdict) {
    let (what, why) = match verdict {
        Verdict::Failed(why) => ("failed", why),
        Verdict::PassedAsGlobalCode(why) => ("only as global code", why),
        Verdict::Wrong(why) => ("WRONG", why),
        Verdict::Passed | Verdict::Unclaimed { .. } => return,
    };
    // One line for each.
    let why = why.lines().next().unwrap_or_default();
    let _a_string_takes_everything = writeln!(text, "{path}: {what}: {why}");
}
