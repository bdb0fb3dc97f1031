//! `callgate check` of a script: whether it compiles, and as what. Nothing of it is executed.

use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::{
    super::{Done, exit::Exit, output},
    Form,
};
use crate::{
    call::Json,
    component::WorkflowError,
    engine::{Engine, EngineOptions},
    limits::{RunLimits, ScriptLimits},
    pool::SessionPool,
    run::{Run, RunOutcome, RunReport},
    script::{Diagnostic, Language, Script, ScriptError, ScriptFault},
    shutdown::unless_interrupted,
};

/// Whether a script may run, and why not.
#[derive(Serialize)]
struct Verdict {
    file: String,
    language: &'static str,
    size_bytes: usize,
    max_size_bytes: usize,
    /// `module` or `body`, where it compiles.
    form: Option<String>,
    /// What is wrong with the source, each with its place.
    faults: Vec<Fault>,
    reasons: Vec<String>,
    may_run: bool,
}

/// One thing that is wrong with a source.
#[derive(Serialize)]
struct Fault {
    /// `typescript`, `syntax-error` or `refused-import`.
    kind: String,
    message: String,
    line: Option<usize>,
    column: Option<usize>,
    frame: Option<String>,
}

/// The result of a run that only compiles.
#[derive(Deserialize)]
struct Compiled {
    form: String,
}

/// Prints the verdict: as one JSON object, or in lines.
pub(super) async fn check(
    path: &Path,
    language: Language,
    options: EngineOptions,
    limits: RunLimits,
    form: Form,
) -> Done {
    let verdict = judge(path, language, options, limits)
        .await
        .with_context(|| format!("{} can't be run", path.display()))?;
    let text = match form {
        Form::Json => Json::from_value(&verdict).into_text(),
        Form::Text => format!("{}: {}", path.display(), verdict.describe()),
    };
    output::result(&text).context("can't write the verdict to stdout")?;
    if verdict.may_run {
        Ok(Exit::Done)
    } else {
        Err(WorkflowError::Refused(verdict.reasons).into())
    }
}

/// Asks the parser of TypeScript, and then the engine that would run the script, in the sandbox and within the limits of the run.
async fn judge(
    path: &Path,
    language: Language,
    options: EngineOptions,
    limits: RunLimits,
) -> anyhow::Result<Verdict> {
    let bounds = ScriptLimits::default();
    let source = Script::read(path, &bounds)?;
    let mut verdict = Verdict::unknown(path, language, source.len(), &bounds);
    match Script::new(source, verdict.file.clone(), bounds) {
        Err(ScriptError::TypeScript(faults)) => verdict.note_diagnostics(&faults),
        Err(error) => return Err(error.into()),
        Ok(script) => {
            let workflow = Script::workflow(&Engine::with(options)?)?;
            let run = Run::new(&workflow, &SessionPool::new([])).limits(limits);
            let compiling = run.script(script.only_compiled()).start(Json::null());
            verdict.note_end(&unless_interrupted(compiling).await?);
        }
    }
    verdict.may_run = verdict.reasons.is_empty();
    Ok(verdict)
}

impl Verdict {
    fn unknown(path: &Path, language: Language, size_bytes: usize, bounds: &ScriptLimits) -> Self {
        let name = path.file_name().unwrap_or_default();
        Self {
            file: name.to_string_lossy().into_owned(),
            language: match language {
                Language::JavaScript => "javascript",
                Language::TypeScript => "typescript",
            },
            size_bytes,
            max_size_bytes: language.max_source_bytes(bounds),
            form: None,
            faults: Vec::new(),
            reasons: Vec::new(),
            may_run: false,
        }
    }

    /// What keeps TypeScript from being JavaScript without its types.
    fn note_diagnostics(&mut self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            self.reasons.push(diagnostic.to_string());
            self.faults.push(Fault::of_diagnostic(diagnostic));
        }
    }

    /// How the run ended that did nothing but compile.
    fn note_end(&mut self, report: &RunReport) {
        match &report.outcome {
            RunOutcome::Done(output) => match serde_json::from_str::<Compiled>(output.as_str()) {
                Ok(compiled) => self.form = Some(compiled.form),
                Err(error) => self.reasons.push(format!("the engine gives no answer: {error}")),
            },
            RunOutcome::Failed(failure) => {
                let fault = report.script.as_ref().and_then(|script| script.fault.as_ref());
                let mut reason = format!("{}: {}", failure.kind, output::set_in(&failure.message));
                for frame in fault.iter().filter_map(|fault| fault.frame.as_deref()) {
                    reason.push('\n');
                    reason.push_str(frame);
                }
                self.reasons.push(reason);
                self.faults.extend(fault.map(|fault| Fault::of_run(&failure.kind, fault)));
            }
            RunOutcome::Stopped(stopped) => self.reasons.push(stopped.to_string()),
        }
    }

    fn describe(&self) -> String {
        let Self { language, size_bytes, max_size_bytes, .. } = self;
        let form = self.form.as_deref().unwrap_or("none");
        let verdict = if self.may_run { "may run" } else { "refused" };
        format!(
            "{size_bytes} bytes, at most {max_size_bytes}\nlanguage: {language}\nform: {form}\nverdict: {verdict}"
        )
    }
}

impl Fault {
    fn of_diagnostic(diagnostic: &Diagnostic) -> Self {
        let Diagnostic { message, line, column, frame, .. } = diagnostic.clone();
        Self {
            kind: "typescript".to_owned(),
            message,
            line: Some(line),
            column: Some(column),
            frame: Some(frame),
        }
    }

    fn of_run(kind: &str, fault: &ScriptFault) -> Self {
        let place = |number: Option<u32>| number.and_then(|it| usize::try_from(it).ok());
        Self {
            kind: kind.to_owned(),
            message: fault.message.clone(),
            line: place(fault.line),
            column: place(fault.column),
            frame: fault.frame.clone(),
        }
    }
}
