//! The official tests of ECMAScript (tc39/test262) against scripts as the host runs them.
//!
//! A test is run as the script that it would be in a file: a module, or the body of a strict async function. One that fails
//! so is run once more as global code, which scripts have by `eval` alone, to tell what the engine can't from what a script
//! isn't. `docs/scripts.md` says what is claimed.

mod claim;
mod features;
mod frontmatter;
mod harness;
mod tally;
mod trial;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

pub use self::tally::Tally;
use self::{
    frontmatter::Frontmatter,
    harness::{Harness, files_below},
    trial::{Host, Wrong},
};

/// The share of what is claimed that has to pass, as `docs/scripts.md` says.
pub const PASS_RATE: f64 = 0.99;

/// In the names of files that other tests import.
const FIXTURE: &str = "_FIXTURE";

/// A checkout of the suite, and the host that it is tried on.
#[derive(Debug)]
pub struct Suite {
    /// The folder `test` of the checkout.
    folder: PathBuf,
    harness: Harness,
    host: Host,
}

/// What came of one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It passed as the script that it is.
    Passed,
    /// It passed, but only as global code; told is how it failed as a script.
    PassedAsGlobalCode(String),
    /// It failed, and how.
    Failed(String),
    /// It isn't claimed.
    Unclaimed {
        /// Why not.
        why: &'static str,
        /// Whether it passed nevertheless.
        has_passed: bool,
    },
    /// What must come of no test: the host panicked, or the run had no end.
    Wrong(String),
}

impl Suite {
    /// Reads the harness of a checkout and makes the host ready. Compiled components are kept in `cache`.
    ///
    /// # Errors
    ///
    /// When there is no suite in this folder.
    ///
    /// # Panics
    ///
    /// When this machine has no engine.
    pub fn open(checkout: &Path, cache: PathBuf) -> io::Result<Self> {
        let harness = Harness::read(&checkout.join("harness"))?;
        Ok(Self { folder: checkout.join("test"), harness, host: Host::new(cache) })
    }

    /// The paths of all tests with `filter` in them, below the folder `test`, with `/`.
    ///
    /// # Errors
    ///
    /// When the folder can't be read.
    pub fn tests(&self, filter: &str) -> io::Result<Vec<String>> {
        let paths = files_below(&self.folder)?.into_iter().map(|path| {
            let path = path.strip_prefix(&self.folder).unwrap_or(&path);
            path.to_string_lossy().replace('\\', "/")
        });
        Ok(paths.filter(|path| !path.contains(FIXTURE) && path.contains(filter)).collect())
    }

    /// Runs one and judges it.
    ///
    /// # Errors
    ///
    /// When the file can't be read, or is no test.
    pub async fn try_test(&self, path: &str) -> io::Result<Verdict> {
        let source = fs::read_to_string(self.folder.join(path))?;
        let wants = Frontmatter::of(&source).map_err(io::Error::other)?;
        let as_script = match self.as_script(&source, &wants).await {
            Err(Wrong(what)) => return Ok(Verdict::Wrong(what)),
            Ok(judged) => judged,
        };
        if let Some(why) = claim::unclaimed(path, &wants, &source) {
            return Ok(Verdict::Unclaimed { why, has_passed: as_script.is_ok() });
        }
        let Err(why) = as_script else { return Ok(Verdict::Passed) };
        if wants.has_flag("module") || wants.has_flag("raw") {
            return Ok(Verdict::Failed(why));
        }
        Ok(match self.as_global_code(&source, &wants).await {
            Err(Wrong(what)) => Verdict::Wrong(what),
            Ok(Ok(())) => Verdict::PassedAsGlobalCode(why),
            Ok(Err(_the_same_or_worse)) => Verdict::Failed(why),
        })
    }

    async fn as_script(
        &self,
        source: &str,
        wants: &Frontmatter,
    ) -> Result<Result<(), String>, Wrong> {
        match self.harness.script(source, wants) {
            Err(why) => Ok(Err(why)),
            Ok(made) => Ok(trial::judge(wants, &self.host.run(made).await?)),
        }
    }

    async fn as_global_code(
        &self,
        source: &str,
        wants: &Frontmatter,
    ) -> Result<Result<(), String>, Wrong> {
        match self.harness.global_code(source, wants) {
            Err(why) => Ok(Err(why)),
            Ok(made) => Ok(trial::judge_global(wants, &self.host.run(made).await?)),
        }
    }
}
