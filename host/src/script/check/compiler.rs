//! The compiler of the user: where it is, and one run of it.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Stdio,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::Command,
};

use super::CheckError;
use crate::limits::CheckLimits;

/// The program's name.
const TSC: &str = if cfg!(windows) { "tsc.cmd" } else { "tsc" };

/// A `tsc` that is there.
pub(super) struct Compiler {
    program: PathBuf,
}

/// What it printed, and how it ended.
pub(super) struct Output {
    pub(super) text: String,
    pub(super) is_success: bool,
}

impl Compiler {
    /// The one of the project that the script is in; else the first in the search path.
    pub(super) fn find(script: &Path, search: &OsStr) -> Option<Self> {
        let script = std::path::absolute(script).ok()?;
        let own = script.ancestors().skip(1).map(|folder| folder.join("node_modules/.bin"));
        let all = own.chain(std::env::split_paths(search));
        let program = all.map(|folder| folder.join(TSC)).find(|program| program.is_file())?;
        Some(Self { program })
    }

    /// Checks the project in a folder. Nothing of the environment reaches it but the search path, which it needs to find what
    /// runs it.
    pub(super) async fn run(
        &self,
        folder: &Path,
        search: &OsStr,
        limits: &CheckLimits,
    ) -> Result<Output, CheckError> {
        let mut child = Command::new(&self.program)
            .args(["--project", "tsconfig.json"])
            .current_dir(folder)
            .env_clear()
            .env("PATH", search)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let ended = async {
            let (stdout, stderr) = tokio::join!(read(stdout, limits), read(stderr, limits));
            Ok::<_, std::io::Error>((stdout? + &stderr?, child.wait().await?))
        };
        let ended = tokio::time::timeout(limits.max_time, ended).await;
        let (text, status) = ended.map_err(|_| CheckError::Late(limits.max_time))??;
        Ok(Output { text, is_success: status.success() })
    }
}

/// The start of a stream. The rest is read and forgotten, because who can't write doesn't end.
async fn read(
    stream: Option<impl AsyncRead + Unpin>,
    limits: &CheckLimits,
) -> std::io::Result<String> {
    let Some(mut stream) = stream else { return Ok(String::new()) };
    let mut bytes = Vec::new();
    (&mut stream).take(limits.max_output_bytes as u64).read_to_end(&mut bytes).await?;
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
