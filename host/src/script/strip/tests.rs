//! Stripping types, from outside: what goes in, what comes out, and what is refused.

mod corpus;
mod hostile;
mod pairs;
mod refused;

use super::{super::diagnostic::Diagnostic, strip};
use crate::limits::SourceLimits;

#[track_caller]
fn stripped(source: &str) -> String {
    let plain = strip(source, "a.ts", &SourceLimits::default());
    plain.unwrap_or_else(|faults| panic!("{source}\n{}", told(&faults)))
}

#[track_caller]
fn faults(source: &str) -> Vec<Diagnostic> {
    match strip(source, "a.ts", &SourceLimits::default()) {
        Ok(text) => panic!("{source}\nbecame\n{text}"),
        Err(faults) => faults,
    }
}

fn told(faults: &[Diagnostic]) -> String {
    faults.iter().map(|fault| format!("{fault}\n")).collect()
}

/// What is left of every line stands in the column where it stood, and there are as many lines.
#[track_caller]
fn assert_stands_where_it_stood(typed: &str, plain: &str) {
    let lines = |text: &str| -> Vec<Vec<u16>> {
        text.split('\n').map(|line| line.encode_utf16().collect()).collect()
    };
    // What is set in place of a type.
    let is_set = |unit: u16| " ;()".encode_utf16().any(|set| set == unit);
    let (typed, plain) = (lines(typed), lines(plain));
    assert_eq!(typed.len(), plain.len());
    for (before, after) in typed.iter().zip(&plain) {
        assert_eq!(before.len(), after.len(), "{}", String::from_utf16_lossy(after));
        assert!(before.iter().zip(after).all(|(before, after)| before == after || is_set(*after)));
    }
}
