//! Which tools of one connection may be called.

use std::collections::BTreeSet;

use super::{Catalogue, Session};
use crate::call::{ConnectionId, Refusal, RefusalReason};

/// A set of tool names, spelled as their server spells them: no patterns, no other upper or lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedTools {
    /// The only ones, where the configuration names some.
    enabled: Option<BTreeSet<String>>,
    /// None of these, whatever `enabled` says.
    disabled: BTreeSet<String>,
}

impl AllowedTools {
    /// Every tool that the server has.
    pub fn all() -> Self {
        Self::default()
    }

    /// These alone.
    #[must_use]
    pub fn only(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.enabled = Some(names.into_iter().collect());
        self
    }

    /// Not these.
    #[must_use]
    pub fn except(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.disabled.extend(names);
        self
    }

    pub(crate) fn check(&self, connection: &ConnectionId, tool: &str) -> Result<(), Refusal> {
        let denied = |key| Refusal {
            reason: RefusalReason::Denied,
            detail: format!("the configuration of {connection} denies {tool:?} ({key})"),
        };
        if self.disabled.contains(tool) {
            return Err(denied("disabled_tools"));
        }
        match &self.enabled {
            Some(enabled) if !enabled.contains(tool) => Err(denied("enabled_tools")),
            _ => Ok(()),
        }
    }

    /// The names that the server doesn't list, each with the key that has it: most likely typing errors.
    pub(crate) fn unlisted(&self, catalogue: &Catalogue) -> Vec<(&'static str, String)> {
        let of = |key: &'static str, names: &BTreeSet<String>| -> Vec<_> {
            let unlisted = names.iter().filter(|name| !catalogue.has(name));
            unlisted.map(|name| (key, name.clone())).collect()
        };
        let enabled = self.enabled.iter().flat_map(|names| of("enabled_tools", names));
        enabled.chain(of("disabled_tools", &self.disabled)).collect()
    }
}

impl Session {
    /// Whether the configuration lets the tool be called.
    pub(crate) fn allows(&self, tool: &str) -> bool {
        self.shared.tools.check(&self.shared.connection_id, tool).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_called_only_if_every_list_lets_it() {
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        for (tools, tool, is_allowed) in [
            (AllowedTools::all(), "a", true),
            (AllowedTools::all().only(names(&["a"])), "a", true),
            (AllowedTools::all().only(names(&["a"])), "A", false),
            (AllowedTools::all().only(names(&[])), "a", false),
            (AllowedTools::all().except(names(&["a"])), "a", false),
            (AllowedTools::all().except(names(&["a"])), "b", true),
            (AllowedTools::all().only(names(&["a"])).except(names(&["a"])), "a", false),
        ] {
            let answer = tools.check(&"c".into(), tool);
            assert_eq!(answer.is_ok(), is_allowed, "{tools:?} {tool}");
            assert!(answer.err().is_none_or(|refusal| refusal.reason == RefusalReason::Denied));
        }
    }
}
