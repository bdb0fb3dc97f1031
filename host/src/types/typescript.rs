//! Declarations for TypeScript: one `.d.ts` with the tools and the globals of a script.

mod text;

use self::text::Text;
use super::{
    TypesError,
    doc::{self, quoted},
    globals::GLOBALS,
    names::namespace,
    notes::Notes,
    reader::{Server, Tool, sorted},
    shape::Shape,
};
use crate::limits::TypesLimits;

/// The head of the file. Without the default library there is no document and no window: scripts have none.
const HEAD: &str = "\
// What scripts of `callgate run` may call, as the servers list it. Made by `callgate types`; make it anew rather than edit it.
/// <reference no-default-lib=\"true\" />
/// <reference lib=\"es2023\" />
";

/// The declarations of these servers' tools, and of everything else that a script has.
///
/// # Errors
///
/// When two names are the same as identifiers, or the text is longer than its limit.
pub(crate) fn typescript(servers: &[Server], limits: &TypesLimits) -> Result<String, TypesError> {
    let servers = sorted(servers)?;
    let mut text = Text::new(limits);
    text.raw(HEAD);
    text.line("");
    text.comment(&["The servers, by their names in the configuration.".to_owned()]);
    text.line("declare const tools: {");
    text.indented(|text| {
        for server in &servers {
            text.line(&format!(
                "readonly {}: Tools.{}.$Tools;",
                key(&server.name),
                namespace(&server.identifier)
            ));
        }
    });
    text.line("};");
    for server in &servers {
        text.line("");
        write_server(&mut text, server);
    }
    text.line("");
    text.raw(GLOBALS);
    text.finish()
}

fn write_server(text: &mut Text, server: &Server) {
    text.line(&format!("declare namespace Tools.{} {{", namespace(&server.identifier)));
    text.indented(|text| {
        text.line("interface $Tools {");
        text.indented(|text| {
            for tool in &server.tools {
                write_method(text, tool);
            }
        });
        text.line("}");
        for tool in &server.tools {
            text.line("");
            write_types(text, tool);
        }
    });
    text.line("}");
}

fn write_method(text: &mut Text, tool: &Tool) {
    let mut lines = doc::lines(&tool.notes.description);
    let hints = doc::hints(tool.hints);
    let cut =
        tool.cut_by.map(|limit| format!("A part of its schemas is left out here (limit {limit})."));
    for more in hints.into_iter().chain(cut) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(more);
    }
    lines.extend(doc::tags(&tool.notes));
    text.comment(&lines);
    let optional = if may_be_empty(&tool.input) { "?" } else { "" };
    let path = namespace(&tool.identifier);
    text.line(&format!(
        "{}(args{optional}: {path}.Input): Promise<{path}.Output>;",
        key(&tool.name)
    ));
}

fn write_types(text: &mut Text, tool: &Tool) {
    text.line(&format!("namespace {} {{", namespace(&tool.identifier)));
    text.indented(|text| {
        write_type(text, tool, "Input", &tool.input, &Notes::default());
        let unknown = Shape::Unknown;
        write_type(
            text,
            tool,
            "Output",
            tool.output.as_ref().unwrap_or(&unknown),
            &Notes::default(),
        );
        for definition in &tool.definitions {
            write_type(text, tool, &definition.name, &definition.shape, &definition.notes);
        }
    });
    text.line("}");
}

fn write_type(text: &mut Text, tool: &Tool, name: &str, shape: &Shape, notes: &Notes) {
    let mut lines = doc::lines(&notes.description);
    lines.extend(doc::tags(notes));
    text.comment(&lines);
    text.start(&format!("type {name} = "));
    text.shape(shape, tool);
    text.end(";");
}

/// Whether a call may leave the arguments away.
pub(super) fn may_be_empty(input: &Shape) -> bool {
    match input {
        Shape::Object(object) => object.may_be_empty(),
        _ => false,
    }
}

/// A name as the key of a member.
pub(super) fn key(name: &str) -> String {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    let has_start = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    // A member of that name would be taken for the constructor.
    if is_word && has_start && name != "constructor" && name != "new" {
        name.to_owned()
    } else {
        quoted(name)
    }
}
