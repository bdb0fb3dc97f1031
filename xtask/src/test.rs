//! `cargo xtask test`: everything that CI checks, in the order in which it is cheapest to fail.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use crate::{
    conformance, elsewhere, guests, licences, script::Script, servers, step, wac::Wac,
    workspace::Workspace,
};

/// Check everything that CI checks, and run all tests.
///
/// In this order, ending at the first failure: formatting, licences, clippy, documentation, guests, the runner of scripts (twice,
/// byte for byte), the real MCP servers, the guests in other languages, the `wac` command, documentation tests, the MCP conformance
/// suite, tests (with `cargo nextest` where it is installed, else with `cargo test`). The output ends with the summary of the tests.
#[derive(clap::Args)]
pub(crate) struct Test {}

impl Test {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        step::timed("format", || step::run(workspace.cargo().args(["fmt", "--all", "--check"])))?;
        step::timed("licences", || licences::check(workspace))?;
        step::timed("clippy", || {
            step::run(workspace.cargo().args(CLIPPY).args(["--", "--deny", "warnings"]))
        })?;
        step::timed("documentation", || {
            step::run(workspace.cargo().args(DOCUMENTATION).env("RUSTDOCFLAGS", "-D warnings"))
        })?;
        step::timed("guests", || guests::build(workspace))?;
        step::timed("runner of scripts", || Script { check: true }.run(workspace))?;
        step::timed("servers", || servers::install(workspace))?;
        step::timed("guests in other languages", || elsewhere::build(workspace))?;
        step::timed("wac", || Wac {}.run(workspace))?;
        step::timed("documentation tests", || {
            step::run(workspace.cargo().args(["test", "--workspace", "--doc"]))
        })?;
        step::timed("conformance", || conformance::run(workspace, &[]))?;
        println!("== tests");
        run_tests(workspace)
    }
}

const CLIPPY: [&str; 3] = ["clippy", "--workspace", "--all-targets"];
const DOCUMENTATION: [&str; 4] = ["doc", "--workspace", "--no-deps", "--document-private-items"];

/// The last step: its summary must be the last thing printed.
fn run_tests(workspace: &Workspace) -> Result<()> {
    if step::answers(workspace.cargo().args(["nextest", "--version"])) {
        return step::run(workspace.cargo().args([
            "nextest",
            "run",
            "--workspace",
            "--no-fail-fast",
        ]));
    }
    println!("cargo-nextest is not installed: using cargo test.");
    let mut cargo = workspace.cargo();
    cargo.args(["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"]);
    run_and_sum(&mut cargo)
}

/// Runs `cargo test`, which closes once per binary, and closes once for all of them.
fn run_and_sum(cargo: &mut Command) -> Result<()> {
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("starting cargo test")?;
    let output = child.stdout.take().context("the output of cargo test was piped above")?;
    let mut totals = Totals::default();
    for line in BufReader::new(output).lines() {
        let line = line.context("reading the output of cargo test")?;
        totals.add(&line);
        println!("{line}");
    }
    std::io::stdout().flush().context("printing the output of cargo test")?;
    let status = child.wait().context("waiting for cargo test")?;
    println!("{} passed, {} failed", totals.passed, totals.failed);
    if !status.success() {
        bail!("cargo test ended with {status}");
    }
    if totals.passed == 0 {
        bail!("no test ran");
    }
    Ok(())
}

/// What the closing lines of all test binaries add up to.
#[derive(Debug, Default, PartialEq)]
struct Totals {
    passed: u64,
    failed: u64,
}

impl Totals {
    /// Adds one line, when it is a closing line: `test result: ok. 3 passed; 0 failed; ...`.
    fn add(&mut self, line: &str) {
        let Some((_, counts)) =
            line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for count in counts.split("; ") {
            match count.split_once(' ') {
                Some((number, "passed")) => self.passed += number.parse::<u64>().unwrap_or(0),
                Some((number, "failed")) => self.failed += number.parse::<u64>().unwrap_or(0),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_lines_of_all_binaries_add_up() {
        let mut totals = Totals::default();

        totals.add("running 3 tests");
        totals.add("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; finished in 0.01s");
        totals
            .add("test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; finished in 1s");

        assert_eq!(totals, Totals { passed: 7, failed: 2 });
    }
}
