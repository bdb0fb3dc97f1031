//! Names of servers as names in code.

use std::collections::HashMap;

use super::TypesError;
pub(super) use crate::session::identifier;

/// Names that have to stay apart after they were made identifiers.
pub(super) struct Names {
    what: &'static str,
    taken: HashMap<String, String>,
}

impl Names {
    /// Names of what an error calls `what`.
    pub(super) fn of(what: &'static str) -> Self {
        Self { what, taken: HashMap::new() }
    }

    /// Takes the identifier that a name became.
    pub(super) fn add(&mut self, name: &str, identifier: String) -> Result<String, TypesError> {
        match self.taken.insert(identifier.clone(), name.to_owned()) {
            None => Ok(identifier),
            Some(first) => {
                let (what, second) = (self.what, name.to_owned());
                Err(TypesError::Clash { what, first, second, identifier })
            }
        }
    }
}

/// Names of one scope, each once: a second one gets a number.
#[derive(Default)]
pub(super) struct Scope {
    /// With the number that is tried next, so that a thousand equal names don't take a million attempts.
    taken: HashMap<String, usize>,
}

impl Scope {
    pub(super) fn with(names: &[&str]) -> Self {
        Self { taken: names.iter().map(|name| ((*name).to_owned(), 2)).collect() }
    }

    pub(super) fn take(&mut self, name: String) -> String {
        let Some(next) = self.taken.get(&name).copied() else {
            self.taken.insert(name.clone(), 2);
            return name;
        };
        // A keyword with a number is none.
        let bare = name.trim_start_matches("r#");
        let mut number = next;
        let mut free = format!("{bare}{number}");
        while self.taken.contains_key(&free) {
            number += 1;
            free = format!("{bare}{number}");
        }
        self.taken.insert(name, number + 1);
        self.taken.insert(free.clone(), 2);
        free
    }
}

/// A name as types have it: words that begin with capitals, `read-only_list` as `ReadOnlyList`.
pub(super) fn type_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words
        .map(|word| {
            let (first, rest) = word.split_at(1);
            first.to_ascii_uppercase() + rest
        })
        .collect();
    identifier(if name.is_empty() { "Unnamed" } else { &name })
}

/// Words that can't name a namespace or a type in TypeScript.
const WORDS: &[&str] = &[
    "any",
    "arguments",
    "await",
    "bigint",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "never",
    "new",
    "null",
    "number",
    "object",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "string",
    "super",
    "switch",
    "symbol",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "unknown",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// An identifier that names a namespace in TypeScript. No other one has a dollar sign.
pub(super) fn namespace(identifier: &str) -> String {
    if WORDS.contains(&identifier) { format!("${identifier}") } else { identifier.to_owned() }
}
