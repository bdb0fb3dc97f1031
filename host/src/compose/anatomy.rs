//! What a component imports and exports, and the schema that it carries, as far as composing needs to know.

use wasmparser::{Encoding, Parser, Payload};

/// The custom section with the JSON Schema of a middleware's settings. The guest SDK puts it into the core module.
pub(super) const SCHEMA_SECTION: &str = "callgate:settings-schema";

/// The outside of a component.
#[derive(Debug)]
pub(super) struct Anatomy {
    imports: Vec<String>,
    exports: Vec<String>,
    /// The first that there is, however deep.
    pub(super) schema: Option<Vec<u8>>,
}

impl Anatomy {
    /// Reads a component.
    ///
    /// # Errors
    ///
    /// When it isn't one, with what it is instead.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut anatomy = Self { imports: Vec::new(), exports: Vec::new(), schema: None };
        let mut depth = 0_usize;
        for payload in Parser::new(0).parse_all(bytes) {
            match payload.map_err(|error| format!("it is not a valid component: {error}"))? {
                Payload::Version { encoding: Encoding::Module, .. } if depth == 0 => {
                    return Err("it is a core WebAssembly module, not a component; make one with \
                         `callgate componentize MODULE -o OUT`"
                        .to_owned());
                }
                Payload::Version { .. } => depth += 1,
                Payload::End(_) => depth = depth.saturating_sub(1),
                Payload::ComponentImportSection(section) if depth == 1 => {
                    for import in section {
                        anatomy.imports.push(import.map_err(|it| it.to_string())?.name.name.into());
                    }
                }
                Payload::ComponentExportSection(section) if depth == 1 => {
                    for export in section {
                        anatomy.exports.push(export.map_err(|it| it.to_string())?.name.name.into());
                    }
                }
                Payload::CustomSection(section) if section.name() == SCHEMA_SECTION => {
                    anatomy.schema.get_or_insert_with(|| section.data().to_vec());
                }
                _ => {}
            }
        }
        Ok(anatomy)
    }

    /// The name of the import that starts so.
    pub(super) fn import(&self, start: &str) -> Option<String> {
        self.imports.iter().find(|name| name.starts_with(start)).cloned()
    }

    /// The name of the export that starts so.
    pub(super) fn export(&self, start: &str) -> Option<String> {
        self.exports.iter().find(|name| name.starts_with(start)).cloned()
    }

    /// The imports that start with none of these.
    pub(super) fn imports_besides(&self, known: &[&str]) -> Vec<String> {
        let is_known = |name: &&String| known.iter().any(|known| name.starts_with(known));
        self.imports.iter().filter(|name| !is_known(name)).cloned().collect()
    }
}
