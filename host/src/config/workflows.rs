//! What the file says of workflows: the section `callgate`, which is this host's own.
//!
//! Other programs have no keys here, so one that nobody knows is a mistake and no remark: a limit that is misspelt would be
//! a limit that isn't there, and a misspelt rule would deny nothing.

mod grants;
mod limits;

use std::{collections::BTreeMap, path::Path};

use crate::{
    config::{
        Config,
        document::{Entry, Findings},
        entry::{Words, word},
        fault::Fault,
    },
    engine::WasiPolicy,
    grants::Grants,
    limits::{ConfigLimits, LimitSettings},
};

/// What the file says of one workflow.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct WorkflowConfig {
    /// What its runs may call.
    pub grants: Grants,
    /// The limits of its runs.
    pub limits: LimitSettings,
    /// What becomes of it if it needs WASI.
    pub wasi: WasiPolicy,
}

const WASI: &Words<WasiPolicy> = &Words {
    known: &[("refuse", WasiPolicy::Refuse), ("deterministic", WasiPolicy::Deterministic)],
    expected: "it's \"refuse\" or \"deterministic\"",
};

impl Config {
    /// What the file says of the workflow in a file of this name; its own name is the one without folder and ending.
    pub fn workflow(&self, file: &Path) -> Option<&WorkflowConfig> {
        self.workflows.get(file.file_stem()?.to_str()?)
    }
}

/// Reads the section of the file, if it is there.
pub(super) fn read<'a>(
    file: &mut Entry<'a>,
    limits: &ConfigLimits,
    findings: &mut Findings<'a>,
) -> BTreeMap<String, WorkflowConfig> {
    let mut workflows = BTreeMap::new();
    let Some(mut section) = file.entry("callgate", findings) else { return workflows };
    if let Some(named) = section.entry("workflows", findings) {
        for (name, value, spot) in named.members() {
            let Some(mut entry) = findings.entry_of(value, &spot) else { continue };
            let workflow = WorkflowConfig {
                grants: grants::read(&mut entry, findings),
                limits: limits::read(&mut entry, limits, findings),
                wasi: word("wasi", WASI, &mut entry, findings),
            };
            refuse_unknown(&entry, findings);
            workflows.insert(name.to_owned(), workflow);
        }
    }
    refuse_unknown(&section, findings);
    workflows
}

fn refuse_unknown<'a>(entry: &Entry<'a>, findings: &mut Findings<'a>) {
    for (_, spot) in entry.unasked() {
        findings.problem(&spot, Fault::UnknownKey);
    }
}
