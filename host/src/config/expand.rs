//! `${...}` in values.
//!
//! A value is expanded once: what a variable holds isn't looked at again. `$VAR` without braces stays as it is.

use std::{
    ffi::OsStr,
    path::{MAIN_SEPARATOR_STR, Path},
};

use crate::config::{environment::Environment, fault::Fault, inputs::Inputs};

/// What a `${...}` may refer to.
pub(super) struct Expander<'a> {
    pub(super) environment: &'a Environment,
    pub(super) inputs: &'a Inputs,
    /// What `${workspaceFolder}` stands for.
    pub(super) workspace: &'a Path,
}

/// A text without `${...}`.
pub(super) struct Expanded {
    pub(super) text: String,
    has_variables: bool,
}

impl Expanded {
    /// The fault of this text: of the file where it stands there as it is, else of the surroundings.
    pub(super) fn fault(&self, fault: Fault) -> Fault {
        if self.has_variables { Fault::Expanded(Box::new(fault)) } else { fault }
    }
}

impl Expander<'_> {
    /// Expands one value, or says everything that is wrong with it.
    pub(super) fn expand(&self, raw: &str) -> Result<Expanded, Vec<Fault>> {
        let mut text = String::with_capacity(raw.len());
        let mut faults = Vec::new();
        let mut rest = raw;
        let mut has_variables = false;
        while let Some((before, after)) = rest.split_once("${") {
            text.push_str(before);
            has_variables = true;
            let Some((expression, after)) = after.split_once('}') else {
                faults.push(Fault::Unclosed);
                return Err(faults);
            };
            match self.evaluate(expression) {
                Ok(value) => text.push_str(&value),
                Err(fault) => faults.push(fault),
            }
            rest = after;
        }
        text.push_str(rest);

        if !faults.is_empty() {
            return Err(faults);
        }
        let expanded = Expanded { text, has_variables };
        if expanded.text.contains('\0') {
            return Err(vec![expanded.fault(Fault::Nul)]);
        }
        Ok(expanded)
    }

    fn evaluate(&self, expression: &str) -> Result<String, Fault> {
        match expression {
            "userHome" => {
                let home = self.environment.home().ok_or(Fault::NoHome)?;
                unicode(home.as_os_str(), "HOME")
            }
            "workspaceFolder" => unicode(self.workspace.as_os_str(), expression),
            "workspaceFolderBasename" => {
                unicode(self.workspace.file_name().unwrap_or_default(), expression)
            }
            "pathSeparator" | "/" => Ok(MAIN_SEPARATOR_STR.to_owned()),
            _ => match expression.strip_prefix("input:") {
                Some(id) => self.input(id),
                None => self.variable(expression),
            },
        }
    }

    /// `VAR`, `VAR:-default`, and both after `env:`.
    fn variable(&self, expression: &str) -> Result<String, Fault> {
        let reference = expression.strip_prefix("env:").unwrap_or(expression);
        let (name, default) = match reference.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (reference, None),
        };
        if !is_variable_name(name) {
            return Err(Fault::UnknownExpression { expression: expression.to_owned() });
        }
        if default.is_some_and(|default| default.contains("${")) {
            return Err(Fault::NestedDefault { variable: name.to_owned() });
        }
        match (self.environment.get(name), default) {
            (Some(value), _) => unicode(value, name),
            (None, Some(default)) => Ok(default.to_owned()),
            (None, None) => Err(Fault::MissingVariable { variable: name.to_owned() }),
        }
    }

    fn input(&self, id: &str) -> Result<String, Fault> {
        let variable = Inputs::variable(id);
        match self.environment.get(&variable) {
            Some(value) => unicode(value, &variable),
            None => Err(Fault::MissingInput {
                id: id.to_owned(),
                variable,
                description: self.inputs.description(id).map(str::to_owned),
            }),
        }
    }
}

/// Letters, digits and `_`, and the brackets of Windows' `ProgramFiles(x86)`; all else is another expression.
fn is_variable_name(name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '(' | ')');
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(is_inner)
}

fn unicode(value: &OsStr, variable: &str) -> Result<String, Fault> {
    let text = value.to_str().ok_or_else(|| Fault::NotUnicode { variable: variable.to_owned() })?;
    Ok(text.to_owned())
}
