//! Settings as a component: a text in a data segment, and a function that says where it is. No import, no state.

use wasm_encoder::{
    Alias, CanonicalFunctionSection, CanonicalOption, CodeSection, Component,
    ComponentAliasSection, ComponentExportKind, ComponentExportSection, ComponentInstanceSection,
    ComponentTypeSection, ConstExpr, DataSection, ExportKind, ExportSection, Function,
    FunctionSection, InstanceSection, MemorySection, MemoryType, Module, ModuleArg, ModuleSection,
    PrimitiveValType, TypeSection, ValType,
};

/// The unit of a memory's size in bytes, given by the WebAssembly specification.
const PAGE_BYTES: usize = 64 << 10;

/// Where the text starts; before it stand its address and its length (canonical ABI, a string in memory).
const TEXT_AT: u32 = 8;

/// A component that exports the interface `settings`, whose `get` returns `text`.
pub(super) fn component(interface: &str, text: &str) -> Vec<u8> {
    let mut component = Component::new();
    component.section(&ModuleSection(&module(text)));
    let mut instances = InstanceSection::new();
    instances.instantiate::<[(&str, ModuleArg); 0], &str>(0, []);
    component.section(&instances);
    let mut aliases = ComponentAliasSection::new();
    for (kind, name) in [(ExportKind::Memory, "memory"), (ExportKind::Func, "get")] {
        aliases.alias(Alias::CoreInstanceExport { instance: 0, kind, name });
    }
    component.section(&aliases);
    let mut types = ComponentTypeSection::new();
    let nothing: [(&str, PrimitiveValType); 0] = [];
    types.function().params(nothing).result(Some(PrimitiveValType::String.into()));
    component.section(&types);
    let mut functions = CanonicalFunctionSection::new();
    functions.lift(0, 0, [CanonicalOption::UTF8, CanonicalOption::Memory(0)]);
    component.section(&functions);
    let mut interfaces = ComponentInstanceSection::new();
    interfaces.export_items([("get", ComponentExportKind::Func, 0)]);
    component.section(&interfaces);
    let mut exports = ComponentExportSection::new();
    exports.export(interface, ComponentExportKind::Instance, 0, None);
    component.section(&exports);
    component.finish()
}

fn module(text: &str) -> Module {
    let length = u32::try_from(text.len()).expect("settings are far smaller than a memory");
    let mut data = [TEXT_AT.to_le_bytes(), length.to_le_bytes()].concat();
    data.extend_from_slice(text.as_bytes());
    let pages = data.len().div_ceil(PAGE_BYTES) as u64;

    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: pages,
        maximum: Some(pages),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0).export("get", ExportKind::Func, 0);
    let mut get = Function::new([]);
    get.instructions().i32_const(0).end();
    let mut code = CodeSection::new();
    code.function(&get);
    let mut segments = DataSection::new();
    segments.active(0, &ConstExpr::i32_const(0), data);

    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports);
    module.section(&code).section(&segments);
    module
}

#[cfg(test)]
mod tests {
    use wasmparser::Validator;

    use super::*;
    use crate::compose::anatomy::Anatomy;

    #[test]
    fn settings_of_any_size_are_a_valid_component_without_imports() {
        for length in [0, 1, PAGE_BYTES - 8, PAGE_BYTES - 7, 3 * PAGE_BYTES] {
            let name = "callgate:settings/settings@0.1.0";

            let component = component(name, &"x".repeat(length));

            Validator::new().validate_all(&component).unwrap();
            let anatomy = Anatomy::read(&component).unwrap();
            assert_eq!(anatomy.imports_besides(&[]), Vec::<String>::new());
            assert_eq!(anatomy.export(name).as_deref(), Some(name));
        }
    }
}
