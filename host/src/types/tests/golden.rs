//! What is written of lists that have everything in them. Golden files are added, never edited.

use super::{
    super::{compact, globals::GLOBALS, rust, typescript},
    server,
};
use crate::limits::TypesLimits;

/// The declarations of two servers, with one list each, in both forms. What every script has is left out of the first.
fn written(names: [&str; 2], lists: [&str; 2]) -> (String, String) {
    let limits = TypesLimits::default();
    let servers = [0, 1].map(|index| server(names[index], lists[index], &limits).unwrap());
    let types = typescript(&servers, &limits).unwrap();
    let types = types.strip_suffix(GLOBALS).expect("every script has the globals");
    (types.to_owned(), compact(&servers, &limits).unwrap())
}

fn bindings(names: [&str; 2], lists: [&str; 2]) -> String {
    let limits = TypesLimits::default();
    let servers = [0, 1].map(|index| server(names[index], lists[index], &limits).unwrap());
    rust(&servers, &limits).unwrap()
}

#[test]
fn a_list_with_everything_that_schemas_have_is_written_as_it_was() {
    let lists = [include_str!("golden/tricky.json"), "[]"];

    let (types, short) = written(["tricky", "no tools"], lists);

    assert_eq!(types, include_str!("golden/tricky.d.ts"));
    assert_eq!(short, include_str!("golden/tricky.txt"));
}

#[test]
fn a_list_that_wants_to_break_out_is_written_as_it_was() {
    let lists = [include_str!("golden/hostile.json"), "[]"];

    let (types, short) = written(["hos*/tile", "default"], lists);

    assert_eq!(types, include_str!("golden/hostile.d.ts"));
    assert_eq!(short, include_str!("golden/hostile.txt"));
}

#[test]
fn the_order_of_servers_and_tools_makes_no_difference() {
    let tricky = include_str!("golden/tricky.json");
    let mut turned: Vec<serde_json::Value> = serde_json::from_str(tricky).unwrap();
    turned.reverse();
    let turned = serde_json::to_string(&turned).unwrap();

    let once = written(["a", "b"], [tricky, "[]"]);

    assert_eq!(written(["b", "a"], ["[]", turned.as_str()]), once);
}

/// The files are in a crate that the tests compile for WebAssembly.
#[test]
fn bindings_are_written_as_they_were() {
    let tricky = include_str!("golden/tricky.json");
    let hostile = include_str!("golden/hostile.json");

    assert_eq!(
        bindings(["tricky", "no tools"], [tricky, "[]"]),
        include_str!("../../../../tests/guests/src/bindings/tricky.rs")
    );
    assert_eq!(
        bindings(["hos*/tile", "default"], [hostile, "[]"]),
        include_str!("../../../../tests/guests/src/bindings/hostile.rs")
    );
}
