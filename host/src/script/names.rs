//! What a script may write for names that are no identifiers: `tools.my_files.read_all` for `my-files` and `read-all`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{grants::Grants, limits::ScriptLimits, pool::SessionPool, session::identifier};

/// The identifiers that stand for names of connections and tools, for [`Run::tool_names`](crate::Run::tool_names).
///
/// In an identifier is `_` for what only the name has, and before a digit at its start. An identifier that can mean two names is in it
/// with both, so that a script that uses it hears of both. A name that is an identifier needs nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ToolNames {
    connections: Identifiers,
    tools: BTreeMap<String, Identifiers>,
}

type Identifiers = BTreeMap<String, Vec<String>>;

impl ToolNames {
    /// Of the pool's connections, and of those of their tools that the grants may allow, as far as the connections are open.
    /// [`Grants::check`] opens those that rules are about.
    ///
    /// There are at most [`ScriptLimits::max_identifiers`]; connections beyond have none, and are called by their names.
    pub fn known(pool: &SessionPool, grants: &Grants, limits: &ScriptLimits) -> Self {
        let connections = identifiers(pool.connections().map(|(id, _)| id.as_str()));
        let Some(mut room) = limits.max_identifiers.checked_sub(connections.len()) else {
            return Self::default();
        };
        let mut names = Self { connections, tools: BTreeMap::new() };
        for (id, catalogue) in pool.catalogues() {
            let tools = catalogue.tools().iter().map(|tool| tool.name.as_str());
            let tools = identifiers(tools.filter(|tool| grants.may_allow(id.as_str(), tool)));
            if tools.len() > room {
                break;
            }
            room -= tools.len();
            names.add(id.as_str(), tools);
        }
        names
    }

    /// Of these tools, each with its connection.
    pub(crate) fn of<'n>(tools: impl Iterator<Item = (&'n str, &'n str)>) -> Self {
        let mut by_connection: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (connection, tool) in tools {
            by_connection.entry(connection).or_default().insert(tool);
        }
        let connections = identifiers(by_connection.keys().copied());
        let mut names = Self { connections, tools: BTreeMap::new() };
        for (connection, tools) in by_connection {
            names.add(connection, identifiers(tools.into_iter()));
        }
        names
    }

    fn add(&mut self, connection: &str, tools: Identifiers) {
        if !tools.is_empty() {
            self.tools.insert(connection.to_owned(), tools);
        }
    }

    /// Whether no name needs another one.
    pub(super) fn is_empty(&self) -> bool {
        self.connections.is_empty() && self.tools.is_empty()
    }
}

fn identifiers<'n>(names: impl Iterator<Item = &'n str>) -> Identifiers {
    let mut identifiers = Identifiers::new();
    for name in names {
        identifiers.entry(identifier(name)).or_default().push(name.to_owned());
    }
    identifiers.retain(|identifier, names| names.len() > 1 || names[0] != *identifier);
    identifiers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_no_identifiers_and_those_that_collide_with_them_are_in_it() {
        let names = ["list", "read-all", "read_all", "get-sum", "3d", "Größe", ""];
        let found = identifiers(names.into_iter());
        let expected = [
            ("_", vec![""]),
            ("_3d", vec!["3d"]),
            ("Gr__e", vec!["Größe"]),
            ("get_sum", vec!["get-sum"]),
            ("read_all", vec!["read-all", "read_all"]),
        ];
        let expected = expected.map(|(identifier, names)| {
            (identifier.to_owned(), names.into_iter().map(str::to_owned).collect::<Vec<_>>())
        });
        assert_eq!(found, expected.into_iter().collect());
    }
}
