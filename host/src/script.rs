//! Scripts: JavaScript without a build step, run by a component that has the engine inside.
//!
//! A script is a workflow like any other. The component is always the same one, and the script is in its input; so it is compiled
//! once, and grants, limits, middleware and reports are those of every run. This room wraps the input and unwraps the output.

mod envelope;
mod frame;
mod report;

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

pub use self::report::{LogLine, LogsCut, ScriptFault, ScriptReport};
use crate::{
    call::Json,
    component::{Workflow, WorkflowError},
    engine::Engine,
    limits::{EngineLimits, ScriptLimits},
    run::RunOutcome,
};

/// 2026-01-01T00:00:00Z in milliseconds: what a script's clock says at the start where nobody sets it.
const DEFAULT_NOW_MS: i64 = 1_767_225_600_000;

/// The endings of files that are scripts.
const ENDINGS: [&str; 2] = ["js", "mjs"];

/// A script, and what its run starts from.
#[derive(Clone, Debug)]
pub struct Script {
    /// The text that people wrote and want to see in messages.
    source: String,
    file: String,
    seed: u32,
    now_ms: i64,
    limits: ScriptLimits,
}

/// Why a file is no script that can run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// The file can't be read.
    #[error("can't read {}", .0.display())]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// It is over [`max_source_bytes`](ScriptLimits::max_source_bytes).
    #[error("it has more than {max_source_bytes} bytes (max_source_bytes)")]
    TooLarge {
        /// The limit.
        max_source_bytes: usize,
    },
    /// It isn't text.
    #[error("it is not UTF-8")]
    NotText,
}

impl Script {
    /// Whether a file of this name is a script: `.js` or `.mjs`.
    pub fn is_named(path: &Path) -> bool {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| ENDINGS.contains(&ending))
    }

    /// Reads a script.
    ///
    /// # Errors
    ///
    /// When the file can't be read, is too large or isn't text. What is wrong with the text is the run's failure.
    pub fn from_file(path: &Path, limits: ScriptLimits) -> Result<Self, ScriptError> {
        let max_source_bytes = limits.max_source_bytes;
        let unreadable = |error| ScriptError::Unreadable(path.into(), error);
        let file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        let most = u64::try_from(max_source_bytes).unwrap_or(u64::MAX).saturating_add(1);
        file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() > max_source_bytes {
            return Err(ScriptError::TooLarge { max_source_bytes });
        }
        let source = String::from_utf8(bytes).map_err(|_not_utf8| ScriptError::NotText)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Self::new(source, name.unwrap_or_default(), limits))
    }

    /// A script from memory. `file` is its name in messages.
    pub fn new(source: impl Into<String>, file: impl Into<String>, limits: ScriptLimits) -> Self {
        let (source, file) = (source.into(), file.into());
        Self { source, file, seed: 0, now_ms: DEFAULT_NOW_MS, limits }
    }

    /// Sets what `Math.random` starts from; 0 without. The same seed, the same numbers.
    #[must_use]
    pub fn seed(mut self, seed: u32) -> Self {
        self.seed = seed;
        self
    }

    /// Sets what the clock says at the start, in milliseconds since 1970; the beginning of 2026 without. From there it moves
    /// with the script's timers alone.
    #[must_use]
    pub fn now_ms(mut self, now_ms: i64) -> Self {
        self.now_ms = now_ms;
        self
    }

    /// The component that runs scripts, for a [`Stack`](crate::Stack) of layers.
    pub fn runner() -> &'static [u8] {
        callgate_script::RUNNER
    }

    /// The workflow that runs scripts. One serves all scripts and all their runs.
    ///
    /// # Errors
    ///
    /// When the engine's limits are too narrow for it.
    pub fn workflow(engine: &Engine) -> Result<Workflow, WorkflowError> {
        Workflow::from_bytes(engine, Self::runner())
    }

    /// The input of the runner.
    pub(crate) fn input(&self, args: &Json, engine: &EngineLimits) -> Json {
        Json::from_value(&envelope::Input {
            source: &self.source,
            file: &self.file,
            args,
            seed: self.seed,
            now_ms: self.now_ms,
            max_log_bytes: self.limits.max_log_bytes,
            max_stack_bytes: engine.max_stack_bytes,
        })
    }

    /// What the runner's outcome says of the script.
    pub(crate) fn read_outcome(&self, outcome: RunOutcome) -> (RunOutcome, ScriptReport) {
        let mut report = ScriptReport::new(self.file.clone(), self.seed, self.now_ms);
        let outcome = match outcome {
            RunOutcome::Done(output) => envelope::value(&output, &mut report),
            RunOutcome::Failed(failure) => {
                envelope::failure(failure, &mut report, |line, column| {
                    frame::frame(&self.source, line, column, &self.limits)
                })
            }
            stopped => stopped,
        };
        (outcome, report)
    }
}
