//! JSON that is carried as text: writing it into a larger JSON text without a second look.

use serde::{Serialize, Serializer, ser::Error};
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
