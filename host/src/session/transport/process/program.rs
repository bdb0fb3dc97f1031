//! Which file a server's command is, and words for the cases in which there is none.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

use crate::session::{connect::StdioServer, story::Obstacle};

/// Why a process was not started.
#[derive(Debug)]
pub(crate) struct NotStarted {
    /// What can be done about it.
    pub(crate) obstacle: Obstacle,
    /// A sentence for people.
    pub(crate) detail: String,
}

impl NotStarted {
    pub(super) fn new(obstacle: Obstacle, detail: String) -> Self {
        Self { obstacle, detail }
    }
}

/// Looks the command up as a shell would, after changing to the server's working directory.
///
/// # Errors
///
/// When there is no such program or directory; the detail says which, and where it was looked for.
pub(super) fn find(server: &StdioServer) -> Result<PathBuf, NotStarted> {
    if let Some(cwd) = &server.cwd
        && !cwd.is_dir()
    {
        let detail = format!("the working directory {} is no directory", cwd.display());
        return Err(NotStarted::new(Obstacle::NoFolder, detail));
    }
    let command = Path::new(&server.command);
    if command.as_os_str().is_empty() {
        return Err(no_program("the command is empty".to_owned()));
    }
    if cfg!(not(unix)) {
        // The system has its own rules about extensions.
        return Ok(command.to_owned());
    }
    if command.components().count() > 1 || command.is_absolute() {
        let path = server.cwd.as_deref().unwrap_or(Path::new("")).join(command);
        return match look(&path) {
            Found::Program => Ok(path),
            Found::NotExecutable => {
                Err(not_executable(format!("{} is not executable", path.display())))
            }
            Found::Nothing => Err(no_program(format!("there is no file {}", path.display()))),
        };
    }
    find_in_path(command, server)
}

fn find_in_path(command: &Path, server: &StdioServer) -> Result<PathBuf, NotStarted> {
    let Some(path) = server.env.get(OsStr::new("PATH")) else {
        let command = command.display();
        return Err(no_program(format!(
            "the server's environment has no PATH in which {command} could be"
        )));
    };
    let mut unusable = None;
    for directory in std::env::split_paths(path) {
        let candidate = directory.join(command);
        match look(&candidate) {
            Found::Program => return Ok(candidate),
            Found::NotExecutable => unusable = Some(candidate),
            Found::Nothing => {}
        }
    }
    let command = command.display();
    Err(match unusable {
        Some(file) => not_executable(format!(
            "{} is not executable, and no other {command} is in the server's PATH",
            file.display()
        )),
        None => no_program(format!(
            "there is no {command} in the server's PATH, which is {}",
            path.display()
        )),
    })
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
pub(super) fn explain(program: &Path, error: &io::Error) -> NotStarted {
    let program = program.display();
    match error.kind() {
        io::ErrorKind::NotFound => NotStarted::new(
            Obstacle::NoInterpreter,
            format!("{program} names an interpreter that does not exist"),
        ),
        io::ErrorKind::PermissionDenied => {
            not_executable(format!("the system does not allow to run {program}"))
        }
        _ => NotStarted::new(Obstacle::NotStarted, format!("{program} does not start: {error}")),
    }
}

fn no_program(detail: String) -> NotStarted {
    NotStarted::new(Obstacle::NoProgram, detail)
}

fn not_executable(detail: String) -> NotStarted {
    NotStarted::new(Obstacle::NotExecutable, detail)
}
