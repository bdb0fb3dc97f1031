//! What the rules say, for the calls of one run: each tool is looked up once.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Grants, Ruling, Standing, ruling::No};

/// The rules of one run, and what they said so far.
#[derive(Debug)]
pub(crate) struct Verdicts {
    grants: Arc<Grants>,
    /// Few enough for looking through them to take less than a hash does. Locked to look one up or to add one, never across
    /// an await.
    known: Mutex<Vec<Known>>,
}

/// What the rules say of one tool.
#[derive(Debug)]
struct Known {
    connection: Box<str>,
    tool: Box<str>,
    standing: Standing,
}

impl Verdicts {
    pub(crate) fn new(grants: Arc<Grants>) -> Self {
        Self { grants, known: Mutex::default() }
    }

    /// Which rule decides about a call, and its no. `arguments` is a JSON text.
    pub(crate) fn on(
        &self,
        connection: &str,
        tool: &str,
        arguments: &str,
    ) -> (Ruling, Result<(), No>) {
        match self.standing(connection, tool) {
            Standing::Allowed(ruling) => (ruling, Ok(())),
            Standing::Refused(ruling) => {
                let no = self.no(&ruling, connection, tool);
                (ruling, Err(no))
            }
            Standing::Depends(conditions) => self.grants.judge(&conditions, arguments),
        }
    }

    fn standing(&self, connection: &str, tool: &str) -> Standing {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(it) = known.iter().find(|it| *it.tool == *tool && *it.connection == *connection)
        {
            return it.standing.clone();
        }
        let standing = self.grants.standing(connection, tool);
        // A name that is no tool's may be as long, and there may be as many of them, as the workflow likes.
        let limits = &self.grants.limits;
        let is_name = connection.len().max(tool.len()) <= limits.max_remembered_bytes;
        if is_name && known.len() < limits.max_remembered {
            let (connection, tool) = (connection.into(), tool.into());
            known.push(Known { connection, tool, standing: standing.clone() });
        }
        standing
    }

    fn no(&self, ruling: &Ruling, connection: &str, tool: &str) -> No {
        let cut = |name: &str| -> String {
            name.chars().take(self.grants.limits.max_quoted_chars).collect()
        };
        let (connection, tool) = (cut(connection), cut(tool));
        No(match ruling {
            Ruling::All | Ruling::None => {
                format!("no rule allows this run to call {tool:?} of {connection:?}")
            }
            rule => format!("rule \"{rule}\" forbids calling {tool:?} of {connection:?}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{grants::Rule, limits::GrantLimits};

    #[test]
    fn names_that_a_workflow_makes_up_are_not_remembered_without_end() {
        let limits =
            GrantLimits { max_remembered: 3, max_remembered_bytes: 8, ..GrantLimits::default() };
        let grants = Grants::none().allow(Rule::new("c/*").unwrap()).limits(limits);
        let verdicts = Verdicts::new(Arc::new(grants));

        for tool in ["a", "a-very-long-name", "b", "a", "c", "d", "e"] {
            assert_eq!(verdicts.on("c", tool, "{}").1, Ok(()), "{tool}");
            assert_eq!(verdicts.on("d", tool, "{}").0, Ruling::None, "{tool}");
        }

        assert_eq!(verdicts.known.lock().unwrap().len(), 3);
    }
}
