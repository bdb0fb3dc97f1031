//! A process that serves over HTTP, and comes back on its port after it was killed.

use std::{
    collections::BTreeMap, ffi::OsString, io, path::PathBuf, process::Stdio, time::Duration,
};

use rustix::process::Pid;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::{sleep, timeout},
};

use super::{line::Servers, processes::Process};

/// How long it may take to say that it listens.
const LISTEN_WITHIN: Duration = Duration::from_secs(15);

/// The server. It is killed when this is dropped.
#[derive(Debug)]
pub(super) struct HttpHost {
    child: Child,
    pub(super) port: u16,
    program: PathBuf,
    arguments: [OsString; 5],
    environment: BTreeMap<OsString, OsString>,
}

impl HttpHost {
    /// Starts one on a free port.
    pub(super) async fn start(servers: &Servers<'_>) -> io::Result<Self> {
        let program = servers.program.to_owned();
        let environment = servers.environment();
        let (child, port) = spawn(&program, &servers.arguments("http", 0), &environment).await?;
        let arguments = servers.arguments("http", port);
        Ok(Self { child, port, program, arguments, environment })
    }

    /// Kills it, and starts it again after a pause. It has forgotten its sessions then.
    pub(super) async fn restart(&mut self, pause: Duration) -> io::Result<()> {
        self.end().await?;
        sleep(pause).await;
        (self.child, self.port) = spawn(&self.program, &self.arguments, &self.environment).await?;
        Ok(())
    }

    /// Kills it.
    pub(super) async fn end(&mut self) -> io::Result<()> {
        self.child.kill().await
    }

    pub(super) fn process(&self) -> Option<Process> {
        let pid = self.child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?))?;
        Some(Process { pid, name: "soak-server".to_owned() })
    }
}

async fn spawn(
    program: &PathBuf,
    arguments: &[OsString],
    environment: &BTreeMap<OsString, OsString>,
) -> io::Result<(Child, u16)> {
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let mut said = String::new();
    timeout(LISTEN_WITHIN, BufReader::new(output).read_line(&mut said)).await??;
    let port = said.trim().parse().map_err(|_| io::Error::other("the server doesn't listen"))?;
    Ok((child, port))
}
