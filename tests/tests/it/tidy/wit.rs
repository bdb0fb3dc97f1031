//! Rules on the WIT package: one function for guests, one for the host, both async, everything dated and described.

use std::{fs, path::Path};

use wit_parser::{
    Docs, Function, FunctionKind, Interface, PackageId, Resolve, Stability, TypeDefKind, World,
    WorldItem, WorldKey,
};

use super::{assert_none, root};

/// Every interface and all its functions.
const INTERFACES: &[(&str, &[&str])] = &[("tools", &["call-tool"]), ("run", &["run"])];

/// Every world with its imports and its exports.
const WORLDS: &[(&str, &[&str], &[&str])] =
    &[("workflow", &["tools"], &["run"]), ("middleware", &["tools"], &["tools"])];

/// Reads a package and lists what is wrong with it.
fn faults(folder: &Path) -> Vec<String> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(folder).unwrap();
    let mut reader = Reader { resolve: &resolve, package, faults: Vec::new() };
    reader.read();
    reader.faults
}

struct Reader<'a> {
    resolve: &'a Resolve,
    package: PackageId,
    faults: Vec<String>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let package = &self.resolve.packages[self.package];
        let name = package.name.to_string();
        self.expect(name == "callgate:mcp@0.1.0", || format!("the package is called {name}"));
        self.described("the package", &package.docs);

        for (name, &id) in &package.interfaces {
            self.interface(name, &self.resolve.interfaces[id]);
        }
        for (name, &id) in &package.worlds {
            self.world(name, &self.resolve.worlds[id]);
        }
        for (name, _) in INTERFACES {
            let is_there = package.interfaces.contains_key(*name);
            self.expect(is_there, || format!("interface {name} is missing"));
        }
        for (name, ..) in WORLDS {
            self.expect(package.worlds.contains_key(*name), || format!("world {name} is missing"));
        }
    }

    fn interface(&mut self, name: &str, interface: &Interface) {
        self.described(name, &interface.docs);
        self.dated(name, &interface.stability);
        let functions: Vec<&str> = interface.functions.keys().map(String::as_str).collect();
        let expected = INTERFACES.iter().find(|(expected, _)| *expected == name);
        let is_expected = expected.is_some_and(|(_, expected)| functions == *expected);
        self.expect(is_expected, || format!("interface {name} has the functions {functions:?}"));
        interface.functions.values().for_each(|function| self.function(function));
        for (name, &id) in &interface.types {
            let definition = &self.resolve.types[id];
            self.described(name, &definition.docs);
            self.dated(name, &definition.stability);
            self.members(name, &definition.kind);
        }
    }

    fn function(&mut self, function: &Function) {
        let name = &function.name;
        let is_async = function.kind == FunctionKind::AsyncFreestanding;
        self.expect(is_async, || format!("{name} is not an async func"));
        self.described(name, &function.docs);
        self.dated(name, &function.stability);
    }

    fn members(&mut self, name: &str, kind: &TypeDefKind) {
        let members: Vec<(&String, &Docs)> = match kind {
            TypeDefKind::Record(it) => it.fields.iter().map(|it| (&it.name, &it.docs)).collect(),
            TypeDefKind::Variant(it) => it.cases.iter().map(|it| (&it.name, &it.docs)).collect(),
            TypeDefKind::Enum(it) => it.cases.iter().map(|it| (&it.name, &it.docs)).collect(),
            TypeDefKind::Flags(it) => it.flags.iter().map(|it| (&it.name, &it.docs)).collect(),
            TypeDefKind::Type(_) => Vec::new(),
            // A resource would bring methods: functions by another door.
            other => return self.faults.push(format!("{name} is a {}", other.as_str())),
        };
        members
            .into_iter()
            .for_each(|(member, docs)| self.described(&format!("{name}.{member}"), docs));
    }

    fn world(&mut self, name: &str, world: &World) {
        self.described(name, &world.docs);
        self.dated(name, &world.stability);
        let imports = self.items(name, world.imports.iter());
        let exports = self.items(name, world.exports.iter());
        let expected = WORLDS.iter().find(|(expected, ..)| *expected == name);
        let is_expected = expected.is_some_and(|(_, i, e)| imports == *i && exports == *e);
        self.expect(is_expected, || {
            format!("world {name} imports {imports:?} and exports {exports:?}")
        });
    }

    /// The names of the interfaces that a world imports or exports; anything but a named interface is a fault.
    fn items<'i>(
        &mut self,
        world: &str,
        items: impl Iterator<Item = (&'i WorldKey, &'i WorldItem)>,
    ) -> Vec<String> {
        let mut names = Vec::new();
        for (key, item) in items {
            let name = self.resolve.name_world_key(key);
            match (key, item) {
                (WorldKey::Interface(id), WorldItem::Interface { stability, .. }) => {
                    self.dated(&format!("{name} in {world}"), stability);
                    names.push(self.resolve.interfaces[*id].name.clone().unwrap_or(name));
                }
                _ => self.faults.push(format!("{name} in {world} is not a named interface")),
            }
        }
        names
    }

    fn described(&mut self, name: &str, docs: &Docs) {
        let is_described = docs.contents.as_deref().is_some_and(|text| !text.trim().is_empty());
        self.expect(is_described, || format!("{name} has no doc comment"));
    }

    fn dated(&mut self, name: &str, stability: &Stability) {
        self.expect(matches!(stability, Stability::Stable { .. }), || {
            format!("{name} has no @since")
        });
    }

    fn expect(&mut self, is_so: bool, fault: impl FnOnce() -> String) {
        if !is_so {
            self.faults.push(fault());
        }
    }
}

#[test]
fn the_interface_has_one_function() {
    assert_none(faults(&root().join("wit")));
}

#[test]
fn every_change_of_the_interface_is_noticed() {
    const SINCE: &str = "  @since(version = 0.1.0)\n";
    let end = "call-error>;\n";
    let second = format!("{end}  /// Two.\n{SINCE}  two: async func();\n");
    let door = format!("type json = string;\n  /// A door.\n{SINCE}  resource door;\n");
    let now = format!("  export run;\n{SINCE}  import now: func() -> u64;\n");
    let undated = format!("{SINCE}  enum outcome");
    let undated_export = format!("{SINCE}  export run;");
    let changes = [
        ("tools.wit", end, &*second, r#"["call-tool", "two"]"#),
        ("tools.wit", "call-tool: async func", "call-tool: func", "call-tool is not an async func"),
        ("run.wit", "run: async func", "run: func", "run is not an async func"),
        ("tools.wit", &*undated, "  enum outcome", "outcome has no @since"),
        ("tools.wit", "/// The tool did what it was asked.", "", "outcome.ok has no doc comment"),
        ("tools.wit", "type json = string;\n", &*door, "door is a resource"),
        ("worlds.wit", "@0.1.0;", "@0.2.0;", "the package is called callgate:mcp@0.2.0"),
        ("worlds.wit", "world middleware", "world layer", "world middleware is missing"),
        ("worlds.wit", "  export run;\n", &*now, "now in workflow is not a named interface"),
        ("worlds.wit", &*undated_export, "  export run;", "run@0.1.0 in workflow has no @since"),
    ];

    for (file, from, to, expected) in changes {
        let folder = tempfile::tempdir().unwrap();
        for name in ["run.wit", "tools.wit", "worlds.wit"] {
            let mut text = fs::read_to_string(root().join("wit").join(name)).unwrap();
            if name == file {
                assert!(text.contains(from), "{file} has no {from:?}");
                text = text.replacen(from, to, 1);
            }
            fs::write(folder.path().join(name), text).unwrap();
        }

        let faults = faults(folder.path());

        assert!(
            faults.iter().any(|fault| fault.contains(expected)),
            "{expected:?} is not among {faults:?}"
        );
    }
}
