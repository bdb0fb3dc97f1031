//! `soak-server stdio|http LEDGER SEED PORT SPOIL`: an MCP server of the soak; `soak` starts it.

use std::{env, path::Path, process::ExitCode};

use callgate_tests::soak::{Spoil, Tools, serve_http, serve_stdio};

#[expect(clippy::print_stderr, reason = "the one who started it wants to know")]
fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soak-server: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> anyhow::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [transport, ledger, seed, port, spoil] = words.as_slice() else {
        anyhow::bail!("usage: soak-server stdio|http LEDGER SEED PORT SPOIL");
    };
    let spoil = match spoil.as_str() {
        "nothing" => None,
        name => Some(name.parse::<Spoil>()?),
    };
    let tools = Tools::open(Path::new(ledger), seed.parse()?, spoil)?;
    match transport.as_str() {
        "stdio" => serve_stdio(tools),
        "http" => serve_http(tools, port.parse()?)?,
        other => anyhow::bail!("no transport is called {other:?}"),
    }
    Ok(())
}
