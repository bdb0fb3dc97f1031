//! Before a run: whether the rules mean what their author thinks.
//!
//! A rule with a typing error in it allows nothing, or, worse, denies nothing. So each rule has to cover at least one tool that
//! its servers list, and servers have to be asked for that.

use std::{collections::BTreeMap, fmt};

use futures::future::join_all;

use super::{Grants, Rule, Ruling};
use crate::{
    call::{CallError, ConnectionId},
    limits::GrantLimits,
    pool::SessionPool,
    session::clashes,
};

/// Why a run can't start under these rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrantsError {
    /// Mend the rules: at least one doesn't fit the servers.
    #[error("{}", Lines(.0))]
    Misfits(Vec<Misfit>),
    /// A connection that a rule names couldn't be opened, so nobody knows its tools.
    #[error("{connection}, which rule \"{rule}\" is about, could not be opened: {why}")]
    Connection {
        /// Which.
        connection: ConnectionId,
        /// The rule.
        rule: Ruling,
        /// What happened, in words; some may be the server's.
        why: String,
    },
}

/// A rule that doesn't fit the servers. Names of tools are the servers' words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// No connection has such a name.
    #[error("rule \"{rule}\": there is no such connection{hint}")]
    Connection {
        /// The rule.
        rule: Ruling,
        /// What may have been meant.
        hint: Hint,
    },
    /// No server lists such a tool.
    #[error("rule \"{rule}\": its servers list no such tool{hint}")]
    Tool {
        /// The rule.
        rule: Ruling,
        /// What may have been meant.
        hint: Hint,
    },
    /// It allows tools that a language which makes identifiers of names can't tell apart.
    #[error(
        "rule \"{rule}\": {connection} has {names:?}, which are all {identifier} as an identifier: deny all but one, or allow each by its own name"
    )]
    Clash {
        /// The rule.
        rule: Ruling,
        /// Whose tools they are.
        connection: ConnectionId,
        /// The tools.
        names: Vec<String>,
        /// What they have in common.
        identifier: String,
    },
}

/// What the author of a rule may have meant.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Hint {
    /// The nearest name.
    Nearest(String),
    /// None is near; these are all.
    Known(Vec<String>),
    /// The servers' tools aren't known, with the reasons.
    NoList(Vec<String>),
    /// Nothing.
    None,
}

/// What is known of one connection's tools.
struct Listed {
    tools: Vec<String>,
    /// Why the server has no list of them.
    no_list: Option<String>,
}

type ByConnection<T> = BTreeMap<ConnectionId, T>;

impl Grants {
    /// Opens the connections that the rules are about, and compares the rules with the tools there. Grants without rules open
    /// nothing.
    ///
    /// Do this before [`Run::start`](crate::Run::start), which doesn't: a run under rules that don't fit is safe and of no
    /// use. A tool that a server adds later is judged by the same rules and isn't checked any more.
    ///
    /// # Errors
    ///
    /// See [`GrantsError`]. Of the connections that a star stands for, only one for each rule has to open.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future leaves the connections that are open in the pool.
    pub async fn check(&self, pool: &SessionPool) -> Result<(), GrantsError> {
        let ids: Vec<&ConnectionId> = pool.connections().map(|(id, _)| id).collect();
        none_of(self.strangers(&ids))?;
        let is_wanted = |id: &&ConnectionId| {
            self.rules().any(|(rule, _)| rule.pattern.covers_connection(id.as_str()))
        };
        let wanted: Vec<&ConnectionId> = ids.into_iter().filter(is_wanted).collect();
        let listed = join_all(wanted.iter().map(|id| list(pool, id))).await;
        let listed = wanted.into_iter().cloned().zip(listed).collect();
        let listed = self.opened(listed)?;
        none_of(self.misfits(&listed))
    }

    /// Every rule, and how it is named.
    fn rules(&self) -> impl Iterator<Item = (&Rule, Ruling)> {
        let allow = self.allow.iter().map(|rule| (rule, Ruling::Allow(rule.text.clone())));
        allow.chain(self.deny.iter().map(|rule| (rule, Ruling::Deny(rule.text.clone()))))
    }

    /// The rules on connections that there aren't.
    fn strangers(&self, ids: &[&ConnectionId]) -> Vec<Misfit> {
        let covers_one =
            |rule: &Rule| ids.iter().any(|id| rule.pattern.covers_connection(id.as_str()));
        let strangers = self.rules().filter(|(rule, _)| !covers_one(rule));
        strangers
            .map(|(rule, ruling)| {
                let known = || ids.iter().map(|id| id.as_str());
                let nearest = rule
                    .pattern
                    .exact_connection()
                    .and_then(|it| nearest(it, known(), &self.limits));
                let hint =
                    nearest.unwrap_or_else(|| Hint::Known(known().map(Into::into).collect()));
                Misfit::Connection { rule: ruling, hint }
            })
            .collect()
    }

    /// Those that are open, if no rule needs another one.
    fn opened(
        &self,
        listed: ByConnection<Result<Listed, String>>,
    ) -> Result<ByConnection<Listed>, GrantsError> {
        for (rule, ruling) in self.rules() {
            let mut covered =
                listed.iter().filter(|(id, _)| rule.pattern.covers_connection(id.as_str()));
            let Some((connection, Err(why))) = covered.next() else { continue };
            if covered.all(|(_, listed)| listed.is_err()) {
                let (connection, why) = (connection.clone(), why.clone());
                return Err(GrantsError::Connection { connection, rule: ruling, why });
            }
        }
        let opened = listed.into_iter().filter_map(|(id, listed)| match listed {
            Ok(listed) => Some((id, listed)),
            Err(why) => {
                tracing::warn!(connection = %id, why, "a rule with a star in it is about a connection that could not be opened");
                None
            }
        });
        Ok(opened.collect())
    }

    fn misfits(&self, listed: &ByConnection<Listed>) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        for (rule, ruling) in self.rules() {
            let about =
                || listed.iter().filter(move |(id, _)| rule.pattern.covers_connection(id.as_str()));
            let covers_one = about().any(|(id, listed)| {
                listed.tools.iter().any(|tool| rule.pattern.covers(id.as_str(), tool))
            });
            if !covers_one {
                let hint = self.hint(rule, &mut about());
                misfits.push(Misfit::Tool { rule: ruling, hint });
            } else if let Ruling::Allow(_) = ruling {
                misfits.extend(
                    about().flat_map(|(id, listed)| self.clashes(rule, &ruling, id, listed)),
                );
            }
        }
        misfits
    }

    fn hint<'l>(
        &self,
        rule: &Rule,
        about: &mut dyn Iterator<Item = (&'l ConnectionId, &'l Listed)>,
    ) -> Hint {
        let about: Vec<_> = about.collect();
        let no_list: Vec<String> = about
            .iter()
            .filter_map(|(id, listed)| Some(format!("{id}: {}", listed.no_list.as_ref()?)))
            .collect();
        if !no_list.is_empty() {
            return Hint::NoList(no_list);
        }
        let tools = about.iter().flat_map(|(_, listed)| listed.tools.iter().map(String::as_str));
        rule.pattern
            .exact_tool()
            .and_then(|it| nearest(it, tools, &self.limits))
            .unwrap_or(Hint::None)
    }

    /// Tools that the rule allows and that clash among each other. Those that another rule denies are none of it.
    fn clashes(
        &self,
        rule: &Rule,
        ruling: &Ruling,
        connection: &ConnectionId,
        listed: &Listed,
    ) -> Vec<Misfit> {
        let id = connection.as_str();
        let is_allowed = |tool: &&str| rule.pattern.covers(id, tool) && self.may_allow(id, tool);
        let allowed = listed.tools.iter().map(String::as_str).filter(is_allowed);
        clashes(allowed)
            .into_iter()
            .map(|(identifier, names)| Misfit::Clash {
                rule: ruling.clone(),
                connection: connection.clone(),
                names: names.into_iter().map(|name| self.cut(name)).collect(),
                identifier: self.cut(&identifier),
            })
            .collect()
    }

    fn cut(&self, name: &str) -> String {
        name.chars().take(self.limits.max_quoted_chars).collect()
    }
}

/// The tools of one connection, which is opened for it. The error is in words.
async fn list(pool: &SessionPool, id: &ConnectionId) -> Result<Listed, String> {
    let in_words = |error: CallError| match error {
        CallError::NotSent(failure) => failure.detail,
        other => other.to_string(),
    };
    let session = pool.session(id).map_err(in_words)?;
    session.ready().await.map_err(|failure| failure.detail)?;
    let tools = session.catalogue().tools().iter().map(|tool| tool.name.clone()).collect();
    Ok(Listed { tools, no_list: session.story().list_problem })
}

fn none_of(misfits: Vec<Misfit>) -> Result<(), GrantsError> {
    if misfits.is_empty() { Ok(()) } else { Err(GrantsError::Misfits(misfits)) }
}

/// The name that was likely meant: at most a third of it is wrong.
fn nearest<'n>(
    typed: &str,
    names: impl Iterator<Item = &'n str>,
    limits: &GrantLimits,
) -> Option<Hint> {
    let short = |name: &str| name.len() <= limits.max_hinted_bytes;
    if !short(typed) {
        return None;
    }
    let near = names.filter(|name| short(name)).map(|name| (distance(typed, name), name));
    let (distance, name) = near.min()?;
    (distance <= typed.chars().count().div_ceil(3)).then(|| Hint::Nearest(name.to_owned()))
}

/// How many characters have to be put in, taken out or replaced.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nearest(name) => write!(f, "; did you mean {name:?}?"),
            Self::Known(names) if names.is_empty() => f.write_str("; there are none"),
            Self::Known(names) => write!(f, "; there are: {}", names.join(", ")),
            Self::NoList(why) => {
                write!(f, ", because there is no list of tools: {}", why.join("; "))
            }
            Self::None => Ok(()),
        }
    }
}

/// One misfit a line.
struct Lines<'m>(&'m [Misfit]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, misfit) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{misfit}")?;
        }
        Ok(())
    }
}
