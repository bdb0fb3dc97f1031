//! Whether a script keeps to the types of the tools: asked of the TypeScript compiler that the user has installed.
//!
//! The compiler gets a private folder with the declarations, the script and a configuration of its own, so that nothing in the
//! script's folder decides how it is checked. What it prints is told with the places of the script.

mod compiler;
mod report;

use std::{ffi::OsStr, fs, io, path::Path, time::Duration};

use self::{compiler::Compiler, report::Report};
use super::diagnostic::{Diagnostic, told};
use crate::limits::CheckLimits;

/// Why a script was not found to be right.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    #[error(
        "there is no tsc in node_modules/.bin beside the script or above it, and none in PATH: run npm install --save-dev typescript, or run the script without the check"
    )]
    NoCompiler,
    #[error("the script has faults of type:\n{}", told(.0))]
    Faults(Vec<Diagnostic>),
    #[error("tsc was not done after {0:?} (limit max_time)")]
    Late(Duration),
    #[error("tsc ended without a verdict: {detail}")]
    Broken { detail: String },
    #[error("tsc can't be used")]
    Unusable(#[from] io::Error),
}

/// Checks a source against declarations, under the name and the language of its file. `search` are the folders in which
/// programs are looked for, as `PATH` has them.
///
/// # Errors
///
/// When the script has faults, and when nobody can tell.
///
/// # Cancel safety
///
/// Dropping the future kills the compiler.
pub(crate) async fn check(
    source: &str,
    file: &Path,
    declarations: &str,
    search: &OsStr,
    limits: &CheckLimits,
) -> Result<(), CheckError> {
    let compiler = Compiler::find(file, search).ok_or(CheckError::NoCompiler)?;
    let name = match file.extension().and_then(OsStr::to_str) {
        Some("js" | "mjs") => "script.js",
        _ => "script.ts",
    };
    let wrapped = Wrapped::new(source);
    let folder = tempfile::Builder::new().prefix("callgate-check-").tempdir()?;
    fs::write(folder.path().join("callgate.d.ts"), declarations)?;
    fs::write(folder.path().join(name), &wrapped.text)?;
    fs::write(folder.path().join("tsconfig.json"), settings(name))?;
    let output = compiler.run(folder.path(), search, limits).await?;
    let report = Report { output: &output.text, name, source, wrapped: &wrapped, file, limits };
    let faults = report.faults();
    match (output.is_success, faults.is_empty()) {
        (true, _) => Ok(()),
        (false, false) => Err(CheckError::Faults(faults)),
        (false, true) => Err(CheckError::Broken { detail: report.words() }),
    }
}

/// A source as the compiler takes it: the body of an async function, because scripts may `return` and `await`. One that imports
/// or exports is a module, and stays as it is.
struct Wrapped {
    text: String,
    /// How many lines come before the first one.
    lines_before: usize,
}

impl Wrapped {
    fn new(source: &str) -> Self {
        match is_module(source) {
            true => Self { text: source.to_owned(), lines_before: 0 },
            false => Self {
                text: format!("async function script() {{\n{source}\n}}\nvoid script;\n"),
                lines_before: 1,
            },
        }
    }
}

/// Whether a line of a source begins an import or an export.
fn is_module(source: &str) -> bool {
    source.lines().any(|line| {
        let behind = |word: &str| line.strip_prefix(word).map(str::trim_start);
        let imports = behind("import").is_some_and(|rest| {
            line.len() > rest.len() + "import".len() && !rest.starts_with(['(', '.'])
                || rest.starts_with(['{', '*', '"', '\''])
        });
        let exports = behind("export").is_some_and(|rest| {
            line.len() > rest.len() + "export".len() || rest.starts_with(['{', '*'])
        });
        imports || exports
    })
}

fn settings(name: &str) -> String {
    let is_typed = name.ends_with(".ts");
    let settings = serde_json::json!({
        "compilerOptions": {
            "strict": true,
            // Plain JavaScript has no place for the types of parameters.
            "noImplicitAny": is_typed,
            "noEmit": true,
            "allowJs": true,
            "checkJs": true,
            "skipLibCheck": true,
            "target": "es2023",
            "lib": ["es2023"],
            "types": [],
            "module": "esnext",
            "moduleResolution": "bundler",
            "moduleDetection": "force",
            "pretty": false,
        },
        "files": ["callgate.d.ts", name],
    });
    settings.to_string()
}

#[cfg(test)]
mod tests;
