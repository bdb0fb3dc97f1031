//! JSON that is carried as text: writing it into a larger text without a second look, and one spelling of equal texts.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
    ser::Error,
};
use serde_json::value::RawValue;

/// Writes a JSON text as the value that it is, not as a string.
pub(crate) fn serialize_text<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::from_str::<&RawValue>(text).map_err(S::Error::custom)?.serialize(serializer)
}

/// As [`serialize_text`]; `None` is `null`.
pub(crate) fn serialize_optional_text<S: Serializer>(
    text: &Option<String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match text {
        Some(text) => serialize_text(text, serializer),
        None => serializer.serialize_none(),
    }
}

/// One spelling for all texts of the same value: keys sorted, no white space, strings escaped in one way. Numbers keep their
/// spelling, so 1 and 1.0 are two values.
///
/// # Errors
///
/// When `text` isn't one JSON text, or an object in it has a key twice: readers differ in which of the two they take.
pub(crate) fn canonical(text: &str) -> Result<String, serde_json::Error> {
    let mut out = String::with_capacity(text.len());
    write_canonical(serde_json::from_str(text)?, &mut out)?;
    Ok(out)
}

fn write_canonical(value: &RawValue, out: &mut String) -> Result<(), serde_json::Error> {
    let text = value.get();
    match text.as_bytes().first() {
        Some(b'{') => {
            let Members(mut members) = serde_json::from_str(text)?;
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            if let Some([(key, _), _]) = members.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(serde_json::Error::custom(format_args!(
                    "the key {key:?} is there twice"
                )));
            }
            out.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                out.push_str(&serde_json::to_string(key)?);
                out.push(':');
                write_canonical(value, out)?;
            }
            out.push('}');
        }
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text)?;
            out.push('[');
            for (index, element) in elements.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write_canonical(element, out)?;
            }
            out.push(']');
        }
        Some(b'"') => {
            let string: String = serde_json::from_str(text)?;
            out.push_str(&serde_json::to_string(&string)?);
        }
        _ => out.push_str(text),
    }
    Ok(())
}

/// The members of an object in their order, also those whose key is there twice.
pub(crate) struct Members<'t>(pub(crate) Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;

        impl<'de> Visitor<'de> for Reading {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reading)
    }
}

/// Rewrites every text in a JSON value, wherever it stands; all else keeps its spelling and its order.
///
/// `rewrite` gets the place of a value, as a JSON pointer (RFC 6901), and the value, before what is inside of it. What it
/// gives back, one JSON text, stands in place of the whole value.
///
/// ```
/// use callgate_guest::rewrite_json;
///
/// let hidden = rewrite_json(r#"{"id": 1.50, "key": "x"}"#, &mut |place, _| {
///     (place == "/key").then(|| "null".to_owned())
/// })?;
/// assert_eq!(hidden, r#"{"id":1.50,"key":null}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// When `text` isn't one JSON text.
pub fn rewrite_json(
    text: &str,
    rewrite: &mut dyn FnMut(&str, &str) -> Option<String>,
) -> Result<String, serde_json::Error> {
    let mut out = String::with_capacity(text.len());
    write_rewritten(serde_json::from_str(text)?, &mut String::new(), rewrite, &mut out)?;
    Ok(out)
}

fn write_rewritten(
    value: &RawValue,
    place: &mut String,
    rewrite: &mut dyn FnMut(&str, &str) -> Option<String>,
    out: &mut String,
) -> Result<(), serde_json::Error> {
    let text = value.get();
    if let Some(other) = rewrite(place, text) {
        out.push_str(&other);
        return Ok(());
    }
    let length = place.len();
    match text.as_bytes().first() {
        Some(b'{') => {
            let Members(members) = serde_json::from_str(text)?;
            out.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                out.push_str(&serde_json::to_string(key)?);
                out.push(':');
                place.push('/');
                place.push_str(&key.replace('~', "~0").replace('/', "~1"));
                write_rewritten(value, place, rewrite, out)?;
                place.truncate(length);
            }
            out.push('}');
        }
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text)?;
            out.push('[');
            for (index, element) in elements.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                place.push('/');
                place.push_str(&index.to_string());
                write_rewritten(element, place, rewrite, out)?;
                place.truncate(length);
            }
            out.push(']');
        }
        _ => out.push_str(text),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_spelling_and_numbers_keep_theirs() {
        let one = canonical(" {\"b\": [1, 1.0, 1e400], \"a\": \"\\u0061\\/\"} ").unwrap();

        assert_eq!(one, r#"{"a":"a/","b":[1,1.0,1e400]}"#);
        assert_eq!(canonical(&one).unwrap(), one);
    }

    #[test]
    fn a_key_that_is_there_twice_has_no_canonical_form() {
        for text in [r#"{"a":1,"a":2}"#, r#"[{"x":{"a":1,"\u0061":2}}]"#, "{", "1 2"] {
            assert!(canonical(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_is_rewritten_by_its_place() {
        let mut places = Vec::new();

        let text = rewrite_json(r#"{"a/b":[1.50,"x"],"a/b":2}"#, &mut |place, text| {
            places.push(place.to_owned());
            (text == "\"x\"").then(|| "null".to_owned())
        });

        assert_eq!(text.unwrap(), r#"{"a/b":[1.50,null],"a/b":2}"#);
        assert_eq!(places, ["", "/a~1b", "/a~1b/0", "/a~1b/1", "/a~1b"]);
    }
}
