//! Words of servers as words of Rust.

use super::super::{doc, names::identifier};

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that can't be made names, not even raw ones.
const PATHS: &[&str] = &["crate", "self", "super"];

/// A name as functions, modules and fields have it.
pub(super) fn function_name(name: &str) -> String {
    let mut words = String::new();
    let mut before = '_';
    for c in name.chars() {
        let is_start =
            c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        if is_start {
            words.push('_');
        }
        if c != '_' || !words.ends_with('_') {
            words.push(c);
        }
        before = name_sign(c, is_start);
    }
    let name = identifier(&words);
    match name.as_str() {
        "_" => "unnamed".to_owned(),
        name if KEYWORDS.contains(&name) => format!("r#{name}"),
        name if PATHS.contains(&name) => format!("{name}_"),
        _ => name,
    }
}

/// What a sign counts as for the next one: after a capital no other begins a word.
fn name_sign(c: char, was_capital: bool) -> char {
    if was_capital { 'A' } else { c }
}

/// A string literal.
pub(super) fn string(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            c if c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric() => literal.push(c),
            c => literal.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    literal.push('"');
    literal
}

/// Lines of a doc comment. None of them is code: what stands in a comment as code is compiled and run as a test.
pub(super) fn doc_lines(text: &str) -> Vec<String> {
    let lines = doc::lines(text);
    let lines = lines.iter().map(|line| line.trim().replace("```", "'''").replace("~~~", "'''"));
    lines.map(|line| format!("/// {line}").trim_end().to_owned()).collect()
}
