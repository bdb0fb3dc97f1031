//! Values that people wrote against a JSON Schema (draft 2020-12): settings of middleware, and suites of tests.
//!
//! The schema may come from a stranger's component. It is read without any other document, and its patterns take linear time.

use jsonschema::{Draft, PatternOptions};
use serde_json::Value;

use crate::{jsonc::Document, limits::CompositionLimits};

/// The format of regular expressions as the library's middleware reads them, in the dialect of the crate of that name.
const REGEX_LITE: &str = "regex-lite";

/// One thing that is wrong in a document.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Line and column.
    pub(crate) place: String,
    /// The JSON pointer of the value; empty for the whole.
    pub(crate) pointer: String,
    /// What is wrong with it. The value itself isn't quoted: it may be a secret, and long.
    pub(crate) detail: String,
}

/// What is wrong with a document, at most so many faults as the limits have told.
///
/// # Errors
///
/// When `schema` isn't one.
pub(crate) fn faults(
    schema: &Value,
    document: &Document<'_>,
    limits: &CompositionLimits,
) -> Result<Vec<Fault>, String> {
    let patterns = PatternOptions::regex()
        .size_limit(limits.max_pattern_bytes)
        .dfa_size_limit(limits.max_pattern_bytes);
    let is_regex = |pattern: &str| regex_lite::Regex::new(pattern).is_ok();
    let validator = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(patterns)
        .with_format(REGEX_LITE, is_regex)
        .should_validate_formats(true)
        .build(schema)
        .map_err(|error| error.masked().to_string())?;
    let faults = validator.iter_errors(document.value()).take(limits.max_told_faults);
    Ok(faults
        .map(|error| {
            let pointer = error.instance_path().to_string();
            let place = document.place_of(&pointer);
            Fault { place, detail: error.masked().to_string(), pointer }
        })
        .collect())
}
