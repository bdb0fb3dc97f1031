//! Rules on files as texts: their length, their first line, their names, and what must not stand in any of them.

use super::{Source, assert_none, sources};

const MAX_LINES: usize = 400;

/// Files that may be longer, each with its reason. An entry that is no longer needed is a fault.
const LONG: &[(&str, &str)] = &[];

/// What a text may not hold: folders of one machine, and hosts that a mirror would replace.
const FOREIGN: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/fa", "rm/"),
    concat!("registry.", "npmjs"),
    concat!("pypi.", "org"),
    concat!("pythonhosted.", "org"),
    concat!("static.", "crates.io"),
    concat!("index.", "crates.io"),
    concat!("deb.", "debian"),
];

fn has_length_rule(path: &str) -> bool {
    let code = [".rs", ".wit", ".sh", ".js", ".ts", ".py", ".c", ".h"];
    code.iter().any(|ending| path.ends_with(ending))
}

fn long(source: &Source) -> Option<String> {
    let lines = source.text.lines().count();
    let is_listed = LONG.iter().any(|(path, _)| *path == source.path);
    match (has_length_rule(&source.path) && lines > MAX_LINES, is_listed) {
        (true, false) => Some(format!("{}: {lines} lines, {MAX_LINES} are allowed", source.path)),
        (false, true) => Some(format!("{}: needs its place in LONG no longer", source.path)),
        _ => None,
    }
}

fn headless(source: &Source) -> Option<String> {
    let says_what_it_is = source.text.starts_with("//! ");
    (source.is_rust() && !says_what_it_is)
        .then(|| format!("{}: the first line does not say what the file is for", source.path))
}

fn nameless(source: &Source) -> Option<String> {
    (source.path.rsplit('/').next() == Some("mod.rs"))
        .then(|| format!("{}: x.rs and x/, not x/mod.rs", source.path))
}

fn foreign(source: &Source) -> Vec<String> {
    let lines = source.text.lines().enumerate();
    lines
        .flat_map(|(number, line)| {
            let found = FOREIGN.iter().filter(move |foreign| line.contains(**foreign));
            found.map(move |foreign| format!("{}:{}: names {foreign}", source.path, number + 1))
        })
        .collect()
}

#[test]
fn no_file_is_too_long() {
    assert_none(sources().iter().filter_map(long));
}

#[test]
fn a_file_that_is_too_long_is_noticed() {
    let text = "//! Too long.\n".repeat(MAX_LINES + 1);

    assert!(long(&Source::new("host/src/x.rs", &text)).is_some());
    assert!(long(&Source::new("docs/x.md", &text)).is_none());
}

#[test]
fn every_file_says_what_it_is_for() {
    assert_none(sources().iter().filter_map(headless));
}

#[test]
fn a_file_that_does_not_say_what_it_is_for_is_noticed() {
    assert!(headless(&Source::new("host/src/x.rs", "use std::fs;\n//! Too late.\n")).is_some());
}

#[test]
fn no_file_is_called_mod() {
    assert_none(sources().iter().filter_map(nameless));
}

#[test]
fn a_file_called_mod_is_noticed() {
    assert!(nameless(&Source::new("host/src/pool/mod.rs", "//! A pool.\n")).is_some());
}

#[test]
fn no_text_names_a_machine_or_a_registry() {
    assert_none(sources().iter().flat_map(foreign));
}

#[test]
fn every_foreign_name_is_noticed() {
    for name in FOREIGN {
        let text = format!("first\nsee {name}x\n");

        assert_eq!(
            foreign(&Source::new("README.md", &text)),
            [format!("README.md:2: names {name}")]
        );
    }
}
