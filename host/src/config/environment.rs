//! What a configuration may ask of its surroundings: variables and the home folder.
//!
//! It's a value, so that a test has its own and the process environment is read in one place.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf},
};

/// The variables and the home folder that a configuration is read with.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    vars: BTreeMap<OsString, OsString>,
    home: Option<PathBuf>,
}

impl Environment {
    /// Nothing: no variable, no home folder.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The environment of this process, as it is now.
    #[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
    pub fn of_process() -> Self {
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
        Self { vars: std::env::vars_os().collect(), home }
    }

    /// Sets a variable.
    #[must_use]
    pub fn with_var(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.vars.insert(name.into(), value.into());
        self
    }

    /// Sets the home folder.
    #[must_use]
    pub fn with_home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// The folder for what this host may make again: that of the XDG base directory specification.
    pub fn cache_folder(&self) -> Option<PathBuf> {
        let absolute = |path: &&OsStr| Path::new(path).is_absolute();
        let base = match self.get("XDG_CACHE_HOME").filter(absolute) {
            Some(folder) => PathBuf::from(folder),
            None => self.home()?.join(".cache"),
        };
        Some(base.join("callgate"))
    }

    /// The value of a variable. Windows doesn't tell `Path` from `PATH`, so this doesn't there.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        if cfg!(windows) {
            let same = |key: &OsStr| key.to_str().is_some_and(|key| key.eq_ignore_ascii_case(name));
            return self.vars.iter().find(|(key, _)| same(key)).map(|(_, value)| value.as_os_str());
        }
        self.vars.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    pub(super) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    pub(super) fn vars(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.vars.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

impl fmt::Debug for Environment {
    /// Names, never values: tokens are kept in variables.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("vars", &self.vars.keys())
            .field("home", &self.home)
            .finish()
    }
}
