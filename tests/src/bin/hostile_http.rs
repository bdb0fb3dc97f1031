//! `hostile-http MODE`: an MCP server over HTTP that misbehaves in one way. `--list` names the ways.

use std::{env, io, process::ExitCode, thread};

use callgate_tests::{
    hostile::Phased as _,
    hostile_http::{self, Act, HttpFault, Server},
};

fn main() -> ExitCode {
    let mode = env::args().nth(1).unwrap_or_default();
    if let Some(fault) = hostile_http::find(&mode) {
        return match serve(fault) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    match mode.as_str() {
        "--list" => say(io::stdout(), &list()),
        "--table" => say(
            io::stdout(),
            &hostile_http::faults().map(|fault| fault.row() + "\n").collect::<String>(),
        ),
        _ => {
            say(
                io::stderr(),
                &format!("usage: hostile-http MODE | --list | --table\n\n{}", list()),
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Says where the server can be reached, and serves until somebody ends the process.
fn serve(fault: &'static HttpFault) -> io::Result<()> {
    if let Act::Start(act) = fault.act {
        say(io::stdout(), &format!("{}\n", act()?));
        loop {
            thread::park();
        }
    }
    let server = Server::bind(fault)?;
    say(io::stdout(), &format!("{}\n", server.url()?));
    server.serve();
    Ok(())
}

fn list() -> String {
    let line =
        |fault: &HttpFault| format!("{:<22} {:<9} {}\n", fault.mode, fault.act.phase(), fault.why);
    hostile_http::faults().map(line).collect()
}

fn say(mut stream: impl io::Write, text: &str) {
    let _a_reader_that_leaves_has_read_enough =
        stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}
