//! What a JSON Schema allows, without the words of JSON Schema.

use serde_json::Value;

use super::notes::Notes;

/// The values that a schema allows, or somewhat more where a type can't say it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    /// Any value.
    Unknown,
    /// No value.
    Never,
    Null,
    Boolean,
    Integer,
    Number,
    String,
    /// One boolean, number or string.
    Literal(Value),
    Array(Box<Shape>),
    Tuple(Tuple),
    Object(Object),
    /// One of several, at least two.
    Union(Vec<Shape>),
    /// All of several, at least two.
    Intersection(Vec<Shape>),
    /// The definition with this number, of the same tool.
    Named(usize),
}

/// A list whose elements have types by their place.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tuple {
    pub(super) items: Vec<Shape>,
    /// How many are always there.
    pub(super) required: usize,
    /// What the elements behind them are, where there may be some.
    pub(super) rest: Option<Box<Shape>>,
}

/// An object.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Object {
    /// Required ones first, in the order of the schema, then the others by name.
    pub(super) fields: Vec<Field>,
    /// What other members are, where there may be some.
    pub(super) rest: Option<Box<Shape>>,
}

/// One member of an object.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) is_required: bool,
    pub(super) notes: Notes,
}

/// A shape that has a name, because others refer to it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) notes: Notes,
}

impl Shape {
    /// One of these. The same twice is the same once, and any value with others is any value.
    pub(super) fn union(shapes: Vec<Shape>) -> Shape {
        let mut flat: Vec<Shape> = Vec::new();
        for shape in shapes {
            let parts = match shape {
                Shape::Union(parts) => parts,
                Shape::Never => Vec::new(),
                shape => vec![shape],
            };
            for part in parts {
                if part == Shape::Unknown {
                    return Shape::Unknown;
                }
                if !flat.contains(&part) {
                    flat.push(part);
                }
            }
        }
        match flat.len() {
            0 => Shape::Never,
            1 => flat.remove(0),
            _ => Shape::Union(flat),
        }
    }

    /// All of these. Objects become one object where they don't differ on a member.
    pub(super) fn intersection(shapes: Vec<Shape>) -> Shape {
        let mut flat: Vec<Shape> = Vec::new();
        for shape in shapes {
            let parts = match shape {
                Shape::Intersection(parts) => parts,
                Shape::Unknown => Vec::new(),
                Shape::Never => return Shape::Never,
                shape => vec![shape],
            };
            for part in parts {
                if flat.contains(&part) {
                    continue;
                }
                match (flat.last_mut(), part) {
                    (Some(Shape::Object(object)), Shape::Object(more)) if object.takes(&more) => {
                        object.merge(more);
                    }
                    (_, part) => flat.push(part),
                }
            }
        }
        match flat.len() {
            0 => Shape::Unknown,
            1 => flat.remove(0),
            _ => Shape::Intersection(flat),
        }
    }
}

impl Shape {
    /// The definitions that this is, or is one of, or is all of: without what is inside of lists and objects.
    pub(super) fn stands_for(&self) -> Vec<usize> {
        match self {
            Self::Named(number) => vec![*number],
            Self::Union(parts) | Self::Intersection(parts) => {
                parts.iter().flat_map(Self::stands_for).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Shape {
    /// The definitions that are named anywhere inside.
    pub(super) fn mentions(&self) -> Vec<usize> {
        match self {
            Self::Named(number) => vec![*number],
            Self::Union(parts) | Self::Intersection(parts) => {
                parts.iter().flat_map(Self::mentions).collect()
            }
            Self::Array(item) => item.mentions(),
            Self::Tuple(Tuple { items, rest, .. }) => {
                items.iter().chain(rest.as_deref()).flat_map(Self::mentions).collect()
            }
            Self::Object(Object { fields, rest }) => {
                let fields = fields.iter().map(|field| &field.shape);
                fields.chain(rest.as_deref()).flat_map(Self::mentions).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Object {
    fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn takes(&self, other: &Self) -> bool {
        let agree = |field: &Field| match self.field(&field.name) {
            Some(own) => own.shape == field.shape || field.shape == Shape::Unknown,
            None => true,
        };
        (self.rest == other.rest || other.rest.is_none()) && other.fields.iter().all(agree)
    }

    fn merge(&mut self, other: Self) {
        for field in other.fields {
            match self.fields.iter_mut().find(|own| own.name == field.name) {
                Some(own) => own.is_required |= field.is_required,
                None => self.fields.push(field),
            }
        }
        self.sort();
    }

    /// Required ones first.
    pub(super) fn sort(&mut self) {
        self.fields.sort_by_key(|field| !field.is_required);
    }

    /// Whether nothing has to be there.
    pub(super) fn may_be_empty(&self) -> bool {
        self.fields.iter().all(|field| !field.is_required)
    }
}
