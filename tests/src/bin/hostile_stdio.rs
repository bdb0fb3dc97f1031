//! `hostile-stdio MODE`: an MCP server over standard input and output that misbehaves in one way. `--list` names the ways.

use std::{env, io, process::ExitCode};

use callgate_tests::hostile::{self, Phased as _};

fn main() -> ExitCode {
    let mode = env::args().nth(1).unwrap_or_default();
    if let Some(fault) = hostile::find(&mode) {
        hostile::serve(fault);
        return ExitCode::SUCCESS;
    }
    match mode.as_str() {
        "--list" => say(io::stdout(), &list()),
        "--table" => say(
            io::stdout(),
            &hostile::faults().map(|fault| fault.row() + "\n").collect::<String>(),
        ),
        _ => {
            say(
                io::stderr(),
                &format!("usage: hostile-stdio MODE | --list | --table\n\n{}", list()),
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn list() -> String {
    let line = |fault: &hostile::Fault| {
        format!("{:<22} {:<9} {}\n", fault.mode, fault.act.phase(), fault.why)
    };
    hostile::faults().map(line).collect()
}

fn say(mut stream: impl io::Write, text: &str) {
    let _a_reader_that_leaves_has_read_enough = stream.write_all(text.as_bytes());
}
