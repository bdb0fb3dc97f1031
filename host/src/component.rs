//! Workflow components: read, checked against the one import they may have, compiled.

pub(crate) mod cache;
mod demands;
mod unfolding;
mod verdict;

use std::{
    fmt,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use wasmtime::component::{Component, InstancePre, Linker};

pub use self::{
    demands::{Demands, MemoryDemand, TableDemand},
    verdict::Verdict,
};
use crate::{
    engine::{Allocation, Engine},
    limits::RunLimits,
    run::Ctx,
};

/// A workflow that passed the check and is ready to run, any number of times at once. Clones share it.
#[derive(Clone)]
pub struct Workflow(Arc<Loaded>);

struct Loaded {
    engine: Engine,
    instance: InstancePre<Ctx>,
    run: crate::run::WorkflowIndices,
    /// What one run takes of the pool.
    places: u32,
    has_wasi: bool,
}

/// Why a file is no workflow that can run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkflowError {
    /// The file can't be read.
    #[error("can't read {}", .0.display())]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// It is over [`max_component_bytes`](crate::EngineLimits::max_component_bytes).
    #[error("it has more than {max_component_bytes} bytes (max_component_bytes)")]
    TooLarge {
        /// The limit.
        max_component_bytes: usize,
    },
    /// It instantiates components in each other so often that it is over
    /// [`max_unfolded_items`](crate::EngineLimits::max_unfolded_items).
    #[error(
        "written out, its instances come to {items} definitions, and {max_unfolded_items} are allowed (EngineLimits::max_unfolded_items)"
    )]
    Unfolds {
        /// The definitions.
        items: u64,
        /// The limit.
        max_unfolded_items: usize,
    },
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
    /// Reads, checks and compiles a component. Compiling takes about a millisecond of CPU per KiB, unless the engine has a
    /// cache that knows the component: on a runtime, do it where blocking is allowed.
    ///
    /// # Errors
    ///
    /// When it isn't a component, or one that asks for more than `tools`; the message names the import.
    pub fn from_file(engine: &Engine, path: &Path) -> Result<Self, WorkflowError> {
        Self::from_bytes(engine, &read(engine, path)?)
    }

    /// As [`from_file`](Self::from_file), from memory.
    ///
    /// # Errors
    ///
    /// As for [`from_file`](Self::from_file).
    pub fn from_bytes(engine: &Engine, bytes: &[u8]) -> Result<Self, WorkflowError> {
        let component = compile(engine, bytes)?;
        let reasons = verdict::foreign(engine, &component);
        if !reasons.is_empty() {
            return Err(WorkflowError::Refused(reasons));
        }
        let places = places(engine, &component)?;
        let mut linker = Linker::new(engine.inner());
        crate::run::add_to_linker(&mut linker)
            .map_err(|error| WorkflowError::Invalid(format!("{error:#}")))?;
        let has_wasi = verdict::needs_wasi(engine, &component);
        if has_wasi {
            crate::run::add_wasi_to_linker(&mut linker)
                .map_err(|error| WorkflowError::Invalid(format!("{error:#}")))?;
        }
        let instance = linker
            .instantiate_pre(&component)
            .map_err(|error| WorkflowError::Refused(vec![format!("{error:#}")]))?;
        let run = crate::run::WorkflowIndices::new(&instance)
            .map_err(|error| WorkflowError::Refused(vec![format!("{error:#}")]))?;
        Ok(Self(Arc::new(Loaded { engine: engine.clone(), instance, run, places, has_wasi })))
    }

    /// What a component asks for and offers, and whether it may run within the default limits.
    ///
    /// # Errors
    ///
    /// When the bytes aren't a component at all.
    pub fn check(engine: &Engine, bytes: &[u8]) -> Result<Verdict, WorkflowError> {
        Self::check_within(engine, bytes, &RunLimits::default())
    }

    /// What a component asks for and offers, and whether it may run within these limits.
    ///
    /// # Errors
    ///
    /// When the bytes aren't a component at all.
    pub fn check_within(
        engine: &Engine,
        bytes: &[u8],
        limits: &RunLimits,
    ) -> Result<Verdict, WorkflowError> {
        let component = compile(engine, bytes)?;
        verdict::judge(engine, &component, bytes, limits)
    }

    /// The engine that compiled it and runs it.
    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub(crate) fn instance(&self) -> &InstancePre<Ctx> {
        &self.0.instance
    }

    pub(crate) fn run_indices(&self) -> &crate::run::WorkflowIndices {
        &self.0.run
    }

    /// Whether it is linked with WASI, and so can only run with one.
    pub(crate) fn has_wasi(&self) -> bool {
        self.0.has_wasi
    }

    pub(crate) fn places(&self) -> u32 {
        self.0.places
    }
}

/// Reads no more than the limit and one byte, so that a device is no way around it.
fn read(engine: &Engine, path: &Path) -> Result<Vec<u8>, WorkflowError> {
    let limit = engine.limits().max_component_bytes;
    let unreadable = |error| WorkflowError::Unreadable(path.into(), error);
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

fn compile(engine: &Engine, bytes: &[u8]) -> Result<Component, WorkflowError> {
    let max_component_bytes = engine.limits().max_component_bytes;
    if bytes.len() > max_component_bytes {
        return Err(WorkflowError::TooLarge { max_component_bytes });
    }
    // Bytes 4 to 8 of a binary: version and layer (component model, Binary.md); layer 0 is a core module.
    if bytes.starts_with(b"\0asm\x01\0\0\0") {
        return Err(WorkflowError::CoreModule);
    }
    unfolding::check(bytes, engine.limits().max_unfolded_items)?;
    let invalid = |error| WorkflowError::Invalid(format!("{error:#}"));
    let Some(cache) = engine.cache() else {
        return Component::from_binary(engine.inner(), bytes).map_err(invalid);
    };
    if let Some(component) = cache.load(engine.inner(), bytes) {
        return Ok(component);
    }
    let component = Component::from_binary(engine.inner(), bytes).map_err(invalid)?;
    cache.store(&component, bytes);
    Ok(component)
}

/// How many places of the pool one run takes. More than there are would wait for ever.
fn places(engine: &Engine, component: &Component) -> Result<u32, WorkflowError> {
    if engine.options().allocation == Allocation::OnDemand {
        return Ok(1);
    }
    let pool = &engine.limits().pool;
    let needs = component.resources_required().ok_or_else(|| {
        WorkflowError::Refused(vec!["it imports core modules, so its demands are unknown".into()])
    })?;
    let places = needs.num_memories.max(needs.num_tables.div_ceil(pool.tables_per_place.max(1)));
    if places > pool.max_places {
        let why =
            format!("it needs {places} places of the pool's {} (max_places)", pool.max_places);
        return Err(WorkflowError::Refused(vec![why]));
    }
    Ok(places.max(1))
}

impl fmt::Debug for Workflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workflow").finish_non_exhaustive()
    }
}
