//! The check with made-up compilers; a real one is asked by the tests of the command line.

#[cfg(unix)]
mod compilers;

use super::{is_module, settings};

#[test]
fn a_source_that_imports_or_exports_is_a_module() {
    for (source, is_it) in [
        ("import a from 'b'", true),
        ("let a\nimport { a } from 'b'", true),
        ("import{a}from 'b'", true),
        ("import 'b'", true),
        ("export default 1", true),
        ("export{}", true),
        ("export * from 'a'", true),
        ("const a = await import('b')", false),
        ("import('b')", false),
        ("import.meta.url", false),
        ("importer()", false),
        ("exporting()", false),
        ("exports.a = 1", false),
        ("return 1", false),
    ] {
        assert_eq!(is_module(source), is_it, "{source}");
    }
}

#[test]
fn plain_javascript_needs_no_types_for_its_parameters() {
    assert!(settings("script.js").contains("\"noImplicitAny\":false"));
    assert!(settings("script.ts").contains("\"noImplicitAny\":true"));
}
