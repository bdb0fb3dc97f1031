//! Which file a server's command is, and words for the cases in which there is none.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

use crate::{
    call::{Cause, Failure},
    session::connect::StdioServer,
};

/// Looks the command up as a shell would, after changing to the server's working directory.
///
/// # Errors
///
/// When there is no such program or directory; the detail says which, and where it was looked for.
pub(super) fn find(server: &StdioServer) -> Result<PathBuf, Failure> {
    if let Some(cwd) = &server.cwd
        && !cwd.is_dir()
    {
        return Err(failed(format!("the working directory {} is no directory", cwd.display())));
    }
    let command = Path::new(&server.command);
    if command.as_os_str().is_empty() {
        return Err(failed("the command is empty".to_owned()));
    }
    if cfg!(not(unix)) {
        // The system has its own rules about extensions.
        return Ok(command.to_owned());
    }
    if command.components().count() > 1 || command.is_absolute() {
        let path = server.cwd.as_deref().unwrap_or(Path::new("")).join(command);
        return match look(&path) {
            Found::Program => Ok(path),
            Found::NotExecutable => Err(failed(format!("{} is not executable", path.display()))),
            Found::Nothing => Err(failed(format!("there is no file {}", path.display()))),
        };
    }
    find_in_path(command, server)
}

fn find_in_path(command: &Path, server: &StdioServer) -> Result<PathBuf, Failure> {
    let Some(path) = server.env.get(OsStr::new("PATH")) else {
        let command = command.display();
        return Err(failed(format!(
            "the server's environment has no PATH in which {command} could be"
        )));
    };
    let mut not_executable = None;
    for directory in std::env::split_paths(path) {
        let candidate = directory.join(command);
        match look(&candidate) {
            Found::Program => return Ok(candidate),
            Found::NotExecutable => not_executable = Some(candidate),
            Found::Nothing => {}
        }
    }
    let command = command.display();
    Err(failed(match not_executable {
        Some(file) => {
            format!(
                "{} is not executable, and no other {command} is in the server's PATH",
                file.display()
            )
        }
        None => format!("there is no {command} in the server's PATH, which is {}", path.display()),
    }))
}

enum Found {
    Program,
    NotExecutable,
    Nothing,
}

#[cfg(unix)]
fn look(path: &Path) -> Found {
    use std::os::unix::fs::PermissionsExt as _;

    match path.metadata() {
        Ok(file) if file.is_file() && file.permissions().mode() & 0o111 != 0 => Found::Program,
        Ok(file) if file.is_file() => Found::NotExecutable,
        _ => Found::Nothing,
    }
}

#[cfg(not(unix))]
fn look(path: &Path) -> Found {
    if path.is_file() { Found::Program } else { Found::Nothing }
}

/// Words for a file that is there and doesn't start.
pub(super) fn explain(program: &Path, error: &io::Error) -> Failure {
    let program = program.display();
    failed(match error.kind() {
        io::ErrorKind::NotFound => format!("{program} names an interpreter that does not exist"),
        io::ErrorKind::PermissionDenied => format!("the system does not allow to run {program}"),
        _ => format!("{program} does not start: {error}"),
    })
}

fn failed(detail: String) -> Failure {
    Failure::new(Cause::ConnectFailed, detail)
}
