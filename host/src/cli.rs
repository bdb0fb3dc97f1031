//! The command line: arguments, one file per subcommand, and the exit code.

mod bindings;
mod cache;
mod call;
mod catalogues;
mod check;
mod componentize;
mod compose;
mod connections;
mod demo_server;
mod doctor;
mod exit;
mod grants;
mod input;
mod limits;
pub(crate) mod output;
mod progress;
mod run;
mod script;
mod test;
mod tools;
mod types;
mod units;
mod wasi;
mod with;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::exit::{Exit, Failed};

/// Runs sandboxed workflows that call MCP tools through one door.
#[derive(Parser)]
#[command(name = "callgate", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// What to log to stderr, for example `callgate=debug` (also CALLGATE_LOG)
    #[arg(
        long,
        global = true,
        value_name = "FILTER",
        env = "CALLGATE_LOG",
        default_value = "warn,rmcp=error"
    )]
    log: String,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  the workflow, or the tool, reports its own failure; a test failed
  2  bad usage or configuration; nothing was run
  3  the sandbox stopped the run: a limit, a trap, a result that is not JSON
  4  a connection could not be opened
  130, 143  a signal ended it (SIGINT, SIGTERM)";

#[derive(Subcommand)]
enum Command {
    // In a box, because it has most of the options by far.
    Run(Box<run::Arguments>),
    Call(call::Arguments),
    Tools(tools::Arguments),
    Types(types::Arguments),
    Bindings(bindings::Arguments),
    Doctor(doctor::Arguments),
    Test(test::Arguments),
    Check(check::Arguments),
    Compose(compose::Arguments),
    Componentize(componentize::Arguments),
    DemoServer(demo_server::Arguments),
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return exit::usage(&error),
    };
    if let Err(error) = crate::telemetry::log_to_stderr(&arguments.log) {
        return exit::code(Err(Failed::usage(error)));
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return exit::code(Err(Failed::usage(error.into()))),
    };
    let done = runtime.block_on(async {
        match arguments.command {
            Command::Run(arguments) => Box::pin(run::run(*arguments)).await,
            Command::Call(arguments) => call::call(arguments).await,
            Command::Tools(arguments) => tools::tools(arguments).await,
            Command::Types(arguments) => types::types(arguments).await,
            Command::Bindings(arguments) => bindings::bindings(arguments).await,
            Command::Doctor(arguments) => doctor::doctor(arguments).await,
            Command::Test(arguments) => test::test(arguments).await,
            Command::Compose(arguments) => compose::compose(&arguments),
            Command::Check(arguments) => check::check(&arguments).await,
            Command::Componentize(arguments) => componentize::componentize(&arguments),
            Command::DemoServer(arguments) => demo_server::serve(arguments).await,
        }
    });
    // A blocking read of stdin can't be interrupted; the process ends without waiting for it.
    runtime.shutdown_background();
    exit::code(done)
}

/// What a subcommand comes to.
type Done = Result<Exit, Failed>;
