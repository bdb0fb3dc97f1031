//! Exit codes, and the one place where an error leaves the program.

use std::process::ExitCode;

use super::output;
use crate::shutdown::Interrupted;

/// How a command ended that could do its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    Done = 0,
    OwnFailure = 1,
    Stopped = 3,
    NoConnection = 4,
}

/// An error with the exit code that it means.
#[derive(Debug)]
pub(super) struct Failed {
    code: u8,
    error: anyhow::Error,
}

impl Failed {
    /// Bad usage or configuration.
    pub(super) fn usage(error: anyhow::Error) -> Self {
        Self { code: 2, error }
    }

    /// A connection could not be opened.
    pub(super) fn connection(error: anyhow::Error) -> Self {
        Self { code: Exit::NoConnection as u8, error }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self::usage(error.into())
    }
}

/// Says what is wrong and turns the end of a command into the exit code.
pub(super) fn code(done: super::Done) -> ExitCode {
    match done {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(Failed { code, error }) => {
            output::complain(&format!("{error:#}"));
            let interrupted = error.downcast_ref().map(Interrupted::exit_code);
            ExitCode::from(interrupted.unwrap_or(code))
        }
    }
}

/// Help, version, or what is wrong with the arguments.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    let _nobody_may_read_it = error.print();
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
