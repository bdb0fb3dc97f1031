//! Arguments as a constraint sees them: only those of which every reader sees the same.
//!
//! The text itself goes to the server, whose reader is not ours. So a text that two readers could take for two different
//! values can't be judged here: a key that stands twice, keys that differ in upper and lower case alone, numbers that a
//! 64-bit float doesn't give back, strings that aren't Unicode.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use crate::limits::GrantLimits;

/// Integers that every reader keeps (RFC 7493, section 2.2).
const MAX_EXACT_INTEGER: u64 = (1 << 53) - 1;

/// Why a text can't be judged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Unclear {
    #[error(
        "they have {bytes} bytes, and a constraint reads {max_argument_bytes} (max_argument_bytes)"
    )]
    TooLarge { bytes: usize, max_argument_bytes: usize },
    #[error("they have more than {0} values (max_argument_values)")]
    TooMany(usize),
    #[error("they have more than {0} levels (max_argument_nesting)")]
    TooDeep(usize),
    #[error("the key {0:?} stands twice in one object, or in upper and lower case")]
    Twice(String),
    #[error("not every reader can take the number {0:?} for the same")]
    Number(String),
    #[error("they are not JSON that every reader takes for the same")]
    NotJson,
}

/// The one value that every reader sees in a JSON text.
pub(super) fn read(text: &str, limits: &GrantLimits) -> Result<Value, Unclear> {
    let (bytes, max_argument_bytes) = (text.len(), limits.max_argument_bytes);
    if bytes > max_argument_bytes {
        return Err(Unclear::TooLarge { bytes, max_argument_bytes });
    }
    let mut reader = Reader { text, at: 0, values: 0, limits };
    let value = reader.value(0)?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(Unclear::NotJson),
    }
}

struct Reader<'t> {
    text: &'t str,
    /// The next byte that nobody has read.
    at: usize,
    values: usize,
    limits: &'t GrantLimits,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, Unclear> {
        self.values += 1;
        if self.values > self.limits.max_argument_values {
            return Err(Unclear::TooMany(self.limits.max_argument_values));
        }
        if depth > self.limits.max_argument_nesting {
            return Err(Unclear::TooDeep(self.limits.max_argument_nesting));
        }
        match self.peek().ok_or(Unclear::NotJson)? {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Value::String),
            b'n' => self.word("null", Value::Null),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Unclear> {
        let (mut members, mut folded) = (Map::new(), HashSet::new());
        self.at += 1;
        if self.takes(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.peek();
            let key = self.string()?;
            if !folded.insert(fold(&key)) {
                let key = key.chars().take(self.limits.max_quoted_chars).collect();
                return Err(Unclear::Twice(key));
            }
            self.expect(b':')?;
            let value = self.value(depth + 1)?;
            members.insert(key, value);
            if self.takes(b'}') {
                return Ok(Value::Object(members));
            }
            self.expect(b',')?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Unclear> {
        let mut elements = Vec::new();
        self.at += 1;
        if self.takes(b']') {
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            if self.takes(b']') {
                return Ok(Value::Array(elements));
            }
            self.expect(b',')?;
        }
    }

    fn string(&mut self) -> Result<String, Unclear> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        if bytes.get(start) != Some(&b'"') {
            return Err(Unclear::NotJson);
        }
        let mut at = start + 1;
        loop {
            let rest = bytes.get(at..).ok_or(Unclear::NotJson)?;
            at += memchr::memchr2(b'"', b'\\', rest).ok_or(Unclear::NotJson)?;
            if bytes[at] == b'"' {
                break;
            }
            at += 2;
        }
        self.at = at + 1;
        // Refuses half a surrogate pair, of which readers make different things.
        serde_json::from_str(&self.text[start..self.at]).map_err(|_| Unclear::NotJson)
    }

    fn number(&mut self) -> Result<Value, Unclear> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.bytes().take_while(is_part).count();
        let text = &rest[..length];
        self.at += length;
        if serde_json::from_str::<&serde_json::value::RawValue>(text).is_err() {
            return Err(Unclear::NotJson);
        }
        exact(text).map(Value::Number).ok_or_else(|| {
            Unclear::Number(text.chars().take(self.limits.max_quoted_chars).collect())
        })
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Unclear> {
        if !self.text[self.at..].starts_with(word) {
            return Err(Unclear::NotJson);
        }
        self.at += word.len();
        Ok(value)
    }

    /// The next byte that isn't white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, byte: u8) -> Result<(), Unclear> {
        if self.takes(byte) { Ok(()) } else { Err(Unclear::NotJson) }
    }
}

/// What keys have in common that a careless reader takes for one, such as Go's. Both ways, because some letters have one only.
fn fold(key: &str) -> String {
    if key.is_ascii() { key.to_ascii_lowercase() } else { key.to_uppercase().to_lowercase() }
}

/// The number, if a reader with 64-bit floats and one with more digits see the same.
fn exact(text: &str) -> Option<Number> {
    if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        let integer = text.parse::<i64>().ok()?;
        return (integer.unsigned_abs() <= MAX_EXACT_INTEGER).then(|| integer.into());
    }
    let float: f64 = text.parse().ok()?;
    let is_exact = float.is_finite() && decimal(text)? == decimal(&format!("{float:e}"))?;
    if is_exact { Number::from_f64(float) } else { None }
}

/// A number's sign, its digits without zeros at either end, and the power of ten of the last one.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (is_negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => (true, mantissa),
        None => (false, mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some((false, String::new(), 0));
    }
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    let zeros = i64::try_from(zeros).ok()? - i64::try_from(fraction.len()).ok()?;
    Some((is_negative, significant.to_owned(), i64::from(exponent) + zeros))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_default(text: &str) -> Result<Value, Unclear> {
        read(text, &GrantLimits::default())
    }

    #[test]
    fn what_everybody_takes_for_the_same_is_read() {
        let text = r#" {"a": [1, -2.5e3, 0.1, 9007199254740991, -0, 1E2, 0.0],
            "\u0062\n": {"c": null, "d": [true, false], "e": ""}, "é": "\ud83d\ude00"} "#;

        let value = read_default(text).unwrap();

        let expected = json!({"a": [1, -2500.0, 0.1, 9007199254740991_u64, 0, 100.0, 0.0],
            "b\n": {"c": null, "d": [true, false], "e": ""}, "é": "😀"});
        assert_eq!(value, expected);
    }

    #[test]
    fn keys_that_a_reader_may_take_for_one_are_refused_at_any_depth() {
        for text in [
            r#"{"path": 1, "path": 2}"#,
            r#"{"path": 1, "p\u0061th": 2}"#,
            r#"{"path": 1, "Path": 2}"#,
            r#"{"a": [{"b": {"k": 1, "K": 2}}]}"#,
            // A Kelvin sign, and a long s.
            "{\"k\": 1, \"\u{212a}\": 2}",
            "{\"s\": 1, \"\u{17f}\": 2}",
        ] {
            assert!(matches!(read_default(text), Err(Unclear::Twice(_))), "{text}");
        }
        assert!(read_default(r#"[{"a": 1}, {"a": 2, "b": {"a": 3}}]"#).is_ok());
    }

    #[test]
    fn numbers_that_a_reader_may_round_are_refused() {
        for number in [
            "9007199254740992",
            "-9007199254740993",
            "10000000000000000000",
            "1e400",
            "1e-400",
            "0.1000000000000000055511151231257827",
            "9007199254740993.0",
            "1e99999999999",
        ] {
            let text = format!(r#"{{"n": {number}}}"#);
            assert_eq!(read_default(&text), Err(Unclear::Number(number.to_owned())));
        }
        for number in ["0.30000000000000004", "1e300", "1.50", "-0.0e5", "5e-324", "120.0e-1"] {
            read_default(number).unwrap_or_else(|unclear| panic!("{number}: {unclear}"));
        }
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let limits = GrantLimits {
            max_argument_bytes: 40,
            max_argument_values: 5,
            max_argument_nesting: 3,
            ..GrantLimits::default()
        };

        assert!(read("[[[1]]]", &limits).is_ok());
        assert_eq!(read("[[[[1]]]]", &limits), Err(Unclear::TooDeep(3)));
        assert!(read("[1,2,3,4]", &limits).is_ok());
        assert_eq!(read("[1,2,3,4,5]", &limits), Err(Unclear::TooMany(5)));
        let long = format!("[\"{}\"]", "x".repeat(40));
        assert!(matches!(read(&long, &limits), Err(Unclear::TooLarge { bytes: 44, .. })));
    }

    #[test]
    fn what_is_not_json_is_refused_and_nothing_panics() {
        for text in [
            "",
            "{",
            "[",
            "\"",
            "\"\\",
            "{\"a\"}",
            "{\"a\":1,}",
            "[1,]",
            "[1 2]",
            "nul",
            "01",
            "1 2",
            "+1",
            "1.",
            ".5",
            "-",
            "1e",
            "{1:2}",
            "\"\\ud800\"",
            "\"\\x\"",
            "\"\n\"",
            "é",
            "[é]",
            "\"\\é\"",
            "}",
        ] {
            assert_eq!(read_default(text), Err(Unclear::NotJson), "{text}");
        }
    }
}
