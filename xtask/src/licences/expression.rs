//! A licence expression (SPDX specification, annex D), and whether a set of allowed licences meets it.
//!
//! The old `/` of crates is read as `OR`. `+` and user-defined licences are not understood, and so refused.

use std::{collections::BTreeSet, iter::Peekable};

/// One licence expression.
#[derive(Debug, PartialEq)]
pub(crate) enum Expression {
    /// One licence, with its exception where it has one.
    Licence(String),
    /// All of them apply.
    All(Vec<Expression>),
    /// One of them applies, at the reader's choice.
    Any(Vec<Expression>),
}

impl Expression {
    /// Reads an expression, or says what about it was not understood.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut words = split(text).into_iter().peekable();
        let expression = any(&mut words)?;
        match words.next() {
            Some(word) => Err(format!("'{word}' is one word too many")),
            None => Ok(expression),
        }
    }

    /// Whether it can be met with the allowed licences alone.
    pub(crate) fn is_met_by(&self, allowed: &BTreeSet<String>) -> bool {
        match self {
            Self::Licence(licence) => allowed.contains(licence),
            Self::All(parts) => parts.iter().all(|part| part.is_met_by(allowed)),
            Self::Any(parts) => parts.iter().any(|part| part.is_met_by(allowed)),
        }
    }
}

fn split(text: &str) -> Vec<String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// `OR` binds least.
fn any(words: &mut Peekable<impl Iterator<Item = String>>) -> Result<Expression, String> {
    let mut parts = vec![all(words)?];
    while words.next_if_eq("OR").is_some() {
        parts.push(all(words)?);
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Any(parts) })
}

fn all(words: &mut Peekable<impl Iterator<Item = String>>) -> Result<Expression, String> {
    let mut parts = vec![one(words)?];
    while words.next_if_eq("AND").is_some() {
        parts.push(one(words)?);
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
}

fn one(words: &mut Peekable<impl Iterator<Item = String>>) -> Result<Expression, String> {
    let word = words.next().ok_or("it ends too early")?;
    if word == "(" {
        let inner = any(words)?;
        return match words.next() {
            Some(word) if word == ")" => Ok(inner),
            _ => Err("a bracket is not closed".to_owned()),
        };
    }
    let licence = name(word)?;
    if words.next_if_eq("WITH").is_none() {
        return Ok(Expression::Licence(licence));
    }
    let exception = name(words.next().ok_or("it ends too early")?)?;
    Ok(Expression::Licence(format!("{licence} WITH {exception}")))
}

fn name(word: String) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let is_operator = matches!(word.as_str(), "OR" | "AND" | "WITH");
    if is_operator || !word.chars().all(is_plain) {
        return Err(format!("'{word}' is not the name of a licence"));
    }
    Ok(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_met(expression: &str, allowed: &[&str]) -> bool {
        let allowed = allowed.iter().map(|&licence| licence.to_owned()).collect();
        Expression::parse(expression).unwrap().is_met_by(&allowed)
    }

    #[test]
    fn one_alternative_is_enough_and_every_conjunct_is_needed() {
        assert!(is_met("MIT OR GPL-3.0-only", &["MIT"]));
        assert!(is_met("MIT/Apache-2.0", &["Apache-2.0"]));
        assert!(!is_met("MIT AND GPL-3.0-only", &["MIT"]));
        assert!(is_met("(MIT OR GPL-3.0-only) AND ISC", &["MIT", "ISC"]));
        assert!(!is_met("(MIT OR GPL-3.0-only) AND ISC", &["MIT"]));
    }

    #[test]
    fn and_binds_more_than_or() {
        assert!(is_met("MIT OR ISC AND GPL-3.0-only", &["MIT"]));
        assert!(!is_met("GPL-3.0-only AND MIT OR ISC", &["MIT"]));
    }

    #[test]
    fn an_exception_is_part_of_the_licence() {
        assert!(!is_met("Apache-2.0 WITH LLVM-exception", &["Apache-2.0"]));
        assert!(is_met("Apache-2.0 WITH LLVM-exception", &["Apache-2.0 WITH LLVM-exception"]));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in
            ["", "MIT OR", "(MIT", "MIT)", "MIT Apache-2.0", "OR MIT", "GPL-2.0+", "MIT WITH"]
        {
            assert!(Expression::parse(text).is_err(), "{text:?}");
        }
    }
}
