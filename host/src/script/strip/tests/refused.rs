//! What can't be stripped, and what is said of it.

use super::{super::strip, faults, told};
use crate::limits::SourceLimits;

#[test]
fn what_runs_and_is_no_javascript_is_told_with_what_to_write_instead() {
    for (source, place, words) in [
        ("let a = 1;\nenum B { C }", "2:1", &["enum", "as const"][..]),
        ("const enum B { C }", "1:1", &["enum"]),
        ("export enum B { C }", "1:8", &["enum"]),
        ("namespace A { export let b = 1 }", "1:1", &["namespace", "object"]),
        ("class A { constructor(private b: C) {} }", "1:23", &["field", "constructor"]),
        ("class A { constructor(readonly b = 1) {} }", "1:23", &["field"]),
        ("import a = require('b')", "1:1", &["import"]),
        ("import a = B.c", "1:1", &["import"]),
        ("export = a", "1:1", &["export default"]),
        ("@a class B {}", "1:1", &["decorators"]),
        ("class A { @b c() {} }", "1:11", &["decorators"]),
        ("class A { accessor b = 1 }", "1:11", &["accessor", "get and set"]),
    ] {
        let faults = faults(source);

        let told = told(&faults);
        assert!(told.starts_with(&format!("a.ts:{place}: ")), "{source}\n{told}");
        for word in words {
            assert!(told.contains(word), "no {word} in {told}");
        }
        assert!(faults.iter().all(|fault| fault.advice.is_some()), "{told}");
    }
}

#[test]
fn what_would_mean_something_else_is_refused() {
    for source in [
        "() => <A>{ b: 1 }",
        "return <A>\nb",
        "throw <A>\nb",
        "a = b + c as number * d",
        "<any>{}\n",
        "<any>function () {}",
    ] {
        let faults = faults(source);

        assert_eq!(faults.len(), 1, "{source}");
        let told = told(&faults);
        assert!(told.contains("to do") || told.contains("a.ts:"), "{told}");
    }
}

#[test]
fn an_error_of_syntax_has_its_place_and_its_line() {
    let faults = faults("const a: string = 'b'\nconst c = = 1\n");

    assert_eq!((faults[0].line, faults[0].column), (2, 11), "{}", told(&faults));
    assert!(faults[0].frame.contains("2 | const c = = 1\n  |           ^"), "{}", faults[0].frame);
}

#[test]
fn jsx_is_refused_by_its_name() {
    for file in ["a.tsx", "b/c.JSX"] {
        let faults = strip("1", file, &SourceLimits::default()).unwrap_err();

        assert!(told(&faults).contains("JSX"), "{}", told(&faults));
    }
}

#[test]
fn faults_have_a_bound() {
    let many = "enum A {}\n".repeat(100);
    let long = format!("const {} = = 1", "a".repeat(100_000));

    assert_eq!(faults(&many).len(), 10);
    assert!(told(&faults(&long)).len() < 1_000);
}
