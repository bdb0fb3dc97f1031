//! The same composition for the `wac` command: a source file and the components that it names.

use std::fmt::Write;

use super::{SETTINGS, Stack, data};

/// One file of the folder that `wac compose` takes.
#[derive(Clone, Debug)]
pub struct WacFile {
    /// Its path in the folder, with `/`.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// The name of the source file.
const SOURCE: &str = "stack.wac";

impl Stack {
    /// What `wac compose stack.wac --deps-dir deps -o out.wasm` makes this stack of: `stack.wac` and the parts below `deps`.
    pub fn wac(&self) -> Vec<WacFile> {
        let mut files = vec![WacFile { path: SOURCE.to_owned(), bytes: Vec::new() }];
        let mut part = |folder: &str, name: &str, bytes: Vec<u8>| {
            files.push(WacFile { path: format!("deps/{folder}/{name}.wasm"), bytes });
        };
        part("workflow", "flow", self.workflow.clone());
        let mut source = String::from("package callgate:stack;\n\n");
        let tools = self.imports_tools.as_deref();
        let layers = if tools.is_some() { self.layers.as_slice() } else { &[] };
        let mut behind = None;
        for (number, layer) in layers.iter().enumerate().rev() {
            let name = format!("layer{}", number + 1);
            part("layers", &name, layer.component().to_vec());
            let _a_string_takes_everything = writeln!(source, "// {}", one_line(layer.name()));
            let mut arguments = Vec::new();
            if let (Some(import), Some(settings)) = (layer.imports_settings(), layer.settings()) {
                part("settings", &name, data::component(import, settings));
                let _a_string_takes_everything =
                    writeln!(source, "let settings-of-{name} = new settings:{name} {{}};");
                arguments.push(format!("{import:?}: settings-of-{name}[{import:?}]"));
            }
            if let (Some(import), Some((behind, export))) = (layer.imports_tools(), &behind) {
                arguments.push(format!("{import:?}: {behind}[{export:?}]"));
            }
            instantiate(&mut source, &name, &format!("layers:{name}"), arguments);
            behind = Some((name, layer.exports_tools().to_owned()));
        }
        let argument = tools.zip(behind);
        let argument =
            argument.map(|(import, (behind, export))| format!("{import:?}: {behind}[{export:?}]"));
        instantiate(&mut source, "flow", "workflow:flow", argument.into_iter().collect());
        let _a_string_takes_everything = writeln!(source, "export flow[{:?}];", self.exports_run);
        files[0].bytes = source.into_bytes();
        files
    }
}

/// `...` leaves what is not said to the host.
fn instantiate(source: &mut String, name: &str, package: &str, mut arguments: Vec<String>) {
    let is_whole = arguments.iter().any(|argument| !argument.contains(SETTINGS));
    if !is_whole {
        arguments.push("...".to_owned());
    }
    let _a_string_takes_everything =
        writeln!(source, "let {name} = new {package} {{ {} }};", arguments.join(", "));
}

/// A name that came from a command line, without what would end a comment.
fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
