//! Finding the C compiler, or installing it: one version on every machine.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};

use crate::write_if_changed;

/// The version, and the digests of the packages for all systems.
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// Names a `zig` of the same version that is there already.
const VARIABLE: &str = "CALLGATE_ZIG";

/// What to do when it can't be installed.
const HINT: &str = "the compiler for guests in C comes from PyPI: it needs Python 3.8 or newer with its venv module (on \
                    Debian: apt-get install python3-venv) and the network once. Or name a zig 0.15.1 in CALLGATE_ZIG";

/// The compiler of guests in C: `zig cc` in the pinned version.
#[derive(Clone, Debug)]
pub struct CCompiler {
    /// The program and its first arguments.
    command: Vec<OsString>,
    /// Where it keeps what it has compiled.
    cache: PathBuf,
}

impl CCompiler {
    /// The one that `CALLGATE_ZIG` names, or the one in `folder`, which is installed there the first time: about 90 MB of
    /// download. Processes that come at the same time wait for each other.
    ///
    /// # Errors
    ///
    /// When it can't be installed; the message says what is missing.
    pub fn find_or_install(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
        let folder = folder.canonicalize()?;
        let cache = folder.join("cache");
        if let Some(zig) = env::var_os(VARIABLE) {
            return Ok(Self { command: vec![zig], cache });
        }
        let lock = File::create(folder.join("lock"))?;
        lock.lock().with_context(|| format!("can't lock {}", folder.display()))?;
        let python = python_of(&folder.join("venv"));
        let stamp = folder.join("installed.txt");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == REQUIREMENTS) {
            return Ok(Self::of_python(&python, cache));
        }
        install(&folder, &python).context(HINT)?;
        fs::write(&stamp, REQUIREMENTS)?;
        Ok(Self::of_python(&python, cache))
    }

    /// Has it keep what it has compiled elsewhere.
    #[must_use]
    pub fn with_cache(self, folder: PathBuf) -> Self {
        Self { cache: folder, ..self }
    }

    fn of_python(python: &Path, cache: PathBuf) -> Self {
        Self { command: vec![python.into(), "-m".into(), "ziglang".into()], cache }
    }

    /// Compiles and links.
    pub(super) fn run(&self, arguments: &[OsString]) -> Result<()> {
        let (program, first) = self.command.split_first().context("a command has a program")?;
        let status = Command::new(program)
            .args(first)
            .arg("cc")
            .args(arguments)
            .env("ZIG_GLOBAL_CACHE_DIR", &self.cache)
            .env("ZIG_LOCAL_CACHE_DIR", &self.cache)
            .stdin(Stdio::null())
            // A build script's stdout is read by cargo.
            .stdout(Stdio::null())
            .status()
            .with_context(|| format!("can't run {}", program.display()))?;
        ensure!(status.success(), "the C compiler failed: {status}");
        Ok(())
    }
}

/// Where a virtual environment has its interpreter.
fn python_of(venv: &Path) -> PathBuf {
    if cfg!(windows) { venv.join("Scripts/python.exe") } else { venv.join("bin/python") }
}

fn install(folder: &Path, python: &Path) -> Result<()> {
    let requirements = folder.join("requirements.txt");
    write_if_changed(&requirements, REQUIREMENTS.as_bytes())?;
    let venv = folder.join("venv");
    succeed("python3", [OsStr::new("-m"), "venv".as_ref(), "--clear".as_ref(), venv.as_os_str()])?;
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"].map(OsStr::new);
    let what = ["--require-hashes", "--only-binary=:all:", "--requirement"].map(OsStr::new);
    succeed(python, install.into_iter().chain(what).chain([requirements.as_os_str()]))
}

fn succeed<'a>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> Result<()> {
    let program = program.as_ref();
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("can't run {}", program.display()))?;
    ensure!(status.success(), "{} failed: {status}", program.display());
    Ok(())
}
