//! modebox: installed, and asked for its figures.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};

use super::table::Figures;
use crate::step;

/// The version, and the digests of its packages.
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// A virtual environment with modebox in it.
pub(super) struct Modebox {
    folder: PathBuf,
}

impl Modebox {
    /// The one in `folder`, which is installed there the first time and after a change of its version.
    pub(super) fn find_or_install(folder: &Path) -> Result<Self> {
        let modebox = Self { folder: folder.to_owned() };
        let stamp = folder.join("installed.txt");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == REQUIREMENTS) {
            return Ok(modebox);
        }
        let requirements = folder.join("requirements.txt");
        fs::write(&requirements, REQUIREMENTS).context("writing the requirements")?;
        let venv = ["-m", "venv", "--clear"].map(OsStr::new);
        step::run(Command::new("python3").args(venv).arg(folder.join("venv")))?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        let exactly = ["--require-hashes", "--only-binary=:all:", "--requirement"];
        step::run(modebox.python().args(install).args(exactly).arg(requirements))?;
        fs::write(&stamp, REQUIREMENTS).context("writing down what was installed")?;
        Ok(modebox)
    }

    /// Measures it once.
    pub(super) fn figures(&self) -> Result<Figures> {
        let figures = step::output(&mut self.script(include_str!("figures.py")))?;
        serde_json::from_slice(&figures).context("reading the figures of modebox")
    }

    /// A process that runs one script and prints what it returns.
    pub(super) fn whole_process(&self) -> Command {
        self.script(include_str!("whole_process.py"))
    }

    fn script(&self, text: &str) -> Command {
        let mut python = self.python();
        python.args(["-c", text]).arg(self.folder.join("modebox-compiled"));
        python
    }

    fn python(&self) -> Command {
        Command::new(self.folder.join("venv/bin/python"))
    }
}
