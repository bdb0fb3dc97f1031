//! Values after expansion: texts and paths.

use std::path::{Path, PathBuf};

use crate::{
    config::{
        document::{Findings, Text},
        environment::Environment,
        expand::{Expanded, Expander},
        fault::Fault,
    },
    limits::ConfigLimits,
};

/// Turns what a file says into what it means here.
pub(super) struct Values<'a> {
    pub(super) environment: &'a Environment,
    pub(super) limits: &'a ConfigLimits,
    pub(super) expander: Expander<'a>,
}

impl Values<'_> {
    /// The text without `${...}`.
    pub(super) fn expand(&self, text: &Text<'_>, findings: &mut Findings<'_>) -> Option<Expanded> {
        match self.expander.expand(text.value) {
            Ok(expanded) => Some(expanded),
            Err(faults) => {
                faults.into_iter().for_each(|fault| findings.problem(&text.spot, fault));
                None
            }
        }
    }

    /// The path that a text names, seen from the workspace folder.
    pub(super) fn path(&self, text: &Text<'_>, findings: &mut Findings<'_>) -> Option<PathBuf> {
        let expanded = self.expand(text, findings)?;
        match self.resolve(&expanded.text) {
            Ok(path) => Some(path),
            Err(fault) => {
                findings.problem(&text.spot, expanded.fault(fault));
                None
            }
        }
    }

    /// A path as the operating system takes it from any folder.
    pub(super) fn resolve(&self, path: &str) -> Result<PathBuf, Fault> {
        if path.is_empty() {
            return Err(Fault::Empty);
        }
        if path == "~" || path.starts_with("~/") {
            return Err(Fault::Tilde);
        }
        // Component by component, because that drops the "." of "./server".
        Ok(self.expander.workspace.join(path).components().collect())
    }
}

/// The folder that relative paths and `${workspaceFolder}` mean: the file's, or the one around it where the file is in
/// an editor's own folder.
pub(super) fn workspace_of(file: &Path) -> &Path {
    let folder = file.parent().unwrap_or(file);
    let is_editors = folder.file_name().is_some_and(|name| name == ".vscode" || name == ".cursor");
    match folder.parent() {
        Some(workspace) if is_editors => workspace,
        _ => folder,
    }
}
