//! Workflow components: read, checked against the one import they may have, compiled.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use wasmtime::component::{Component, InstancePre, Linker};

use crate::{engine::Engine, run::Ctx};

/// The interface that a workflow may import. Later patch versions of it are compatible.
const TOOLS: &str = "callgate:mcp/tools@0.1.";
/// The interface that a workflow has to export.
const RUN: &str = "callgate:mcp/run@0.1.";

/// A workflow that passed the check and is ready to run, any number of times at once. Clones share it.
#[derive(Clone)]
pub struct Workflow(Arc<Loaded>);

struct Loaded {
    engine: Engine,
    instance: InstancePre<Ctx>,
    run: crate::run::WorkflowIndices,
}

/// What a component asks for and offers, and whether it may run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// The names of its imports.
    pub imports: Vec<String>,
    /// The names of its exports.
    pub exports: Vec<String>,
    /// Why it may not run; empty if it may.
    pub reasons: Vec<String>,
}

/// Why a file is no workflow that can run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkflowError {
    /// The file can't be read.
    #[error("can't read {}", .0.display())]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// It is a core module rather than a component.
    #[error(
        "this is a core WebAssembly module, not a component; make one with `callgate componentize MODULE -o OUT`"
    )]
    CoreModule,
    /// It isn't a valid component.
    #[error("not a valid component: {0}")]
    Invalid(String),
    /// It is a component that asks for more than the door, or lacks `run`.
    #[error("refused: {}", .0.join("; "))]
    Refused(Vec<String>),
}

impl Workflow {
    /// Reads, checks and compiles a component. Compiling takes about a millisecond of CPU per KiB.
    ///
    /// # Errors
    ///
    /// When it isn't a component, or one that asks for more than `tools`; the message names the import.
    pub fn from_file(engine: &Engine, path: &Path) -> Result<Self, WorkflowError> {
        let bytes =
            fs::read(path).map_err(|error| WorkflowError::Unreadable(path.into(), error))?;
        Self::from_bytes(engine, &bytes)
    }

    /// As [`from_file`](Self::from_file), from memory.
    ///
    /// # Errors
    ///
    /// As for [`from_file`](Self::from_file).
    pub fn from_bytes(engine: &Engine, bytes: &[u8]) -> Result<Self, WorkflowError> {
        let component = compile(engine, bytes)?;
        let verdict = inspect(engine, &component);
        if !verdict.reasons.is_empty() {
            return Err(WorkflowError::Refused(verdict.reasons));
        }
        let mut linker = Linker::new(engine.inner());
        crate::run::add_to_linker(&mut linker)
            .map_err(|error| WorkflowError::Invalid(format!("{error:#}")))?;
        let instance = linker
            .instantiate_pre(&component)
            .map_err(|error| WorkflowError::Refused(vec![format!("{error:#}")]))?;
        let run = crate::run::WorkflowIndices::new(&instance)
            .map_err(|error| WorkflowError::Refused(vec![format!("{error:#}")]))?;
        Ok(Self(Arc::new(Loaded { engine: engine.clone(), instance, run })))
    }

    /// What a component asks for and offers.
    ///
    /// # Errors
    ///
    /// When the bytes aren't a component at all.
    pub fn check(engine: &Engine, bytes: &[u8]) -> Result<Verdict, WorkflowError> {
        let component = compile(engine, bytes)?;
        Ok(inspect(engine, &component))
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub(crate) fn instance(&self) -> &InstancePre<Ctx> {
        &self.0.instance
    }

    pub(crate) fn run_indices(&self) -> &crate::run::WorkflowIndices {
        &self.0.run
    }
}

fn compile(engine: &Engine, bytes: &[u8]) -> Result<Component, WorkflowError> {
    // Bytes 4 to 8 of a binary: version and layer (component model, Binary.md); layer 0 is a core module.
    if bytes.starts_with(b"\0asm\x01\0\0\0") {
        return Err(WorkflowError::CoreModule);
    }
    Component::from_binary(engine.inner(), bytes)
        .map_err(|error| WorkflowError::Invalid(format!("{error:#}")))
}

fn inspect(engine: &Engine, component: &Component) -> Verdict {
    let ty = component.component_type();
    let imports: Vec<String> =
        ty.imports(engine.inner()).map(|(name, _)| name.to_owned()).collect();
    let exports: Vec<String> =
        ty.exports(engine.inner()).map(|(name, _)| name.to_owned()).collect();
    let mut reasons: Vec<String> = imports
        .iter()
        .filter(|name| !name.starts_with(TOOLS))
        .map(|name| foreign_import(name))
        .collect();
    if !exports.iter().any(|name| name.starts_with(RUN)) {
        reasons.push(format!("it does not export `{RUN}0`, so there is nothing to run"));
    }
    Verdict { imports, exports, reasons }
}

fn foreign_import(name: &str) -> String {
    let hint = if name.starts_with("wasi:") {
        "; build it without WASI (target wasm32-unknown-unknown)"
    } else if name.starts_with("callgate:mcp/") {
        "; this host speaks version 0.1 of callgate:mcp"
    } else {
        ""
    };
    format!("it imports `{name}`, and a workflow may import `{TOOLS}0` only{hint}")
}

impl fmt::Debug for Workflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workflow").finish_non_exhaustive()
    }
}
