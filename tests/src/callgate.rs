//! The `callgate` command as the tests start it.

use std::process::ExitCode;

fn main() -> ExitCode {
    callgate::cli::main()
}
