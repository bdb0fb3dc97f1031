//! From a tool list to shapes.

mod schema;

use std::collections::HashSet;

use serde_json::Value;

use self::schema::Schema;
use super::{
    TypesError,
    names::{Names, Scope, identifier},
    notes::{Notes, cut},
    shape::{Definition, Object, Shape},
};
use crate::{call::Json, limits::TypesLimits, session::ToolHints};

/// What a server says of one tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolSource<'c> {
    pub(crate) name: &'c str,
    pub(crate) title: Option<&'c str>,
    pub(crate) description: Option<&'c str>,
    pub(crate) input_schema: &'c Json,
    pub(crate) output_schema: Option<&'c Json>,
    pub(crate) hints: ToolHints,
}

/// One connection and its tools, read.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(super) name: String,
    pub(super) identifier: String,
    /// By name.
    pub(super) tools: Vec<Tool>,
}

/// One tool, read.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) identifier: String,
    pub(super) notes: Notes,
    pub(super) hints: ToolHints,
    pub(super) input: Shape,
    /// Nothing where the server promises nothing.
    pub(super) output: Option<Shape>,
    pub(super) definitions: Vec<Definition>,
    /// The limit that cut a schema, where one did.
    pub(super) cut_by: Option<&'static str>,
}

impl Server {
    /// Reads the tools of one connection.
    ///
    /// # Errors
    ///
    /// When two tools have the same name as identifiers, or a name is too long.
    pub(crate) fn read<'c>(
        name: &str,
        tools: impl IntoIterator<Item = ToolSource<'c>>,
        limits: &TypesLimits,
    ) -> Result<Self, TypesError> {
        check_length(name, limits)?;
        let mut sources: Vec<ToolSource<'_>> = tools.into_iter().collect();
        sources.sort_by_key(|tool| tool.name);
        let mut names = Names::of("the tools");
        let mut tools = Vec::with_capacity(sources.len());
        for source in sources {
            let identifier = names.add(source.name, identifier(source.name))?;
            tools.push(Tool::read(source, identifier, limits)?);
        }
        Ok(Self { name: name.to_owned(), identifier: identifier(name), tools })
    }
}

/// Servers by name, whose identifiers differ.
pub(super) fn sorted(servers: &[Server]) -> Result<Vec<&Server>, TypesError> {
    let mut servers: Vec<&Server> = servers.iter().collect();
    servers.sort_by(|one, other| one.name.cmp(&other.name));
    let mut names = Names::of("the connections");
    for server in &servers {
        names.add(&server.name, server.identifier.clone())?;
    }
    Ok(servers)
}

impl Tool {
    fn read(
        source: ToolSource<'_>,
        identifier: String,
        limits: &TypesLimits,
    ) -> Result<Self, TypesError> {
        check_length(source.name, limits)?;
        // What isn't JSON that serde_json reads is of an unknown type, like a schema that says nothing.
        let value = |json: &Json| serde_json::from_str(json.as_str()).unwrap_or(Value::Bool(true));
        let input_value = value(source.input_schema);
        let mut input = Schema::new(&input_value, "Input", limits);
        let input_shape = as_object(input.root());
        let (mut definitions, mut cut_by) = input.into_definitions();
        let output = source.output_schema.map(|json| {
            let output_value = value(json);
            let mut output = Schema::new(&output_value, "Output", limits);
            output.start_at(definitions.len());
            let shape = output.root();
            let (more, cut) = output.into_definitions();
            definitions.extend(more);
            cut_by = cut_by.or(cut);
            shape
        });
        name_apart(&mut definitions);
        break_cycles(&mut definitions);
        for definition in &definitions {
            check_length(&definition.name, limits)?;
        }
        let mut notes = match &input_value {
            Value::Object(schema) => Notes::read(schema, limits),
            _ => Notes::default(),
        };
        let said = source.description.or(source.title).unwrap_or_default();
        notes = Notes {
            description: cut(said.trim(), limits),
            is_deprecated: notes.is_deprecated,
            ..Notes::default()
        };
        let (name, hints) = (source.name.to_owned(), source.hints);
        Ok(Self { name, identifier, notes, hints, input: input_shape, output, definitions, cut_by })
    }
}

/// Arguments are an object, whatever a schema says.
fn as_object(shape: Shape) -> Shape {
    match shape {
        Shape::Unknown => {
            Shape::Object(Object { fields: Vec::new(), rest: Some(Box::new(Shape::Unknown)) })
        }
        shape => shape,
    }
}

/// Names of types that declarations use themselves.
const TAKEN: &[&str] = &[
    "Array",
    "Box",
    "Deserialize",
    "Input",
    "Option",
    "Output",
    "Promise",
    "Result",
    "Serialize",
    "Some",
    "None",
    "String",
    "Value",
    "Vec",
];

/// Gives definitions of the same name numbers, in their order.
fn name_apart(definitions: &mut [Definition]) {
    let mut scope = Scope::with(TAKEN);
    for definition in definitions {
        definition.name = scope.take(std::mem::take(&mut definition.name));
    }
}

/// A definition that is nothing but itself says nothing. One that has itself inside of a list or an object does.
fn break_cycles(definitions: &mut [Definition]) {
    let next: Vec<Vec<usize>> = definitions.iter().map(|it| it.shape.stands_for()).collect();
    for (number, definition) in definitions.iter_mut().enumerate() {
        let mut seen = HashSet::new();
        let mut ahead = next[number].clone();
        while let Some(other) = ahead.pop() {
            if other == number {
                definition.shape = Shape::Unknown;
                break;
            }
            if seen.insert(other) {
                ahead.extend(&next[other]);
            }
        }
    }
}

pub(super) fn check_length(name: &str, limits: &TypesLimits) -> Result<(), TypesError> {
    if name.len() <= limits.max_name_bytes {
        return Ok(());
    }
    let start = name.chars().take(20).collect();
    Err(TypesError::LongName { bytes: name.len(), limit: limits.max_name_bytes, start })
}
