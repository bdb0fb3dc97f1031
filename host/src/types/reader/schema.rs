//! From one JSON Schema (draft 2020-12, and what earlier drafts and OpenAPI wrote in its place) to a shape.

mod keywords;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::super::{
    names::type_name,
    notes::Notes,
    shape::{Definition, Shape},
};
use crate::limits::TypesLimits;

/// The reading of one schema document. References are followed inside of it, and nowhere else.
pub(super) struct Schema<'s> {
    document: &'s Value,
    limits: &'s TypesLimits,
    /// What a reference to the whole document is called.
    root_name: &'static str,
    /// The number of the first definition.
    first: usize,
    /// By pointer; each is read once, so that those that refer to themselves come to an end.
    numbers: BTreeMap<String, usize>,
    definitions: Vec<Option<Definition>>,
    /// Where the document's anchors are, once one was asked for.
    anchors: Option<HashMap<&'s str, &'s Value>>,
    subschemas: usize,
    nesting: usize,
    cut_by: Option<&'static str>,
}

impl<'s> Schema<'s> {
    pub(super) fn new(
        document: &'s Value,
        root_name: &'static str,
        limits: &'s TypesLimits,
    ) -> Self {
        Self {
            document,
            limits,
            root_name,
            first: 0,
            numbers: BTreeMap::new(),
            definitions: Vec::new(),
            anchors: None,
            subschemas: 0,
            nesting: 0,
            cut_by: None,
        }
    }

    /// Counts definitions from here.
    pub(super) fn start_at(&mut self, first: usize) {
        self.first = first;
    }

    /// The shape of the whole document.
    pub(super) fn root(&mut self) -> Shape {
        self.read(self.document)
    }

    /// The definitions that were referred to, in the order of their first use, and the limit that cut something.
    pub(super) fn into_definitions(self) -> (Vec<Definition>, Option<&'static str>) {
        (self.definitions.into_iter().flatten().collect(), self.cut_by)
    }

    /// The shape of a subschema.
    fn read(&mut self, schema: &Value) -> Shape {
        let schema = match schema {
            Value::Bool(false) => return Shape::Never,
            Value::Object(schema) => schema,
            _ => return Shape::Unknown,
        };
        if self.nesting >= self.limits.max_type_nesting {
            self.cut_by = Some("max_type_nesting");
            return Shape::Unknown;
        }
        if self.subschemas >= self.limits.max_subschemas {
            self.cut_by = Some("max_subschemas");
            return Shape::Unknown;
        }
        self.subschemas += 1;
        self.nesting += 1;
        let shape = self.read_object(schema);
        self.nesting -= 1;
        shape
    }

    fn read_object(&mut self, schema: &Map<String, Value>) -> Shape {
        let mut parts = vec![self.own(schema)];
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            parts.push(self.referred(reference));
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(choices) = schema.get(key).and_then(Value::as_array) {
                parts.push(Shape::union(choices.iter().map(|choice| self.read(choice)).collect()));
            }
        }
        if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
            parts.extend(all.iter().map(|part| self.read(part)));
        }
        let shape = Shape::intersection(parts);
        match schema.get("nullable") {
            Some(Value::Bool(true)) => Shape::union(vec![shape, Shape::Null]),
            _ => shape,
        }
    }

    /// A reference inside of the document. What it leads to gets a name, and is read once.
    fn referred(&mut self, reference: &str) -> Shape {
        let document = self.document;
        let Some(pointer) = reference.strip_prefix('#') else { return Shape::Unknown };
        let pointer = percent_decoded(pointer);
        let found = match pointer.as_str() {
            "" => Some(document),
            pointer if pointer.starts_with('/') => document.pointer(pointer),
            anchor => self.anchored(anchor),
        };
        let Some(schema) = found else { return Shape::Unknown };
        if let Some(number) = self.numbers.get(&pointer) {
            return Shape::Named(*number);
        }
        if self.numbers.len() >= self.limits.max_subschemas {
            self.cut_by = Some("max_subschemas");
            return Shape::Unknown;
        }
        let number = self.first + self.definitions.len();
        self.numbers.insert(pointer.clone(), number);
        self.definitions.push(None);
        let last = pointer.rsplit('/').next().filter(|last| !last.is_empty());
        let name = match last {
            Some(last) => type_name(&last.replace("~1", "/").replace("~0", "~")),
            None => format!("{}Root", self.root_name),
        };
        let shape = self.read(schema);
        let notes = schema.as_object().map(|it| Notes::read(it, self.limits)).unwrap_or_default();
        self.definitions[number - self.first] = Some(Definition { name, shape, notes });
        Shape::Named(number)
    }
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let hex = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
