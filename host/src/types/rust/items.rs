//! The types of one tool: structs, enums and aliases.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    super::{
        doc,
        names::{Scope, type_name},
        notes::Notes,
        reader::Tool,
        shape::{Object, Shape, Tuple},
    },
    words::{doc_lines, function_name, string},
};

const DERIVES: &str = "#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]";

/// Names that the text has from elsewhere.
const TAKEN: &[&str] = &[
    "BTreeMap",
    "Box",
    "Clone",
    "Debug",
    "Default",
    "Deserialize",
    "Err",
    "Input",
    "None",
    "Ok",
    "Option",
    "Output",
    "PartialEq",
    "Result",
    "Serialize",
    "Some",
    "String",
    "Value",
    "Vec",
];

/// The most elements that a tuple has here; lists that are longer are lists of values.
const MAX_TUPLE: usize = 12;

/// The types of one tool, as they come up.
pub(super) struct Items<'t> {
    tool: &'t Tool,
    names: Scope,
    /// Definitions that have themselves inside.
    recursive: HashSet<usize>,
    items: Vec<Vec<String>>,
    needs: Needs,
}

/// What the text uses.
#[derive(Default)]
pub(super) struct Needs {
    map: bool,
    serde: bool,
    value: bool,
}

impl Needs {
    pub(super) fn lines(&self) -> Vec<&'static str> {
        let mut lines = Vec::new();
        if self.map {
            lines.push("use std::collections::BTreeMap;");
        }
        if self.map && (self.serde || self.value) {
            lines.push("");
        }
        if self.serde {
            lines.push("use serde::{Deserialize, Serialize};");
        }
        if self.value {
            lines.push("use serde_json::Value;");
        }
        lines
    }
}

impl<'t> Items<'t> {
    pub(super) fn of(tool: &'t Tool) -> Self {
        let mut names = Scope::with(TAKEN);
        for definition in &tool.definitions {
            names.take(definition.name.clone());
        }
        let recursive = recursive(tool);
        Self { tool, names, recursive, items: Vec::new(), needs: Needs::default() }
    }

    pub(super) fn write_all(&mut self) {
        let tool = self.tool;
        let nothing = Notes::default();
        self.named("Input", &tool.input, &nothing);
        self.named("Output", tool.output.as_ref().unwrap_or(&Shape::Unknown), &nothing);
        for (number, definition) in tool.definitions.iter().enumerate() {
            self.named(&definition.name, &definition.shape, &definition.notes);
            if self.recursive.contains(&number) {
                self.close_circle(&definition.name);
            }
        }
    }

    pub(super) fn into_lines(self) -> (Vec<Vec<String>>, Needs) {
        (self.items, self.needs)
    }

    /// An item of that name.
    fn named(&mut self, name: &str, shape: &Shape, notes: &Notes) {
        let place = self.items.len();
        self.items.push(Vec::new());
        let mut lines = documented(notes);
        lines.extend(match shape {
            Shape::Object(object) if !is_map(object) => self.structure(name, object),
            Shape::Literal(Value::String(_)) => self.words(name, std::slice::from_ref(shape)),
            Shape::Union(parts) if are_words(parts) => self.words(name, parts),
            Shape::Union(parts) if !parts.contains(&Shape::Null) => self.choice(name, parts),
            shape => {
                let target = self.type_of(shape, name);
                vec![format!("pub type {name} = {target};")]
            }
        });
        self.items[place] = lines;
    }

    /// A name that only stands for another type can't have itself inside of it; a struct can.
    fn close_circle(&mut self, name: &str) {
        let start = format!("pub type {name} = ");
        for lines in &mut self.items {
            let Some(last) = lines.pop() else { continue };
            match last.strip_prefix(&start).and_then(|rest| rest.strip_suffix(';')) {
                Some(target) => {
                    self.needs.serde = true;
                    lines.push(DERIVES.to_owned());
                    lines.push("#[serde(transparent)]".to_owned());
                    lines.push(format!("pub struct {name}(pub {target});"));
                }
                None => lines.push(last),
            }
        }
    }

    fn structure(&mut self, name: &str, object: &Object) -> Vec<String> {
        self.needs.serde = true;
        let may_be_empty = object.may_be_empty();
        let mut lines = vec![match may_be_empty {
            true => DERIVES.replace("Debug, ", "Debug, Default, "),
            false => DERIVES.to_owned(),
        }];
        if object.fields.is_empty() && object.rest.is_none() {
            lines.push(format!("pub struct {name} {{}}"));
            return lines;
        }
        lines.push(format!("pub struct {name} {{"));
        let mut names = Scope::default();
        for field in &object.fields {
            let own = names.take(function_name(&field.name));
            let target = self.type_of(&field.shape, &format!("{name}{}", type_name(&field.name)));
            lines.extend(documented(&field.notes).into_iter().map(|line| format!("    {line}")));
            if own.trim_start_matches("r#") != field.name {
                lines.push(format!("    #[serde(rename = {})]", string(&field.name)));
            }
            if field.is_required {
                lines.push(format!("    pub {own}: {target},"));
                continue;
            }
            lines.push(
                "    #[serde(default, skip_serializing_if = \"Option::is_none\")]".to_owned(),
            );
            match target.starts_with("Option<") {
                true => lines.push(format!("    pub {own}: {target},")),
                false => lines.push(format!("    pub {own}: Option<{target}>,")),
            }
        }
        if object.rest.is_some() {
            (self.needs.map, self.needs.value) = (true, true);
            let own = names.take("other_members".to_owned());
            lines.push("    #[serde(flatten)]".to_owned());
            lines.push(format!("    pub {own}: BTreeMap<String, Value>,"));
        }
        lines.push("}".to_owned());
        lines
    }

    /// An enum of strings.
    fn words(&mut self, name: &str, words: &[Shape]) -> Vec<String> {
        self.needs.serde = true;
        let mut lines =
            vec![DERIVES.replace("Clone, ", "Clone, Copy, ").replace("PartialEq", "PartialEq, Eq")];
        lines.push(format!("pub enum {name} {{"));
        let mut names = Scope::with(&["Self"]);
        for word in words {
            let Shape::Literal(Value::String(word)) = word else { continue };
            let own = names.take(type_name(word));
            if own != *word {
                lines.push(format!("    #[serde(rename = {})]", string(word)));
            }
            lines.push(format!("    {own},"));
        }
        lines.push("}".to_owned());
        lines
    }

    /// An enum of types. The first that fits is taken, so those that want more come first.
    fn choice(&mut self, name: &str, parts: &[Shape]) -> Vec<String> {
        self.needs.serde = true;
        let mut parts: Vec<&Shape> = parts.iter().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(self.wants(part)));
        let mut lines = vec![DERIVES.to_owned(), "#[serde(untagged)]".to_owned()];
        lines.push(format!("pub enum {name} {{"));
        let mut names = Scope::with(&["Self"]);
        for part in parts {
            let variant = names.take(self.variant(part));
            let target = self.type_of(part, &format!("{name}{variant}"));
            lines.push(format!("    {variant}({target}),"));
        }
        lines.push("}".to_owned());
        lines
    }

    fn wants(&self, shape: &Shape) -> usize {
        let object = match shape {
            Shape::Named(number) => &self.tool.definitions[*number].shape,
            shape => shape,
        };
        match object {
            Shape::Object(object) => object.fields.iter().filter(|it| it.is_required).count(),
            Shape::Unknown | Shape::Never | Shape::Intersection(_) => 0,
            Shape::Number => 1,
            _ => 2,
        }
    }

    fn variant(&self, shape: &Shape) -> String {
        match shape {
            Shape::Null => "Null".to_owned(),
            Shape::Boolean | Shape::Literal(Value::Bool(_)) => "Boolean".to_owned(),
            Shape::Integer => "Integer".to_owned(),
            Shape::Number | Shape::Literal(Value::Number(_)) => "Number".to_owned(),
            Shape::String => "Text".to_owned(),
            Shape::Literal(Value::String(word)) => type_name(word),
            Shape::Array(_) | Shape::Tuple(_) => "List".to_owned(),
            Shape::Object(_) => "Object".to_owned(),
            Shape::Named(number) => self.tool.definitions[*number].name.clone(),
            _ => "Other".to_owned(),
        }
    }

    /// A type, and an item called `name` where it needs one.
    fn type_of(&mut self, shape: &Shape, name: &str) -> String {
        match shape {
            Shape::Boolean | Shape::Literal(Value::Bool(_)) => "bool".to_owned(),
            Shape::Integer => "i64".to_owned(),
            Shape::Number | Shape::Literal(Value::Number(_)) => "f64".to_owned(),
            Shape::String => "String".to_owned(),
            Shape::Array(item) => format!("Vec<{}>", self.type_of(item, &format!("{name}Item"))),
            Shape::Tuple(tuple) => self.tuple(tuple, name),
            Shape::Named(number) => {
                let definition = &self.tool.definitions[*number].name;
                match self.recursive.contains(number) {
                    true => format!("Box<{definition}>"),
                    false => definition.clone(),
                }
            }
            Shape::Object(object) if is_map(object) => {
                self.needs.map = true;
                let rest = object.rest.as_deref().unwrap_or(&Shape::Unknown);
                let rest = self.type_of(rest, &format!("{name}Value"));
                format!("BTreeMap<String, {rest}>")
            }
            Shape::Union(parts) if parts.contains(&Shape::Null) => {
                let others = parts.iter().filter(|part| **part != Shape::Null).cloned();
                let target = self.type_of(&Shape::union(others.collect()), name);
                format!("Option<{target}>")
            }
            Shape::Object(_) | Shape::Union(_) | Shape::Literal(Value::String(_)) => {
                let name = self.names.take(name.to_owned());
                self.named(&name, shape, &Notes::default());
                name
            }
            _ => {
                self.needs.value = true;
                "Value".to_owned()
            }
        }
    }

    fn tuple(&mut self, tuple: &Tuple, name: &str) -> String {
        let is_fixed = tuple.required == tuple.items.len() && tuple.rest.is_none();
        if !is_fixed || tuple.items.len() > MAX_TUPLE {
            self.needs.value = true;
            return "Vec<Value>".to_owned();
        }
        let items = tuple.items.iter().enumerate();
        let items: Vec<String> = items
            .map(|(index, item)| self.type_of(item, &format!("{name}{}", index + 1)))
            .collect();
        match items.as_slice() {
            [one] => format!("({one},)"),
            items => format!("({})", items.join(", ")),
        }
    }
}

/// Whether an object is a map: no member of it has a name.
fn is_map(object: &Object) -> bool {
    object.fields.is_empty() && object.rest.is_some()
}

fn are_words(parts: &[Shape]) -> bool {
    parts.iter().all(|part| matches!(part, Shape::Literal(Value::String(_))))
}

fn documented(notes: &Notes) -> Vec<String> {
    let mut lines = doc_lines(&notes.description);
    let bounds = notes.bounds.iter().map(|(name, value)| format!("{name}: {value}"));
    let default = notes.default.iter().map(|default| format!("default: {default}"));
    let deprecated = notes.is_deprecated.then(|| "deprecated".to_owned());
    let words: Vec<String> = bounds.chain(default).chain(deprecated).collect();
    if !words.is_empty() {
        if !lines.is_empty() {
            lines.push("///".to_owned());
        }
        lines.push(format!("/// ({})", doc::line(&words.join(", ")).replace("```", "'''")));
    }
    lines
}

/// The definitions that have themselves inside, by whatever way.
fn recursive(tool: &Tool) -> HashSet<usize> {
    let next: Vec<Vec<usize>> = tool.definitions.iter().map(|it| it.shape.mentions()).collect();
    let reaches_itself = |number: &usize| {
        let mut seen = HashSet::new();
        let mut ahead = next[*number].clone();
        while let Some(other) = ahead.pop() {
            if other == *number {
                return true;
            }
            if seen.insert(other) {
                ahead.extend(&next[other]);
            }
        }
        false
    };
    (0..next.len()).filter(reaches_itself).collect()
}
