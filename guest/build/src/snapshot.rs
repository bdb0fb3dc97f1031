//! Running a module's start once, when it is built, and keeping the memory that it leaves.
//!
//! What a run would do first, again and again, is then already done. It works for modules whose state is in their memory alone,
//! as that of C is: the stack pointer is where it was when the start is over, and no table changes.

use anyhow::{Context, Result, bail};
use wasm_encoder::{
    ConstExpr, DataSection, ExportKind, ExportSection, MemorySection, MemoryType,
    Module as Encoded, RawSection,
};
use wasmi::{Engine, Extern, ExternType, Func, Instance, Linker, Module, Store};
use wasmparser::{ExportSectionReader, ExternalKind, MemorySectionReader, Parser, Payload};

/// Zeros in a row that are left out of the memory's image; a new segment costs about as many bytes.
const GAP_BYTES: usize = 16;

/// Bytes of one page of memory (core specification, section 4.2.8).
const PAGE_BYTES: usize = 65_536;

/// The function of a reactor that runs the constructors of C (WASI, preview 1).
const INITIALIZE: &str = "_initialize";

/// Calls the exported function `start` of `module`, and encodes the module with the memory as it is then. `start` and the
/// constructors, which have run before it, are no exports any more.
///
/// # Errors
///
/// When the module is none, `start` isn't there, or it traps; a call of an import is a trap.
pub(crate) fn snapshot(module: &[u8], start: &str) -> Result<Vec<u8>> {
    let memory = memory_after(module, start)?;
    let pages = u64::try_from(memory.len() / PAGE_BYTES)?;
    let mut encoded = Encoded::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match &payload {
            Payload::MemorySection(memories) => {
                encoded.section(&grown(memories.clone(), pages)?);
            }
            Payload::ExportSection(exports) => {
                encoded.section(&without(exports.clone(), &[start, INITIALIZE])?);
            }
            Payload::DataSection(_) => {
                encoded.section(&image(&memory)?);
            }
            // It has the number of the old segments, and is there for instructions that a snapshot can't have.
            Payload::DataCountSection { .. } => {}
            payload => {
                if let Some((id, range)) = payload.as_section() {
                    let data = module.get(range).context("a section is outside of its module")?;
                    encoded.section(&RawSection { id, data });
                }
            }
        }
    }
    Ok(encoded.finish())
}

/// Runs constructors and `start`, and takes the whole memory.
fn memory_after(module: &[u8], start: &str) -> Result<Vec<u8>> {
    let engine = Engine::default();
    let module = Module::new(&engine, module)?;
    let mut store = Store::new(&engine, ());
    let mut linker = Linker::new(&engine);
    for import in module.imports() {
        let ExternType::Func(ty) = import.ty() else {
            bail!("it imports {}, which is no function", import.name());
        };
        let name = format!("{}#{}", import.module(), import.name());
        let trap = Func::new(&mut store, ty.clone(), move |_, _, _| {
            Err(wasmi::Error::new(format!("{name} was called, and there is no host yet")))
        });
        linker.define(import.module(), import.name(), trap)?;
    }
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    for function in [INITIALIZE, start] {
        call(&instance, &mut store, function)?;
    }
    let memory = instance.exports(&store).find_map(|export| match export.into_extern() {
        Extern::Memory(memory) => Some(memory),
        _ => None,
    });
    Ok(memory.context("it exports no memory")?.data(&store).to_vec())
}

fn call(instance: &Instance, store: &mut Store<()>, function: &str) -> Result<()> {
    let start = instance.get_typed_func::<(), ()>(&*store, function)?;
    start.call(store, ()).with_context(|| format!("{function} failed"))
}

/// The memory of the module, with as many pages as it has now.
fn grown(memories: MemorySectionReader<'_>, pages: u64) -> Result<MemorySection> {
    let mut section = MemorySection::new();
    for memory in memories {
        section.memory(MemoryType {
            minimum: pages,
            maximum: memory?.maximum,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
    }
    Ok(section)
}

fn without(exports: ExportSectionReader<'_>, names: &[&str]) -> Result<ExportSection> {
    let mut section = ExportSection::new();
    for export in exports {
        let export = export?;
        if names.contains(&export.name) {
            continue;
        }
        let kind = match export.kind {
            ExternalKind::Func => ExportKind::Func,
            ExternalKind::Memory => ExportKind::Memory,
            ExternalKind::Global => ExportKind::Global,
            ExternalKind::Table => ExportKind::Table,
            kind => bail!("it exports {}, which is {kind:?}", export.name),
        };
        section.export(export.name, kind, export.index);
    }
    Ok(section)
}

/// The memory as segments, without the long runs of zeros in it.
fn image(memory: &[u8]) -> Result<DataSection> {
    let mut section = DataSection::new();
    let mut from = 0;
    while let Some(skipped) = memory[from..].iter().position(|&byte| byte != 0) {
        from += skipped;
        let rest = &memory[from..];
        let gap = rest.windows(GAP_BYTES).position(|bytes| bytes.iter().all(|&byte| byte == 0));
        let length = gap.unwrap_or(rest.len());
        let offset = ConstExpr::i32_const(i32::try_from(from)?);
        section.active(0, &offset, rest[..length].iter().copied());
        from += length;
    }
    Ok(section)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module whose start writes a number far into its memory and grows it.
    const MODULE: &str = r#"(module
        (import "host" "call" (func $call))
        (memory (export "memory") 1 10)
        (global (mut i32) (i32.const 7))
        (data (i32.const 8) "kept")
        (func (export "_initialize") (i32.store8 (i32.const 100) (i32.const 1)))
        (func (export "start")
            (i32.store (i32.const 60000) (i32.const 42))
            (drop (memory.grow (i32.const 2))))
        (func (export "asks") (call $call))
        (func (export "read") (result i32)
            (i32.add (i32.load (i32.const 60000)) (i32.load8_u (i32.const 100)))))"#;

    #[test]
    fn a_snapshot_starts_where_the_start_has_ended() {
        let module = wat::parse_str(MODULE).unwrap();

        let snapshot = snapshot(&module, "start").unwrap();

        let engine = Engine::default();
        let module = Module::new(&engine, &snapshot).unwrap();
        let mut store = Store::new(&engine, ());
        let mut linker = Linker::new(&engine);
        linker.func_wrap("host", "call", || {}).unwrap();
        let instance = linker.instantiate_and_start(&mut store, &module).unwrap();
        let read = instance.get_typed_func::<(), i32>(&store, "read").unwrap();
        let memory = instance.get_memory(&store, "memory").unwrap();
        assert_eq!(read.call(&mut store, ()).unwrap(), 43);
        assert_eq!(&memory.data(&store)[8..12], b"kept");
        assert_eq!(memory.size(&store), 3);
        assert!(instance.get_func(&store, "start").is_none());
        assert!(instance.get_func(&store, "_initialize").is_none());
    }

    #[test]
    fn a_start_that_wants_something_of_the_host_is_an_error() {
        let module = wat::parse_str(MODULE).unwrap();

        let error = snapshot(&module, "asks").unwrap_err();

        assert!(format!("{error:#}").contains("host#call was called"), "{error:#}");
        assert!(snapshot(&module, "absent").is_err());
    }
}
