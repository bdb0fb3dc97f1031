//! JSON with comments, as people write it: settings of middleware and suites of tests. It knows where each value stands.

use std::path::Path;

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{self, ObjectProp},
    common::Ranged,
    parse_to_ast, parse_to_serde_value,
};
use serde_json::Value;

/// JSON (RFC 8259) with comments and trailing commas; none of JSON5's other freedoms.
pub(crate) const DIALECT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A text that was read, and where its parts are.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    text: &'t str,
    value: Value,
    tree: ast::Value<'t>,
}

/// Why a text can't be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {detail}")]
pub(crate) struct NotJson {
    line: usize,
    column: usize,
    detail: String,
}

impl<'t> Document<'t> {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// When it isn't JSON with comments, or a key stands twice in one object.
    pub(crate) fn parse(text: &'t str) -> Result<Self, NotJson> {
        let not_json = |error: jsonc_parser::errors::ParseError| NotJson {
            line: error.line_display(),
            column: error.column_display(),
            detail: error.kind().to_string().to_lowercase(),
        };
        let tree = parse_to_ast(text, &CollectOptions::default(), &DIALECT).map_err(not_json)?;
        let Some(tree) = tree.value else {
            return Err(NotJson {
                line: 1,
                column: 1,
                detail: "there is nothing in it".to_owned(),
            });
        };
        if let Some(twice) = duplicate(&tree) {
            let (line, column) = place(text, twice.range.start);
            let detail =
                format!("the key {:?} stands here for the second time", twice.name.as_str());
            return Err(NotJson { line, column, detail });
        }
        let value = parse_to_serde_value(text, &DIALECT).map_err(not_json)?;
        Ok(Self { text, value, tree })
    }

    pub(crate) fn value(&self) -> &Value {
        &self.value
    }

    /// Where the value at a JSON pointer stands: `LINE:COLUMN`. Of one that isn't there, the nearest around it.
    pub(crate) fn place_of(&self, pointer: &str) -> String {
        let mut at = &self.tree;
        for name in pointer.split('/').skip(1) {
            let name = name.replace("~1", "/").replace("~0", "~");
            let inner = match at {
                ast::Value::Object(object) => {
                    object.properties.iter().find(|it| it.name.as_str() == name).map(|it| &it.value)
                }
                ast::Value::Array(array) => {
                    name.parse::<usize>().ok().and_then(|index| array.elements.get(index))
                }
                _ => None,
            };
            match inner {
                Some(inner) => at = inner,
                None => break,
            }
        }
        let (line, column) = place(self.text, at.range().start);
        format!("{line}:{column}")
    }
}

/// Reads a text that stands by itself, and says where it came from.
///
/// # Errors
///
/// When it can't be read, is larger than `max_bytes`, or isn't UTF-8.
pub(crate) fn read_file(path: &Path, max_bytes: usize) -> Result<String, String> {
    use std::io::Read;

    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // One byte more, so that too large is told from just large enough.
    let limit = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > max_bytes {
        return Err(format!("it is larger than {max_bytes} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

fn duplicate<'a, 't>(value: &'a ast::Value<'t>) -> Option<&'a ObjectProp<'t>> {
    match value {
        ast::Value::Object(object) => {
            let mut seen = std::collections::BTreeSet::new();
            let twice = object.properties.iter().find(|it| !seen.insert(it.name.as_str()));
            twice.or_else(|| object.properties.iter().find_map(|it| duplicate(&it.value)))
        }
        ast::Value::Array(array) => array.elements.iter().find_map(duplicate),
        _ => None,
    }
}

/// Line and column, both from 1, columns in characters.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_pointer() {
        let text = "{ // names\n  \"a/b\": [1,\n    {\"c\": 2}],\n}";
        let document = Document::parse(text).unwrap();

        assert_eq!(document.value()["a/b"][1]["c"], 2);
        assert_eq!(document.place_of(""), "1:1");
        assert_eq!(document.place_of("/a~1b/1/c"), "3:11");
        assert_eq!(document.place_of("/a~1b/1/nothing"), "3:5");
    }

    #[test]
    fn what_is_no_json_says_where() {
        for (text, word) in [
            ("{\n \"a\": 1, \"a\": 2}", "2:10: the key \"a\""),
            ("{'a': 1}", "1:"),
            ("// nothing\n", "nothing in it"),
            ("[1 2]", "1:3"),
        ] {
            let error = Document::parse(text).unwrap_err().to_string();

            assert!(error.contains(word), "{error}");
        }
    }
}
