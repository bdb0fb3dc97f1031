//! From a test and the files of the suite's harness to a script: the test is the script, and the harness is its input, which
//! it evaluates first.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use super::frontmatter::Frontmatter;

/// What is in every test but those that are to be taken raw.
const ALWAYS: [&str; 2] = ["assert.js", "sta.js"];
/// What an asynchronous test ends with.
const ASYNC: &str = "doneprintHandle.js";

const HOST: &str = include_str!("host.js");

/// Takes the harness out of the input. On the line of the test's first one, so that lines are those of the file.
const BEFORE: &str = "(0, eval)(globalThis.args); delete globalThis.args; ";
/// A module without imports and exports would be taken for a body.
const MODULE: &str = "\nexport {};\n";
/// A script that has the test evaluated as global code.
const GLOBAL: &str = "const [harness, test] = args;\n\
                      delete globalThis.args;\n\
                      (0, eval)(harness);\n\
                      (0, eval)(test);\n";
const STRICT: &str = "\"use strict\";\n";

/// The files of the harness by name.
#[derive(Debug)]
pub(super) struct Harness(BTreeMap<String, String>);

/// A script, and the JSON of its input.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) script: String,
    pub(super) input: serde_json::Value,
}

impl Harness {
    /// Reads them all.
    ///
    /// # Errors
    ///
    /// When there is no such folder, or it can't be read.
    pub(super) fn read(folder: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for path in files_below(folder)? {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            files.insert(name, as_global(&fs::read_to_string(&path)?));
        }
        Ok(Self(files))
    }

    /// The test as a script: a module where it is one, otherwise the body of a function.
    pub(super) fn script(&self, test: &str, wants: &Frontmatter) -> Result<Made, String> {
        let end = if wants.has_flag("module") { MODULE } else { "" };
        if wants.has_flag("raw") {
            return Ok(Made { script: format!("{test}{end}"), input: serde_json::Value::Null });
        }
        let input = self.text(wants)?.into();
        Ok(Made { script: format!("{BEFORE}{test}{end}"), input })
    }

    /// The test as global code, which a script has by `eval` alone.
    pub(super) fn global_code(&self, test: &str, wants: &Frontmatter) -> Result<Made, String> {
        let input = [self.text(wants)?, format!("{STRICT}{test}")];
        Ok(Made { script: GLOBAL.to_owned(), input: input.to_vec().into() })
    }

    fn text(&self, wants: &Frontmatter) -> Result<String, String> {
        let end = wants.has_flag("async").then_some(ASYNC);
        let names = ALWAYS.into_iter().chain(end).chain(wants.includes.iter().map(String::as_str));
        let mut text = HOST.to_owned();
        for name in names {
            text += self.0.get(name).ok_or_else(|| format!("the harness has no {name}"))?;
            text.push('\n');
        }
        Ok(text)
    }
}

/// All scripts of a folder and those in it, in alphabetical order.
pub(super) fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            files.extend(files_below(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "js") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The harness is meant for the top of the global scope. What `eval` declares with `const`, `let` and `class` would be gone
/// with it, so these become `var`.
fn as_global(text: &str) -> String {
    let lines = text.lines().map(|line| {
        for keyword in ["const ", "let "] {
            if let Some(rest) = line.strip_prefix(keyword) {
                return format!("var {rest}");
            }
        }
        match line.strip_prefix("class ").and_then(|rest| rest.split_whitespace().next()) {
            Some(name) => format!("var {name} = {line}"),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn harness() -> Harness {
        let files = ["assert.js", "sta.js", "doneprintHandle.js", "more.js"];
        Harness(files.map(|name| (name.to_owned(), format!("// {name}"))).into())
    }

    fn wants(yaml: &str) -> Frontmatter {
        Frontmatter::of(&format!("/*---\n{yaml}\n---*/")).unwrap()
    }

    #[test]
    fn the_harness_comes_in_the_order_in_which_it_is_asked_for() {
        let text = harness().text(&wants("flags: [async]\nincludes: [more.js]")).unwrap();

        let names: Vec<&str> = text.lines().filter(|line| line.ends_with(".js")).collect();
        assert_eq!(names, ["// assert.js", "// sta.js", "// doneprintHandle.js", "// more.js"]);
        assert!(text.starts_with(HOST));
        assert!(harness().text(&wants("includes: [absent.js]")).is_err());
    }

    #[test]
    fn a_raw_test_is_left_as_it_is() {
        let made = harness().script("#!x\n1", &wants("flags: [raw]")).unwrap();

        assert_eq!(made.script, "#!x\n1");
        assert_eq!(made.input, serde_json::Value::Null);
    }

    #[test]
    fn a_module_is_one_also_without_exports() {
        let module = harness().script("this;", &wants("flags: [module]")).unwrap().script;
        let body = harness().script("this;", &wants("flags: []")).unwrap().script;

        assert!(module.contains("\nexport {}"), "{module}");
        assert_eq!(body.lines().count(), 1, "{body}");
    }

    #[test]
    fn declarations_of_the_harness_outlive_it() {
        assert_eq!(
            as_global("const a = 1;\n  let b;\nclass C extends D {\n}\nfunction f() {}"),
            "var a = 1;\n  let b;\nvar C = class C extends D {\n}\nfunction f() {}"
        );
    }
}
