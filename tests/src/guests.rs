//! The components that the tests run, each by its path. The build script makes them.
//!
//! `workflows::every_tiny_guest_is_run_by_a_test` fails for a tiny guest whose constant no test names.

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

#[cfg(test)]
mod tests {
    use std::fs;

    use wit_parser::decoding::{DecodedWasm, decode};

    use super::*;

    const TOOLS: &str = "callgate:mcp/tools@0.1.0";
    const RUN: &str = "callgate:mcp/run@0.1.0";
    const SETTINGS: &str = "callgate:settings/settings@0.1.0";

    /// The names of what the component at `path` imports and exports.
    fn world_of(path: &str) -> (Vec<String>, Vec<String>) {
        let decoded = decode(&fs::read(path).unwrap()).unwrap();
        let DecodedWasm::Component(resolve, world) = decoded else {
            panic!("{path} isn't a component")
        };
        let world = &resolve.worlds[world];
        let names = |items: &mut dyn Iterator<Item = &wit_parser::WorldKey>| {
            items.map(|key| resolve.name_world_key(key)).collect()
        };
        (names(&mut world.imports.keys()), names(&mut world.exports.keys()))
    }

    #[test]
    fn a_shipped_guest_imports_the_tools_and_nothing_else() {
        for path in [CODE_CENSUS, ERROR_HANDLING, FAN_OUT] {
            assert_eq!(world_of(path), (vec![TOOLS.to_owned()], vec![RUN.to_owned()]), "{path}");
        }
        assert_eq!(world_of(DENY_WRITES), (vec![TOOLS.to_owned()], vec![TOOLS.to_owned()]));
        for path in [ALLOW_LIST, AUDIT, BUDGET, CACHE, DEDUPE, FAULT, REDACT, RENAME, RETRY] {
            let (mut imports, exports) = world_of(path);
            imports.sort();
            assert_eq!(imports, [TOOLS, SETTINGS], "{path}");
            assert_eq!(exports, [TOOLS], "{path}");
        }
        // It answers everything itself, so it can't pass anything on.
        assert_eq!(world_of(MOCK), (vec![SETTINGS.to_owned()], vec![TOOLS.to_owned()]));
        // It calls nothing, so not even the import is left.
        assert_eq!(world_of(HELLO), (vec![], vec![RUN.to_owned()]));
    }

    #[test]
    fn a_tiny_guest_is_a_workflow() {
        macro_rules! is_a_workflow {
            ($guest:ident) => {
                let path = concat!(env!("OUT_DIR"), "/tiny/", stringify!($guest), ".wasm");
                let (imports, exports) = world_of(path);
                let foreign: Vec<_> = imports.iter().filter(|it| *it != TOOLS).collect();
                if path.ends_with("/sees_wasi.wasm") {
                    assert!(!foreign.is_empty(), "{path} has no WASI");
                } else {
                    assert!(foreign.is_empty(), "{path}: {foreign:?}");
                }
                assert_eq!(exports, [RUN], "{path}");
            };
        }
        for_each_test_guest!(is_a_workflow);
    }
}
