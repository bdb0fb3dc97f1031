//! A configuration file as JSON with comments: entries whose keys are read one by one, and what was found on the way.
//!
//! It knows types and places, not meanings.

use std::{path::Path, sync::Arc, time::Duration};

use jsonc_parser::{
    CollectOptions,
    ast::{Array, Object, Value},
    common::Ranged,
    parse_to_ast,
};

use crate::{
    call::ConnectionId,
    config::{
        error::{ConfigError, Place, Position, Problem, Remark, Warning},
        fault::Fault,
    },
    jsonc::DIALECT,
};

/// Reads a text. No value is given for an empty one.
pub(super) fn parse<'a>(text: &'a str, file: &Path) -> Result<Option<Value<'a>>, ConfigError> {
    parse_to_ast(text, &CollectOptions::default(), &DIALECT).map(|parsed| parsed.value).map_err(
        |error| ConfigError::NotJson {
            file: file.to_owned(),
            at: Position { line: error.line_display(), column: error.column_display() },
            detail: error.kind().to_string().to_lowercase(),
        },
    )
}

/// What was found in one file so far.
pub(super) struct Findings<'a> {
    file: Arc<Path>,
    text: &'a str,
    pub(super) problems: Vec<Problem>,
    pub(super) warnings: Vec<Warning>,
    /// Whether a connection that the file calls required has a problem.
    pub(super) lacks_required: bool,
}

/// A place before its line is counted, which only a finding needs.
#[derive(Clone)]
pub(super) struct Spot {
    offset: usize,
    server: Option<ConnectionId>,
    key: Option<String>,
}

impl Spot {
    /// The same spot one step deeper: a key of an object, or an element of an array.
    fn inside(&self, value: &impl Ranged, step: &str) -> Self {
        let key = match &self.key {
            Some(key) => format!("{key}{step}"),
            None => step.trim_start_matches('.').to_owned(),
        };
        Self { offset: value.range().start, server: self.server.clone(), key: Some(key) }
    }
}

impl<'a> Findings<'a> {
    pub(super) fn new(file: Arc<Path>, text: &'a str) -> Self {
        Self { file, text, problems: Vec::new(), warnings: Vec::new(), lacks_required: false }
    }

    pub(super) fn problem(&mut self, spot: &Spot, fault: Fault) {
        let place = self.place(spot);
        self.problems.push(Problem { place, fault });
    }

    pub(super) fn warning(&mut self, spot: &Spot, remark: Remark) {
        let place = self.place(spot);
        self.warnings.push(Warning { place, remark });
    }

    fn place(&self, spot: &Spot) -> Place {
        Place {
            file: self.file.clone(),
            at: Position::of(self.text, spot.offset),
            server: spot.server.clone(),
            key: spot.key.clone(),
        }
    }

    /// The whole file as an entry.
    pub(super) fn root(&mut self, value: Option<&'a Value<'a>>) -> Option<Entry<'a>> {
        let spot = Spot { offset: value.map_or(0, |v| v.range().start), server: None, key: None };
        match value {
            Some(value) => self.object(value, &spot),
            None => {
                self.problem(&spot, Fault::WrongType { expected: OBJECT, found: "nothing" });
                None
            }
        }
    }

    /// A server's entry: from here on places name the server and start their keys anew.
    pub(super) fn server(
        &mut self,
        name: &ConnectionId,
        value: &'a Value<'a>,
    ) -> Option<Entry<'a>> {
        let server = Some(name.clone());
        self.object(value, &Spot { offset: value.range().start, server, key: None })
    }

    /// An object, whose keys are all different.
    fn object(&mut self, value: &'a Value<'a>, spot: &Spot) -> Option<Entry<'a>> {
        let Value::Object(object) = value else {
            self.wrong_type(spot, OBJECT, value);
            return None;
        };
        for (index, property) in object.properties.iter().enumerate() {
            let name = property.name.as_str();
            if object.properties[..index].iter().any(|earlier| earlier.name.as_str() == name) {
                self.problem(&spot.inside(property, &format!(".{name}")), Fault::DuplicateKey);
            }
        }
        Some(Entry { object, spot: spot.clone(), asked: Vec::new() })
    }

    fn wrong_type(&mut self, spot: &Spot, expected: &'static str, value: &Value<'_>) {
        self.problem(spot, Fault::WrongType { expected, found: type_name(value) });
    }
}

/// A string and where it stands.
pub(super) struct Text<'a> {
    pub(super) value: &'a str,
    pub(super) spot: Spot,
}

/// An object whose keys are read one by one; the keys that nobody asked for are the unknown ones.
pub(super) struct Entry<'a> {
    object: &'a Object<'a>,
    spot: Spot,
    asked: Vec<&'static str>,
}

impl<'a> Entry<'a> {
    /// The entry's own place.
    pub(super) fn spot(&self) -> &Spot {
        &self.spot
    }

    /// Whether the key is there. Doesn't count as asking for it.
    pub(super) fn has(&self, key: &str) -> bool {
        self.object.properties.iter().any(|property| property.name.as_str() == key)
    }

    /// The value of a key, of any type.
    pub(super) fn take(&mut self, key: &'static str) -> Option<(&'a Value<'a>, Spot)> {
        self.asked.push(key);
        let property = self.object.get(key)?;
        Some((&property.value, self.spot.inside(property, &format!(".{key}"))))
    }

    pub(super) fn text(
        &mut self,
        key: &'static str,
        findings: &mut Findings<'a>,
    ) -> Option<Text<'a>> {
        let (value, spot) = self.take(key)?;
        findings.text_of(value, spot)
    }

    pub(super) fn flag(&mut self, key: &'static str, findings: &mut Findings<'a>) -> Option<bool> {
        let (value, spot) = self.take(key)?;
        let Value::BooleanLit(flag) = value else {
            findings.wrong_type(&spot, "true or false", value);
            return None;
        };
        Some(flag.value)
    }

    /// A number of seconds, fractions allowed, above 0 and at most `max_timeout`.
    pub(super) fn seconds(
        &mut self,
        key: &'static str,
        max_timeout: Duration,
        findings: &mut Findings<'a>,
    ) -> Option<Duration> {
        let (value, spot) = self.take(key)?;
        let Value::NumberLit(number) = value else {
            findings.wrong_type(&spot, "a number of seconds", value);
            return None;
        };
        let seconds = number.value.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
        match seconds {
            Some(timeout) if !timeout.is_zero() && timeout <= max_timeout => Some(timeout),
            _ => {
                findings.problem(&spot, Fault::Timeout { max_timeout });
                None
            }
        }
    }

    /// A whole number.
    pub(super) fn whole(&mut self, key: &'static str, findings: &mut Findings<'a>) -> Option<u64> {
        let (value, spot) = self.take(key)?;
        let Value::NumberLit(number) = value else {
            findings.wrong_type(&spot, "a whole number", value);
            return None;
        };
        let whole = number.value.parse().ok();
        if whole.is_none() {
            findings.problem(&spot, Fault::NotWhole);
        }
        whole
    }

    /// A whole number of milliseconds, above 0 and at most `max_timeout`.
    pub(super) fn milliseconds(
        &mut self,
        key: &'static str,
        max_timeout: Duration,
        findings: &mut Findings<'a>,
    ) -> Option<Duration> {
        let time = Duration::from_millis(self.whole(key, findings)?);
        if time.is_zero() || time > max_timeout {
            let (_, spot) = self.take(key)?;
            findings.problem(&spot, Fault::Timeout { max_timeout });
            return None;
        }
        Some(time)
    }

    /// The strings of an array.
    pub(super) fn texts(
        &mut self,
        key: &'static str,
        findings: &mut Findings<'a>,
    ) -> Option<Vec<Text<'a>>> {
        let elements = self.elements(key, findings)?.into_iter();
        Some(elements.filter_map(|(value, spot)| findings.text_of(value, spot)).collect())
    }

    /// The elements of an array.
    pub(super) fn elements(
        &mut self,
        key: &'static str,
        findings: &mut Findings<'a>,
    ) -> Option<Vec<(&'a Value<'a>, Spot)>> {
        let (value, spot) = self.take(key)?;
        let Value::Array(Array { elements, .. }) = value else {
            findings.wrong_type(&spot, "an array", value);
            return None;
        };
        let numbered = elements.iter().enumerate();
        Some(numbered.map(|(i, value)| (value, spot.inside(value, &format!("[{i}]")))).collect())
    }

    /// An object inside this one.
    pub(super) fn entry(
        &mut self,
        key: &'static str,
        findings: &mut Findings<'a>,
    ) -> Option<Entry<'a>> {
        let (value, spot) = self.take(key)?;
        findings.object(value, &spot)
    }

    /// All keys with their values: for objects whose keys are names that people chose.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'a str, &'a Value<'a>, Spot)> {
        let spot = self.spot.clone();
        self.object.properties.iter().map(move |property| {
            let name = property.name.as_str();
            (name, &property.value, spot.inside(property, &format!(".{name}")))
        })
    }

    /// The keys that nobody asked for.
    pub(super) fn unasked(&self) -> impl Iterator<Item = (&'a str, Spot)> {
        self.members()
            .filter(|(name, ..)| !self.asked.contains(name))
            .map(|(name, _, spot)| (name, spot))
    }
}

impl<'a> Findings<'a> {
    /// The string that a value is.
    pub(super) fn text_of(&mut self, value: &'a Value<'a>, spot: Spot) -> Option<Text<'a>> {
        let Value::StringLit(text) = value else {
            self.wrong_type(&spot, "a string", value);
            return None;
        };
        Some(Text { value: &text.value, spot })
    }

    /// The object that an element of an array is.
    pub(super) fn entry_of(&mut self, value: &'a Value<'a>, spot: &Spot) -> Option<Entry<'a>> {
        self.object(value, spot)
    }
}

const OBJECT: &str = "an object";

fn type_name(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(flag) if flag.value => "true",
        Value::BooleanLit(_) => "false",
        Value::Object(_) => OBJECT,
        Value::Array(_) => "an array",
        Value::NullKeyword(_) => "null",
    }
}
