//! Whether a component may run, and why not.

use serde::Serialize;
use wasmtime::component::Component;

use super::{Demands, WorkflowError};
use crate::{
    engine::{Engine, WasiPolicy},
    limits::{LimitReached, RunLimits},
};

/// The interface that a workflow may import. Later patch versions of it are compatible.
const TOOLS: &str = "callgate:mcp/tools@0.1.";
/// The interfaces that a workflow may import beside it where WASI is given; others of the name need powers that nobody gives.
const WASI: [&str; 6] =
    ["wasi:cli/", "wasi:clocks/", "wasi:filesystem/", "wasi:io/", "wasi:random/", "wasi:sockets/"];
/// The interface that a workflow has to export.
const RUN: &str = "callgate:mcp/run@0.1.";

/// What a component asks for and offers, and whether it may run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// Bytes of the component.
    pub size_bytes: usize,
    /// The names of its imports.
    pub imports: Vec<String>,
    /// The names of its exports.
    pub exports: Vec<String>,
    /// The memories and tables that it declares.
    pub demands: Demands,
    /// Why it may not run; empty if it may.
    pub reasons: Vec<String>,
}

pub(super) fn judge(
    engine: &Engine,
    component: &Component,
    bytes: &[u8],
    limits: &RunLimits,
) -> Result<Verdict, WorkflowError> {
    let demands =
        Demands::read(bytes).map_err(|error| WorkflowError::Invalid(error.to_string()))?;
    let mut reasons = foreign(engine, component);
    reasons.extend(over(&demands, limits).map(|limit| limit.to_string()));
    let (imports, exports) = names(engine, component);
    Ok(Verdict { size_bytes: bytes.len(), imports, exports, demands, reasons })
}

/// What it asks for beyond the door, or lacks.
pub(super) fn foreign(engine: &Engine, component: &Component) -> Vec<String> {
    let (imports, exports) = names(engine, component);
    let mut reasons: Vec<String> = imports
        .iter()
        .filter(|name| !name.starts_with(TOOLS))
        .filter(|name| !is_wasi(name) || !gives_wasi(engine))
        .map(|name| foreign_import(name, engine))
        .collect();
    if !exports.iter().any(|name| name.starts_with(RUN)) {
        reasons.push(format!("it does not export `{RUN}0`, so there is nothing to run"));
    }
    reasons
}

/// Whether it can only be linked where there is a WASI.
pub(super) fn needs_wasi(engine: &Engine, component: &Component) -> bool {
    names(engine, component).0.iter().any(|name| is_wasi(name))
}

fn gives_wasi(engine: &Engine) -> bool {
    engine.options().wasi == WasiPolicy::Deterministic
}

fn is_wasi(import: &str) -> bool {
    WASI.iter().any(|interface| import.starts_with(interface)) && import.contains("@0.2.")
}

fn names(engine: &Engine, component: &Component) -> (Vec<String>, Vec<String>) {
    let (ty, engine) = (component.component_type(), engine.inner());
    let imports = ty.imports(engine).map(|(name, _)| name.to_owned()).collect();
    let exports = ty.exports(engine).map(|(name, _)| name.to_owned()).collect();
    (imports, exports)
}

fn foreign_import(name: &str, engine: &Engine) -> String {
    let hint = if is_wasi(name) {
        "; build it without WASI (target wasm32-unknown-unknown), or give it one without power (--wasi deterministic)"
    } else if name.starts_with("wasi:") && gives_wasi(engine) {
        "; of WASI there is 0.2 with cli, clocks, filesystem, io, random and sockets"
    } else if name.starts_with("wasi:") {
        "; build it without WASI (target wasm32-unknown-unknown)"
    } else if name.starts_with("callgate:mcp/") {
        "; this host speaks version 0.1 of callgate:mcp"
    } else {
        ""
    };
    format!("it imports `{name}`, and a workflow may import `{TOOLS}0` only{hint}")
}

/// The limits that it is over before it has done anything.
fn over(demands: &Demands, limits: &RunLimits) -> impl Iterator<Item = LimitReached> {
    let size = |size: u64| usize::try_from(size).unwrap_or(usize::MAX);
    let memory = size(demands.memories.iter().map(|it| it.initial_bytes).max().unwrap_or(0));
    let table = size(demands.tables.iter().map(|it| it.initial_elements).max().unwrap_or(0));
    let memory = (memory > limits.max_memory_bytes).then(|| LimitReached::memory(limits, memory));
    let table = (table > limits.max_table_elements).then(|| LimitReached::table(limits, table));
    memory.into_iter().chain(table)
}
