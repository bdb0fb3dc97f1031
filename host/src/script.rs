//! Scripts: JavaScript and TypeScript without a build step, run by a component that has the engine inside.
//!
//! A script is a workflow like any other. The component is always the same one, and the script is in its input; so it is compiled
//! once, and grants, limits, middleware and reports are those of every run. This room wraps the input and unwraps the output.

mod check;
mod diagnostic;
mod envelope;
mod frame;
mod names;
mod report;
mod strip;

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

pub(crate) use self::check::check;
pub use self::{
    diagnostic::Diagnostic,
    names::ToolNames,
    report::{ScriptFault, ScriptReport},
};
use crate::{
    call::Json,
    component::{Workflow, WorkflowError},
    engine::Engine,
    limits::{EngineLimits, RunLimits, ScriptLimits},
    run::{RunLogs, RunOutcome, VirtualWorld},
};

/// The largest whole number that JavaScript tells from its neighbours.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A script.
#[derive(Clone, Debug)]
pub struct Script {
    /// The text that people wrote and want to see in messages.
    source: String,
    /// What runs, with everything in the same place.
    javascript: String,
    file: String,
    only_compiles: bool,
    limits: ScriptLimits,
}

/// What a script is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    JavaScript,
    TypeScript,
}

/// Why a file is no script that can run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// The file can't be read.
    #[error("can't read {}", .0.display())]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// It is over [`max_source_bytes`](ScriptLimits::max_source_bytes).
    #[error("it has more than {max_source_bytes} bytes (ScriptLimits::max_source_bytes)")]
    TooLarge {
        /// The limit.
        max_source_bytes: usize,
    },
    /// It isn't text.
    #[error("it is not UTF-8")]
    NotText,
    /// It is TypeScript with mistakes, or with more than types. They are never none.
    #[error("{}", diagnostic::told(.0))]
    TypeScript(Vec<Diagnostic>),
}

impl Language {
    /// That of a file, where its name is one of a script.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "js" | "mjs" => Some(Self::JavaScript),
            "ts" | "mts" => Some(Self::TypeScript),
            _ => None,
        }
    }

    /// How many bytes a script in it may have.
    pub(crate) fn max_source_bytes(self, limits: &ScriptLimits) -> usize {
        match self {
            Self::JavaScript => limits.max_source_bytes,
            Self::TypeScript => limits.typescript.max_source_bytes.min(limits.max_source_bytes),
        }
    }
}

impl Script {
    /// Whether a file of this name is a script: `.js`, `.mjs`, `.ts` or `.mts`.
    pub fn is_named(path: &Path) -> bool {
        Language::of(path).is_some()
    }

    /// Reads a script.
    ///
    /// # Errors
    ///
    /// When the file can't be read, is too large or isn't text, and as for [`new`](Self::new).
    pub fn from_file(path: &Path, limits: ScriptLimits) -> Result<Self, ScriptError> {
        let source = Self::read(path, &limits)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Self::new(source, name.unwrap_or_default(), limits)
    }

    /// The text of a script's file, whatever is in it.
    pub(crate) fn read(path: &Path, limits: &ScriptLimits) -> Result<String, ScriptError> {
        let max_source_bytes = limits.max_source_bytes;
        let unreadable = |error| ScriptError::Unreadable(path.into(), error);
        let file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        let most = u64::try_from(max_source_bytes).unwrap_or(u64::MAX).saturating_add(1);
        file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() > max_source_bytes {
            return Err(ScriptError::TooLarge { max_source_bytes });
        }
        String::from_utf8(bytes).map_err(|_not_utf8| ScriptError::NotText)
    }

    /// A script from memory. `file` is its name in messages; with the ending `.ts` or `.mts`, types are taken out of it.
    ///
    /// That parses on a thread of its own and waits for it: a few milliseconds, and seconds for a hostile source. On a runtime,
    /// do it where blocking is allowed.
    ///
    /// # Errors
    ///
    /// When it is TypeScript that isn't JavaScript without its types. What is wrong with JavaScript is the run's failure.
    pub fn new(
        source: impl Into<String>,
        file: impl Into<String>,
        limits: ScriptLimits,
    ) -> Result<Self, ScriptError> {
        let (source, file) = (source.into(), file.into());
        let javascript = match Language::of(Path::new(&file)) {
            Some(Language::TypeScript) => {
                strip::strip(&source, &file, &limits.typescript).map_err(ScriptError::TypeScript)?
            }
            Some(Language::JavaScript) | None => source.clone(),
        };
        Ok(Self { source, javascript, file, only_compiles: false, limits })
    }

    /// The same script for a run that compiles it and executes nothing of it: a check, within the limits of that run and by the
    /// engine that would run it.
    ///
    /// The run's result is `{"form": "module"}` or `{"form": "body"}`. What is wrong with the source is its failure, of the kinds
    /// `syntax-error` and `refused-import`.
    pub fn only_compiled(self) -> Self {
        Self { only_compiles: true, ..self }
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
    pub(crate) fn input(
        &self,
        args: &Json,
        world: &VirtualWorld,
        limits: &RunLimits,
        engine: &EngineLimits,
        names: Option<&ToolNames>,
    ) -> Json {
        Json::from_value(&envelope::Input {
            source: &self.javascript,
            file: &self.file,
            args,
            seed: world.seed & MAX_SAFE_INTEGER,
            now_ms: u64::try_from(world.clock.as_millis())
                .map_or(MAX_SAFE_INTEGER, |ms| ms.min(MAX_SAFE_INTEGER)),
            max_log_bytes: limits.max_log_bytes,
            max_stack_bytes: engine.max_stack_bytes,
            names: names.filter(|names| !names.is_empty()),
            only_compile: self.only_compiles,
        })
    }

    /// What the runner's outcome says of the script, and of what it wrote.
    pub(crate) fn read_outcome(
        &self,
        outcome: RunOutcome,
        limits: &RunLimits,
        logs: &mut RunLogs,
    ) -> (RunOutcome, ScriptReport) {
        let mut report = ScriptReport { file: self.file.clone(), fault: None };
        let (outcome, said) = match outcome {
            RunOutcome::Done(output) => envelope::value(&output),
            RunOutcome::Failed(failure) => {
                envelope::failure(failure, &mut report, |line, column| {
                    frame::frame(&self.source, line, column, &self.limits)
                })
            }
            stopped @ RunOutcome::Stopped(_) => (stopped, None),
        };
        match said {
            Some(said) => *logs = said.logs(limits.max_log_bytes),
            None => logs.are_lost = true,
        }
        (outcome, report)
    }
}
