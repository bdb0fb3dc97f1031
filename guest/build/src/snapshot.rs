//! Running a module's start once, when it is built, and keeping the memory that it leaves.
//!
//! What a run would do first, again and again, is then already done. It works for modules whose state is in their memory alone,
//! as that of C is: the stack pointer is where it was when the start is over, and no table changes.

use anyhow::{Context, Result, bail};
use wasm_encoder::{
    ConstExpr, DataSection, ExportKind, ExportSection, MemorySection, MemoryType,
    Module as Encoded, RawSection,
};
use wasmi::{Engine, ExternType, Func, Instance, Linker, Memory, Module, Store, Val};
use wasmparser::{ExportSectionReader, ExternalKind, MemorySectionReader, Parser, Payload};

/// Zeros in a row that are left out of the memory's image; a new segment costs about as many bytes.
const GAP_BYTES: usize = 16;

/// Bytes of one page of memory (core specification, section 4.2.8).
const PAGE_BYTES: usize = 65_536;

/// The function of a reactor that runs the constructors of C (WASI, preview 1).
const INITIALIZE: &str = "_initialize";

/// What is called before a module is kept.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// An exported function without parameters and results. The module starts with the memory that it leaves.
    pub function: &'a str,
    /// An exported function without parameters that tells the start what to do better. It is called after a start whose memory
    /// is thrown away, and its calls of imports do nothing and return zeros. Its result is where its findings are, as an
    /// address in the upper 32 bits and a number of bytes in the lower ones; the start that is kept finds them in the same place.
    pub rehearsal: Option<&'a str>,
}

/// Calls the start of `module`, and encodes the module with the memory as it is then. Its functions and the constructors, which
/// have run before them, are no exports any more.
///
/// # Errors
///
/// When the module is none, a function isn't there, or it traps; for the start, a call of an import is a trap.
pub(crate) fn snapshot(module: &[u8], start: Start<'_>) -> Result<Vec<u8>> {
    let memory = memory_after(module, start)?;
    let pages = u64::try_from(memory.len() / PAGE_BYTES)?;
    let names: Vec<&str> =
        [INITIALIZE, start.function].into_iter().chain(start.rehearsal).collect();
    let mut encoded = Encoded::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match &payload {
            Payload::MemorySection(memories) => {
                encoded.section(&grown(memories.clone(), pages)?);
            }
            Payload::ExportSection(exports) => {
                encoded.section(&without(exports.clone(), &names)?);
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

/// Runs constructors and start, and takes the whole memory.
fn memory_after(module: &[u8], start: Start<'_>) -> Result<Vec<u8>> {
    let engine = Engine::default();
    let module = Module::new(&engine, module)?;
    let found = start.rehearsal.map(|it| rehearse(&module, start.function, it)).transpose()?;
    let mut started = Started::new(&module, Imports::Trap)?;
    if let Some(Found { address, bytes }) = found {
        started.memory()?.write(&mut started.store, address, &bytes)?;
    }
    started.call(start.function)?;
    Ok(started.memory()?.data(&started.store).to_vec())
}

/// What a rehearsal has found, and where it belongs.
struct Found {
    address: usize,
    bytes: Vec<u8>,
}

fn rehearse(module: &Module, start: &str, rehearsal: &str) -> Result<Found> {
    let mut started = Started::new(module, Imports::ReturnZeros)?;
    started.call(start)?;
    let function = started.instance.get_typed_func::<(), i64>(&started.store, rehearsal)?;
    let found = function.call(&mut started.store, ());
    let found = found.with_context(|| format!("{rehearsal} failed"))?.cast_unsigned();
    let (address, length) = (usize::try_from(found >> 32)?, usize::try_from(found & 0xffff_ffff)?);
    let mut bytes = vec![0; length];
    started.memory()?.read(&started.store, address, &mut bytes)?;
    Ok(Found { address, bytes })
}

/// What a call of an import does.
#[derive(Clone, Copy)]
enum Imports {
    Trap,
    ReturnZeros,
}

/// An instance whose constructors have run.
struct Started {
    store: Store<()>,
    instance: Instance,
}

impl Started {
    fn new(module: &Module, imports: Imports) -> Result<Self> {
        let mut store = Store::new(module.engine(), ());
        let mut linker = Linker::new(module.engine());
        for import in module.imports() {
            let ExternType::Func(ty) = import.ty() else {
                bail!("it imports {}, which is no function", import.name());
            };
            let name = format!("{}#{}", import.module(), import.name());
            let function = Func::new(&mut store, ty.clone(), move |_, _, results| match imports {
                Imports::Trap => {
                    let what = format!("{name} was called, and there is no host yet");
                    Err(wasmi::Error::new(what))
                }
                Imports::ReturnZeros => {
                    results.iter_mut().for_each(|result| *result = Val::default(result.ty()));
                    Ok(())
                }
            });
            linker.define(import.module(), import.name(), function)?;
        }
        let instance = linker.instantiate_and_start(&mut store, module)?;
        let mut started = Self { store, instance };
        started.call(INITIALIZE)?;
        Ok(started)
    }

    fn call(&mut self, function: &str) -> Result<()> {
        let typed = self.instance.get_typed_func::<(), ()>(&self.store, function)?;
        typed.call(&mut self.store, ()).with_context(|| format!("{function} failed"))
    }

    fn memory(&self) -> Result<Memory> {
        let mut exports = self.instance.exports(&self.store);
        let memory = exports.find_map(|export| export.into_extern().into_memory());
        memory.context("it exports no memory")
    }
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

    /// A module whose start writes a number far into its memory and grows it. Its rehearsal finds a number for the start to
    /// find, and leaves another one behind.
    const MODULE: &str = r#"(module
        (import "host" "call" (func $call (result i32)))
        (memory (export "memory") 1 10)
        (global (mut i32) (i32.const 7))
        (data (i32.const 8) "kept")
        (func (export "_initialize") (i32.store8 (i32.const 100) (i32.const 1)))
        (func (export "start")
            (i32.store (i32.const 60000) (i32.add (i32.const 42) (i32.load (i32.const 200))))
            (drop (memory.grow (i32.const 2))))
        (func (export "rehearse") (result i64)
            (i32.store (i32.const 200) (i32.add (i32.const 1000) (call $call)))
            (i32.store (i32.const 300) (i32.const 5))
            (i64.const 0x000000c8_00000004))
        (func (export "asks") (drop (call $call)))
        (func (export "read") (result i32)
            (i32.add
                (i32.add (i32.load (i32.const 60000)) (i32.load (i32.const 300)))
                (i32.load8_u (i32.const 100)))))"#;

    fn of(start: Start<'_>) -> Result<Vec<u8>> {
        snapshot(&wat::parse_str(MODULE).unwrap(), start)
    }

    #[test]
    fn a_snapshot_starts_where_the_start_has_ended() {
        let snapshot = of(Start { function: "start", rehearsal: None }).unwrap();

        let mut kept = Kept::new(&snapshot);
        assert_eq!(kept.read(), 43);
        let memory = kept.instance.get_memory(&kept.store, "memory").unwrap();
        assert_eq!(&memory.data(&kept.store)[8..12], b"kept");
        assert_eq!(memory.size(&kept.store), 3);
        assert!(kept.instance.get_func(&kept.store, "start").is_none());
        assert!(kept.instance.get_func(&kept.store, "_initialize").is_none());
    }

    #[test]
    fn a_start_finds_what_its_rehearsal_has_found_and_nothing_else_of_it() {
        let snapshot = of(Start { function: "start", rehearsal: Some("rehearse") }).unwrap();

        let mut kept = Kept::new(&snapshot);
        assert_eq!(kept.read(), 1043);
        assert!(kept.instance.get_func(&kept.store, "rehearse").is_none());
    }

    #[test]
    fn a_start_that_wants_something_of_the_host_is_an_error() {
        let error = of(Start { function: "asks", rehearsal: None }).unwrap_err();

        assert!(format!("{error:#}").contains("host#call was called"), "{error:#}");
        assert!(of(Start { function: "absent", rehearsal: None }).is_err());
        assert!(of(Start { function: "start", rehearsal: Some("absent") }).is_err());
    }

    /// A snapshot in use.
    struct Kept {
        store: Store<()>,
        instance: Instance,
    }

    impl Kept {
        fn new(snapshot: &[u8]) -> Self {
            let engine = Engine::default();
            let module = Module::new(&engine, snapshot).unwrap();
            let mut store = Store::new(&engine, ());
            let mut linker = Linker::new(&engine);
            linker.func_wrap("host", "call", || 1).unwrap();
            let instance = linker.instantiate_and_start(&mut store, &module).unwrap();
            Self { store, instance }
        }

        fn read(&mut self) -> i32 {
            let read = self.instance.get_typed_func::<(), i32>(&self.store, "read").unwrap();
            read.call(&mut self.store, ()).unwrap()
        }
    }
}
