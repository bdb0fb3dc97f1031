//! Lines of TypeScript, with indents and a bound.

use super::{
    super::{
        TypesError,
        doc::{self, quoted},
        reader::Tool,
        shape::{Object, Shape, Tuple},
    },
    key,
};
use crate::limits::TypesLimits;

/// A text that grows line by line, up to its limit.
pub(super) struct Text {
    text: String,
    indent: usize,
    most: usize,
}

impl Text {
    pub(super) fn new(limits: &TypesLimits) -> Self {
        Self { text: String::new(), indent: 0, most: limits.max_output_bytes }
    }

    pub(super) fn finish(self) -> Result<String, TypesError> {
        match self.is_full() {
            true => Err(TypesError::TooLong(self.most)),
            false => Ok(self.text),
        }
    }

    /// What comes after the limit isn't written: the text is refused in the end.
    fn is_full(&self) -> bool {
        self.text.len() > self.most
    }

    pub(super) fn raw(&mut self, text: &str) {
        if !self.is_full() {
            self.text.push_str(text);
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.start(line);
        }
        self.end("");
    }

    /// The start of a line.
    pub(super) fn start(&mut self, start: &str) {
        let indent = "  ".repeat(self.indent);
        self.raw(&indent);
        self.raw(start);
    }

    /// The end of a line.
    pub(super) fn end(&mut self, end: &str) {
        self.raw(end);
        self.raw("\n");
    }

    pub(super) fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 1;
        write(self);
        self.indent -= 1;
    }

    pub(super) fn comment(&mut self, lines: &[String]) {
        match lines {
            [] => {}
            [line] => self.line(&format!("/** {line} */")),
            lines => {
                self.line("/**");
                for line in lines {
                    self.line(format!(" * {line}").trim_end());
                }
                self.line(" */");
            }
        }
    }

    /// A type, begun on the line that is there.
    pub(super) fn shape(&mut self, shape: &Shape, tool: &Tool) {
        if self.is_full() {
            return;
        }
        match shape {
            Shape::Unknown => self.raw("unknown"),
            Shape::Never => self.raw("never"),
            Shape::Null => self.raw("null"),
            Shape::Boolean => self.raw("boolean"),
            Shape::Integer | Shape::Number => self.raw("number"),
            Shape::String => self.raw("string"),
            Shape::Literal(value) => self.raw(&literal(value)),
            Shape::Array(item) => self.array(item, tool),
            Shape::Tuple(tuple) => self.tuple(tuple, tool),
            Shape::Object(object) => self.object(object, tool),
            Shape::Union(parts) => self.joined(parts, " | ", tool),
            Shape::Intersection(parts) => self.joined(parts, " & ", tool),
            Shape::Named(number) => self.raw(&tool.definitions[*number].name),
        }
    }

    fn array(&mut self, item: &Shape, tool: &Tool) {
        self.raw("Array<");
        self.shape(item, tool);
        self.raw(">");
    }

    fn tuple(&mut self, tuple: &Tuple, tool: &Tool) {
        self.raw("[");
        for (index, item) in tuple.items.iter().enumerate() {
            if index > 0 {
                self.raw(", ");
            }
            if index < tuple.required {
                self.shape(item, tool);
            } else {
                self.raw("(");
                self.shape(item, tool);
                self.raw(")?");
            }
        }
        if let Some(rest) = &tuple.rest {
            self.raw(", ...Array<");
            self.shape(rest, tool);
            self.raw(">");
        }
        self.raw("]");
    }

    fn joined(&mut self, parts: &[Shape], sign: &str, tool: &Tool) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.raw(sign);
            }
            let is_joined = matches!(part, Shape::Union(_) | Shape::Intersection(_));
            if is_joined {
                self.raw("(");
            }
            self.shape(part, tool);
            if is_joined {
                self.raw(")");
            }
        }
    }

    fn object(&mut self, object: &Object, tool: &Tool) {
        match (&object.rest, object.fields.is_empty()) {
            (None, true) => return self.raw("{ [name: string]: never }"),
            (Some(rest), true) => {
                self.raw("{ [name: string]: ");
                self.shape(rest, tool);
                return self.raw(" }");
            }
            _ => {}
        }
        self.end("{");
        self.indented(|text| {
            for field in &object.fields {
                let mut lines = doc::lines(&field.notes.description);
                lines.extend(doc::tags(&field.notes));
                text.comment(&lines);
                let optional = if field.is_required { "" } else { "?" };
                text.start(&format!("{}{optional}: ", key(&field.name)));
                text.shape(&field.shape, tool);
                text.end(";");
            }
            // The type of the others would have to hold for those that have names, too.
            if object.rest.is_some() {
                text.line("[name: string]: unknown;");
            }
        });
        self.start("}");
    }
}

/// A literal. A number that JSON can write and a double can't hold is any number.
fn literal(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => quoted(text),
        serde_json::Value::Number(number) if number.as_f64().is_none_or(|it| !it.is_finite()) => {
            "number".to_owned()
        }
        value => doc::line(&value.to_string()),
    }
}
