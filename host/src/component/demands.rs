//! The memories and tables that the core modules of a component declare.

use serde::Serialize;
use wasmparser::{BinaryReaderError, MemoryType, Parser, Payload, TableType};

/// Bytes of a page where a memory says nothing else; given by the WebAssembly specification.
const PAGE_BYTES: u64 = 64 << 10;

/// What the core modules of a component declare, module by module. A module that is instantiated twice needs it twice, which
/// isn't seen here.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[non_exhaustive]
pub struct Demands {
    /// Core modules.
    pub core_modules: usize,
    /// Linear memories.
    pub memories: Vec<MemoryDemand>,
    /// Tables.
    pub tables: Vec<TableDemand>,
}

/// A linear memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MemoryDemand {
    /// Bytes that it has from the start.
    pub initial_bytes: u64,
    /// Bytes that it never grows beyond, where the module says so.
    pub maximum_bytes: Option<u64>,
}

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct TableDemand {
    /// Elements that it has from the start.
    pub initial_elements: u64,
    /// Elements that it never grows beyond, where the module says so.
    pub maximum_elements: Option<u64>,
}

impl Demands {
    /// Reads a component that was found valid before.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, BinaryReaderError> {
        let mut demands = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::ModuleSection { .. } => demands.core_modules += 1,
                Payload::MemorySection(memories) => {
                    for memory in memories {
                        demands.memories.push(memory?.into());
                    }
                }
                Payload::TableSection(tables) => {
                    for table in tables {
                        demands.tables.push(table?.ty.into());
                    }
                }
                _ => {}
            }
        }
        Ok(demands)
    }
}

impl From<MemoryType> for MemoryDemand {
    fn from(ty: MemoryType) -> Self {
        let page_bytes = match ty.page_size_log2 {
            None => PAGE_BYTES,
            Some(log2) => 1_u64.checked_shl(log2).unwrap_or(u64::MAX),
        };
        let bytes = |pages: u64| pages.saturating_mul(page_bytes);
        Self { initial_bytes: bytes(ty.initial), maximum_bytes: ty.maximum.map(bytes) }
    }
}

impl From<TableType> for TableDemand {
    fn from(ty: TableType) -> Self {
        Self { initial_elements: ty.initial, maximum_elements: ty.maximum }
    }
}
