//! Sources that are made to hurt: deep ones, wide ones and long ones.

use super::{super::strip, told};
use crate::limits::SourceLimits;

/// Runs to the end, which takes a second or two for a hundred thousand levels where the parser isn't optimised. Done or refused is both well.
#[track_caller]
fn assert_ends(levels: usize, start: &str, open: &str, inner: &str, close: &str) {
    let limits = SourceLimits::default();
    // At most what a source may have: from here on it is refused unread.
    let levels = levels.min((limits.max_source_bytes - 100) / (open.len() + close.len()));
    let source = format!("{start}{}{inner}{}", open.repeat(levels), close.repeat(levels));

    if let Err(faults) = strip(&source, "a.ts", &limits) {
        assert!(!faults.is_empty() && told(&faults).len() < 10_000);
    }
}

#[test]
fn a_hundred_thousand_parentheses_do_not_reach_the_end_of_the_stack() {
    assert_ends(100_000, "x=", "(", "1", ")");
}

#[test]
fn a_hundred_thousand_arrays_do_not_reach_the_end_of_the_stack() {
    assert_ends(100_000, "x=", "[", "", "]");
}

#[test]
fn a_hundred_thousand_types_do_not_reach_the_end_of_the_stack() {
    assert_ends(100_000, "let x:", "[", "", "]");
}

#[test]
fn nothing_else_that_nests_reaches_the_end_of_the_stack() {
    for (start, open, inner, close) in [
        ("x=", "(", "", ""),
        ("x=", "[", "", ""),
        ("let x:", "[", "", ""),
        ("x=", "!", "1", ""),
        ("x=", "- ", "1", ""),
        ("x=", "{a:", "1", "}"),
        ("", "{", "", "}"),
        ("x=", "a=>", "1", ""),
        ("x=", "(a)=>", "1", ""),
        ("x=", "(a=", "1", ")=>1"),
        ("x=", "a?", "1", ":1"),
        ("x=", "a(", "1", ")"),
        ("x=a", "!", "", ""),
        ("x=a", ".b", "", ""),
        ("", "if(1)", "1", ""),
        ("", "a:", "1", ""),
        ("", "x=", "1", ""),
        ("x=", "`${", "1", "}`"),
        ("", "function f(){", "", "}"),
        ("", "x=class{a=", "1", "}"),
        ("let x:", "{a:", "1", "}"),
        ("let x:", "(a:b)=>", "c", ""),
        ("let x:", "a extends b?c:", "d", ""),
        ("let x:", "keyof ", "a", ""),
        ("[", "[", "a", "]"),
    ] {
        assert_ends(5_000, start, open, inner, close);
    }
}

#[test]
fn a_source_that_is_too_long_is_refused_before_it_is_parsed() {
    let limits = SourceLimits::default();
    let source = "a;".repeat(limits.max_source_bytes);

    let faults = strip(&source, "a.ts", &limits).unwrap_err();

    assert!(told(&faults).contains("max_source_bytes"), "{}", told(&faults));
}

#[test]
fn what_may_begin_type_arguments_has_a_bound() {
    let limits = SourceLimits::default();
    for open in ["a<", "f<(", "A<B,"] {
        let source = format!("x={}", open.repeat(limits.max_angle_brackets + 1));

        let faults = strip(&source, "a.ts", &limits).unwrap_err();

        assert!(told(&faults).contains("max_angle_brackets"), "{}", told(&faults));
    }
}

#[test]
fn types_and_generics_nest_as_deep_as_the_bounds_allow() {
    let limits = SourceLimits::default();
    let levels = limits.max_angle_brackets;
    let source = format!("let x:{}a{}", "A<".repeat(levels), ">".repeat(levels));

    let plain = strip(&source, "a.ts", &limits).unwrap();

    assert_eq!(plain.trim_end(), "let x");
}

#[test]
fn many_small_statements_take_no_longer_than_their_length() {
    let limits = SourceLimits::default();
    let source = "type A=1\n".repeat(limits.max_source_bytes / 9);

    let plain = strip(&source, "a.ts", &limits).unwrap();

    assert_eq!(plain.len(), source.len());
}
