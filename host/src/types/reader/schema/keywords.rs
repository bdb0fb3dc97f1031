//! The keywords that say themselves what a value is: `type` and what belongs to each type, `const`, `enum`.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::{
    super::super::{
        notes::Notes,
        shape::{Field, Object, Shape, Tuple},
    },
    Schema,
};

impl<'s> Schema<'s> {
    /// What a schema says without the schemas that it refers to or combines.
    pub(super) fn own(&mut self, schema: &Map<String, Value>) -> Shape {
        if let Some(value) = schema.get("const") {
            return literal(value);
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return self.literals(values);
        }
        match schema.get("type") {
            Some(Value::String(name)) => self.typed(name, schema),
            Some(Value::Array(names)) => {
                // There are seven types; whoever lists more repeats himself.
                let names = names.iter().filter_map(Value::as_str).take(7);
                Shape::union(names.map(|name| self.typed(name, schema)).collect())
            }
            _ => self.untyped(schema),
        }
    }

    /// The subschema with this `$anchor`.
    pub(super) fn anchored(&mut self, anchor: &str) -> Option<&'s Value> {
        let (document, levels) = (self.document, self.limits.max_type_nesting);
        let anchors = self.anchors.get_or_insert_with(|| {
            let mut anchors = HashMap::new();
            note_anchors(document, levels, &mut anchors);
            anchors
        });
        anchors.get(anchor).copied()
    }

    fn typed(&mut self, name: &str, schema: &Map<String, Value>) -> Shape {
        match name {
            "null" => Shape::Null,
            "boolean" => Shape::Boolean,
            "integer" => Shape::Integer,
            "number" => Shape::Number,
            "string" => Shape::String,
            "array" => self.array(schema),
            "object" => self.object(schema),
            _ => Shape::Unknown,
        }
    }

    /// A schema without `type` says what a value is by the keywords that it has.
    fn untyped(&mut self, schema: &Map<String, Value>) -> Shape {
        let has = |keys: &[&str]| keys.iter().any(|key| schema.contains_key(*key));
        if has(&["properties", "required", "additionalProperties", "patternProperties"]) {
            self.object(schema)
        } else if has(&["items", "prefixItems"]) {
            self.array(schema)
        } else {
            Shape::Unknown
        }
    }

    fn literals(&mut self, values: &[Value]) -> Shape {
        if values.len() <= self.limits.max_literals {
            return Shape::union(values.iter().map(literal).collect());
        }
        self.cut_by = Some("max_literals");
        Shape::union(values.iter().map(wide).collect())
    }

    fn array(&mut self, schema: &Map<String, Value>) -> Shape {
        // Draft 7 and before had the list in `items`, and the rest in `additionalItems`.
        let (items, rest) = match schema.get("items") {
            Some(Value::Array(items)) => (Some(items), schema.get("additionalItems")),
            other => (schema.get("prefixItems").and_then(Value::as_array), other),
        };
        let Some(items) = items.filter(|items| !items.is_empty()) else {
            return Shape::Array(Box::new(rest.map_or(Shape::Unknown, |rest| self.read(rest))));
        };
        let items = &items[..items.len().min(self.limits.max_literals)];
        let items: Vec<Shape> = items.iter().map(|item| self.read(item)).collect();
        let least = schema.get("minItems").and_then(Value::as_u64);
        let required = least.map_or(items.len(), |least| {
            usize::try_from(least).unwrap_or(usize::MAX).min(items.len())
        });
        let rest = rest.map(|rest| self.read(rest)).filter(|rest| *rest != Shape::Never);
        Shape::Tuple(Tuple { items, required, rest: rest.map(Box::new) })
    }

    fn object(&mut self, schema: &Map<String, Value>) -> Shape {
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let required = schema.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        let mut named = HashSet::new();
        let mut fields: Vec<Field> = Vec::new();
        let required = required.map(|name| (name, properties.get(name), true));
        let others = properties.iter().map(|(name, schema)| (name.as_str(), Some(schema), false));
        for (name, property, is_required) in required.chain(others) {
            if !named.insert(name) {
                continue;
            }
            if fields.len() >= self.limits.max_subschemas {
                self.cut_by = Some("max_subschemas");
                break;
            }
            fields.push(self.field(name, property, is_required));
        }
        let rest = self.rest(schema, fields.is_empty());
        Shape::Object(Object { fields, rest })
    }

    fn field(&mut self, name: &str, property: Option<&Value>, is_required: bool) -> Field {
        let notes = property.and_then(Value::as_object).map(|it| Notes::read(it, self.limits));
        Field {
            name: name.to_owned(),
            shape: property.map_or(Shape::Unknown, |property| self.read(property)),
            is_required,
            notes: notes.unwrap_or_default(),
        }
    }

    /// What members are that no property names. A schema that says nothing of them allows them; types say so only of objects
    /// that have no properties, because otherwise no typing error would be found.
    fn rest(&mut self, schema: &Map<String, Value>, has_no_fields: bool) -> Option<Box<Shape>> {
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let mut shapes: Vec<Shape> =
            patterns.into_iter().flatten().map(|(_, schema)| self.read(schema)).collect();
        let additional = ["additionalProperties", "unevaluatedProperties"];
        match additional.iter().find_map(|key| schema.get(*key)) {
            Some(Value::Bool(false)) => {}
            Some(schema) => shapes.push(self.read(schema)),
            None if has_no_fields && shapes.is_empty() => shapes.push(Shape::Unknown),
            None => {}
        }
        match shapes.is_empty() {
            true => None,
            false => Some(Box::new(Shape::union(shapes))),
        }
    }
}

/// The type that has one value; of a list or an object, its type.
fn literal(value: &Value) -> Shape {
    match value {
        Value::Bool(_) | Value::Number(_) | Value::String(_) => Shape::Literal(value.clone()),
        value => wide(value),
    }
}

/// The type of a value.
fn wide(value: &Value) -> Shape {
    match value {
        Value::Null => Shape::Null,
        Value::Bool(_) => Shape::Boolean,
        Value::Number(_) => Shape::Number,
        Value::String(_) => Shape::String,
        Value::Array(_) => Shape::Array(Box::new(Shape::Unknown)),
        Value::Object(_) => {
            Shape::Object(Object { fields: Vec::new(), rest: Some(Box::new(Shape::Unknown)) })
        }
    }
}

/// Notes every `$anchor` of a document; the first of a name counts.
fn note_anchors<'v>(value: &'v Value, levels: usize, anchors: &mut HashMap<&'v str, &'v Value>) {
    let Some(deeper) = levels.checked_sub(1) else { return };
    match value {
        Value::Object(members) => {
            for key in ["$anchor", "$dynamicAnchor"] {
                if let Some(anchor) = members.get(key).and_then(Value::as_str) {
                    anchors.entry(anchor).or_insert(value);
                }
            }
            members.values().for_each(|member| note_anchors(member, deeper, anchors));
        }
        Value::Array(items) => items.iter().for_each(|item| note_anchors(item, deeper, anchors)),
        _ => {}
    }
}
