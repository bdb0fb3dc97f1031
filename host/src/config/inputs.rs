//! The `inputs` of a VS Code configuration: values that an editor asks a person for, and that a host takes from variables.

use std::collections::BTreeMap;

use crate::config::{
    document::{Entry, Findings},
    fault::Fault,
};

/// The declared inputs: what each one is, for people.
#[derive(Default)]
pub(super) struct Inputs {
    /// By the variable that holds the value: the input's name and description.
    declared: BTreeMap<String, (String, Option<String>)>,
}

impl Inputs {
    /// The variable that holds the value of an input: `CALLGATE_INPUT_` and the name in capitals, with `_` for all but
    /// letters and digits.
    pub(super) fn variable(id: &str) -> String {
        let shout = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
        format!("CALLGATE_INPUT_{}", id.chars().map(shout).collect::<String>())
    }

    pub(super) fn description(&self, id: &str) -> Option<&str> {
        self.declared.get(&Self::variable(id))?.1.as_deref()
    }

    /// Reads the key `inputs` of a file.
    pub(super) fn read<'a>(file: &mut Entry<'a>, findings: &mut Findings<'a>) -> Self {
        let mut inputs = Self::default();
        for (value, spot) in file.elements("inputs", findings).unwrap_or_default() {
            if let Some(entry) = findings.entry_of(value, &spot) {
                inputs.declare(entry, findings);
            }
        }
        inputs
    }

    /// Reads one input. Its other keys tell an editor how to ask, which nobody does here.
    fn declare<'a>(&mut self, mut entry: Entry<'a>, findings: &mut Findings<'a>) {
        let description = entry.text("description", findings).map(|text| text.value.to_owned());
        let Some(id) = entry.text("id", findings) else {
            if !entry.has("id") {
                let expected = "an object with the key \"id\"";
                let found = "one without it";
                findings.problem(entry.spot(), Fault::WrongType { expected, found });
            }
            return;
        };
        // Two names for one variable would give one secret to two servers.
        let name = id.value.to_owned();
        let earlier = self.declared.insert(Self::variable(&name), (name, description));
        if let Some((other, _)) = earlier {
            findings.problem(&id.spot, Fault::Collision { other });
        }
    }
}
