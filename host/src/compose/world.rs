//! The world that a finished composition has to be of.

use wit_parser::{Resolve, SourceMap, WorldId};

/// The package of the guests, as it is in the repository.
const WIT: [(&str, &str); 3] = [
    ("worlds.wit", include_str!("../../wit/worlds.wit")),
    ("tools.wit", include_str!("../../wit/tools.wit")),
    ("run.wit", include_str!("../../wit/run.wit")),
];

/// Checks a component against the world `workflow`: it imports nothing else, and its types are those of the package.
///
/// # Errors
///
/// What it has too much, lacks, or has of another type.
pub(super) fn check_workflow(component: &[u8]) -> Result<(), String> {
    let (resolve, world) = workflow();
    wit_component::targets(&resolve, world, component).map_err(|error| format!("{error:#}"))
}

fn workflow() -> (Resolve, WorldId) {
    let mut sources = SourceMap::default();
    for (name, text) in WIT {
        sources.push_str(name, text);
    }
    let Ok(group) = sources.parse() else { unreachable!("the package is compiled in and tested") };
    let mut resolve = Resolve::default();
    let package = resolve.push_group(group).expect("the package needs no other");
    let world = resolve.select_world(&[package], Some("workflow")).expect("it has this world");
    (resolve, world)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_has_the_world() {
        let (resolve, world) = workflow();

        assert_eq!(resolve.worlds[world].imports.len(), 1);
        assert!(check_workflow(b"\0asm\x0d\0\x01\0").unwrap_err().contains("run"));
    }
}
