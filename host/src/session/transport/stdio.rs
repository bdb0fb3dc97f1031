//! A server that is a child process: starts it and connects to its standard input and output.

use tokio::process::{ChildStdin, ChildStdout};

use crate::{
    limits::SessionLimits,
    session::{
        connect::StdioServer,
        transport::{
            Ended,
            framing::{Closing, FramedTransport},
            process::{NotStarted, ServerProcess, start},
        },
    },
};

/// Starts `server`. The transport is for rmcp; the process is for the owner of the session, who has to
/// [shut it down](ServerProcess::shutdown) at the end, whatever happened. `ended` is told once why the connection ended.
///
/// # Errors
///
/// When the program can't be found or started; the detail says where it was looked for.
pub(crate) fn open(
    server: &StdioServer,
    limits: &SessionLimits,
    ended: Ended,
) -> Result<(FramedTransport<ChildStdout, ChildStdin>, ServerProcess), NotStarted> {
    let closing = Closing::default();
    let started = start(server, limits, closing.clone())?;
    let transport = FramedTransport::to_process(
        started.stdout,
        started.stdin,
        limits,
        ended,
        closing,
        started.last_words,
    );
    let process =
        ServerProcess::new(started.group, started.exit, transport.closer(), started.stderr, limits);
    Ok((transport, process))
}
