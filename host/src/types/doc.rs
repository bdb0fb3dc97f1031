//! Untrusted words for comments and strings of code: nothing in them can end either, or look like something else.

use serde_json::Value;

use super::notes::Notes;
use crate::{limits::TypesLimits, session::ToolHints};

/// Lines for a comment: no control characters, nothing that ends a comment, no tag of its own.
pub(super) fn lines(text: &str) -> Vec<String> {
    let lines = text.split(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']);
    let mut lines: Vec<String> = lines.map(line).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// One line for a comment.
pub(super) fn line(text: &str) -> String {
    let clean: String = text.chars().map(|c| if is_plain(c) { c } else { ' ' }).collect();
    let clean = clean.replace("*/", "*\\/").replace("/*", "/\\*");
    let clean = clean.trim_end();
    let start = clean.len() - clean.trim_start().len();
    let (indent, rest) = clean.split_at(start);
    match rest.starts_with('@') {
        true => format!("{indent}\\{rest}"),
        false => clean.to_owned(),
    }
}

/// The first sentence, on one line, or as much of it as may be there.
pub(super) fn first_sentence(text: &str, limits: &TypesLimits) -> String {
    let lines = text.trim().lines().map(str::trim).take_while(|line| !line.is_empty());
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    let first = paragraph.split(". ").next().unwrap_or_default().trim_end_matches('.');
    match first.char_indices().nth(limits.max_sentence_chars) {
        Some((end, _)) => line(&first[..end]) + "...",
        None => line(first),
    }
}

/// A text in quotation marks, as JSON has it: all of it is printable, and none of it turns the direction of writing.
pub(super) fn quoted(text: &str) -> String {
    let json = Value::from(text).to_string();
    let mut quoted = String::with_capacity(json.len());
    for c in json.chars() {
        if is_plain(c) {
            quoted.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                quoted.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    quoted
}

/// What a server says of a call's effects, in words.
pub(super) fn hints(hints: ToolHints) -> Option<String> {
    let say = |hint: Option<bool>, yes: &'static str, no: &'static str| match hint {
        Some(true) => Some(yes),
        Some(false) => Some(no),
        None => None,
    };
    let words = [
        say(hints.read_only, "read-only", "may change things"),
        say(hints.destructive, "may destroy", "destroys nothing"),
        say(hints.idempotent, "twice is like once", "twice is more than once"),
        say(hints.open_world, "reaches beyond its server", "stays inside its server"),
    ];
    let words: Vec<&str> = words.into_iter().flatten().filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| format!("Says its server: {}.", words.join(", ")))
}

/// Tags for what a type can't say.
pub(super) fn tags(notes: &Notes) -> Vec<String> {
    let bounds = notes.bounds.iter().map(|(name, value)| format!("@{name} {}", inline(value)));
    let mut tags: Vec<String> = bounds.collect();
    tags.extend(notes.default.as_ref().map(|default| format!("@default {}", inline(default))));
    if notes.is_deprecated {
        tags.push("@deprecated".to_owned());
    }
    tags
}

fn inline(text: &str) -> String {
    line(text).trim_start().to_owned()
}

/// Whether a character shows as itself and changes nothing around it.
fn is_plain(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let hides =
        matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    !(c.is_control() || turns || hides || matches!(c, '\u{2028}' | '\u{2029}'))
}
