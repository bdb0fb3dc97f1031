//! Bindings for Rust: a module for each connection, and in it a function for each tool and a module with its types.

mod items;
mod words;

use self::{
    items::Items,
    words::{doc_lines, function_name, string},
};
use super::{
    TypesError, doc,
    names::Names,
    reader::{Server, Tool, sorted},
};
use crate::limits::TypesLimits;

const HEAD: &str = "\
//! Tools, as their servers list them. Made by `callgate bindings rust`; make it anew rather than edit it.
#![allow(dead_code, missing_docs, rustdoc::all, clippy::all)]
";

/// The widest line that is written on one line where it may be broken.
const WIDTH: usize = 100;

/// A file of Rust with the tools of these servers, for guests that use `callgate_guest`, `serde` and `serde_json`.
///
/// # Errors
///
/// When two names are the same as identifiers, or the text is longer than its limit.
pub(crate) fn rust(servers: &[Server], limits: &TypesLimits) -> Result<String, TypesError> {
    let mut text = HEAD.to_owned();
    let mut names = Names::of("the connections");
    for server in sorted(servers)? {
        let name = names.add(&server.name, function_name(&server.name))?;
        text.push('\n');
        write_server(&mut text, server, &name, limits)?;
    }
    Ok(text)
}

fn write_server(
    text: &mut String,
    server: &Server,
    name: &str,
    limits: &TypesLimits,
) -> Result<(), TypesError> {
    let about = format!("The connection `{}`.", doc::line(&server.name).replace('`', "'"));
    let mut lines = vec![
        format!("/// {about}"),
        format!("pub mod {name} {{"),
        "    use callgate_guest::{CallError, call};".to_owned(),
        String::new(),
        "    /// Its name in the configuration.".to_owned(),
        format!("    pub const CONNECTION: &str = {};", string(&server.name)),
    ];
    if server.tools.is_empty() {
        lines.retain(|line| !line.contains("use callgate_guest"));
        lines.remove(2);
    }
    let mut names = Names::of("the tools");
    for tool in &server.tools {
        let name = names.add(&tool.name, function_name(&tool.name))?;
        lines.push(String::new());
        lines.extend(function(tool, &name).into_iter().map(|line| indented(&line)));
        lines.push(String::new());
        lines.extend(module(tool, &name).into_iter().map(|line| indented(&line)));
        for line in lines.drain(..) {
            text.push_str(&line);
            text.push('\n');
        }
        if text.len() > limits.max_output_bytes {
            return Err(TypesError::TooLong(limits.max_output_bytes));
        }
    }
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str("}\n");
    Ok(())
}

fn indented(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("    {line}") }
}

fn function(tool: &Tool, name: &str) -> Vec<String> {
    let mut lines = doc_lines(&tool.notes.description);
    let cut =
        tool.cut_by.map(|limit| format!("A part of its schemas is left out here (limit {limit})."));
    for more in doc::hints(tool.hints).into_iter().chain(cut) {
        if !lines.is_empty() {
            lines.push("///".to_owned());
        }
        lines.push(format!("/// {more}"));
    }
    if tool.notes.is_deprecated {
        lines.push("#[deprecated]".to_owned());
    }
    let input = format!("input: &{name}::Input");
    let output = format!("Result<{name}::Output, CallError>");
    let signature = format!("pub async fn {name}({input}) -> {output} {{");
    // Four for the module around it.
    if signature.len() + 4 <= WIDTH {
        lines.push(signature);
    } else {
        lines.push(format!("pub async fn {name}("));
        lines.push(format!("    {input},"));
        lines.push(format!(") -> {output} {{"));
    }
    lines.push(format!("    call(CONNECTION, {}, input).await", string(&tool.name)));
    lines.push("}".to_owned());
    lines
}

fn module(tool: &Tool, name: &str) -> Vec<String> {
    let about = format!("The types of `{}`.", doc::line(&tool.name).replace('`', "'"));
    let mut items = Items::of(tool);
    items.write_all();
    let (body, needs) = items.into_lines();
    let mut lines = vec![format!("/// {about}"), format!("pub mod {name} {{")];
    let uses: Vec<String> = needs.lines().into_iter().map(indented).collect();
    let is_empty = uses.is_empty();
    lines.extend(uses);
    for (index, item) in body.iter().enumerate() {
        if index > 0 || !is_empty {
            lines.push(String::new());
        }
        lines.extend(item.iter().map(|line| indented(line)));
    }
    lines.push("}".to_owned());
    lines
}
