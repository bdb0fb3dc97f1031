//! Tries one fault on Callgate's own host, through the door that everybody uses.

use std::{
    io::{self, BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use callgate::{AuthRecord, Connector, HttpServer, PooledConnection};

use super::HttpFault;
use crate::hostile::{Report, runner};

/// Tries `fault` on a host of its own. `server` is the binary `hostile-http`.
///
/// # Errors
///
/// When the server can't be started or doesn't say where it is.
pub async fn run(fault: &'static HttpFault, server: &Path) -> io::Result<Report> {
    let server = Running::start(server, fault.mode)?;
    let url = server.url.parse().map_err(io::Error::other)?;
    let connection = PooledConnection {
        connector: Connector::http(HttpServer { url }),
        auth: AuthRecord::none().with_bearer("secret").map_err(io::Error::other)?,
        options: runner::impatient(),
        recovery: runner::no_replay(),
    };
    Ok(runner::try_on(fault, connection).await)
}

/// A server process; it ends when this is dropped.
struct Running {
    process: Child,
    url: String,
}

impl Running {
    fn start(server: &Path, mode: &str) -> io::Result<Self> {
        let mut process = Command::new(server).arg(mode).stdout(Stdio::piped()).spawn()?;
        let mut url = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut url)?;
        }
        Ok(Self { process, url: url.trim().to_owned() })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _it_may_have_ended = self.process.kill().and_then(|()| self.process.wait());
    }
}
