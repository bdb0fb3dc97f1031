//! What a workflow may call: rules on connections, tools and arguments. Nothing may be called unless a rule allows it, and a
//! rule that denies wins.
//!
//! The gate asks the rules of each call. They know neither runs nor servers; only [`Grants::check`], which is for the time
//! before a run, opens connections.

mod check;
mod constraint;
mod input_schema;
mod pattern;
mod reading;
mod ruling;
mod schema;
mod verdicts;

#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr, sync::Arc};

pub use self::{
    check::{GrantsError, Hint, Misfit},
    ruling::Ruling,
};
use self::{constraint::Constraint, pattern::Pattern};
pub(crate) use self::{input_schema::InputSchema, ruling::Standing, verdicts::Verdicts};
use crate::{call::Json, limits::GrantLimits};

/// How a rule for this one tool of this one connection is written.
pub(crate) fn spell(connection: &str, tool: &str) -> String {
    Pattern::spell(connection, tool)
}

/// What a workflow may call.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use callgate::{Grants, Json, Rule};
///
/// let below_out = r#"{"required": ["path"], "properties": {"path": {"pattern": "^out/[a-z.]+$"}}}"#;
/// let grants = Grants::none()
///     .allow(Rule::new("files/read_*")?)
///     .allow(Rule::new("files/write_file")?.with_arguments(&Json::from_text(below_out.to_owned())?)?)
///     .deny(Rule::new("*/delete_*")?);
/// # assert_ne!(grants, Grants::none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grants {
    others: Others,
    allow: Vec<Rule>,
    deny: Vec<Rule>,
    limits: GrantLimits,
}

/// What holds for a tool that no rule is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Others {
    #[default]
    Refused,
    Allowed,
}

/// One rule: which tools of which connections, and with which arguments.
///
/// It is written `CONNECTION/TOOL`, and `*` in either of the two is any characters, also none. Names are compared as they
/// are. A backslash before `*`, `/`, `=` and `\` makes them characters of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// As it was written; reports and refusals call it that.
    text: Arc<str>,
    pattern: Pattern,
    arguments: Option<Arc<Constraint>>,
}

/// Why a rule can't be one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuleFault {
    /// Nothing stands between a connection and a tool.
    #[error("a rule is written CONNECTION/TOOL, such as files/read_* or files/*")]
    NoSlash,
    /// More than one slash.
    #[error("a rule has one slash, between connection and tool; a slash in a name is written \\/")]
    SecondSlash,
    /// A connection or a tool without a name.
    #[error("there is no name on one side of the slash; any name is written *")]
    EmptyName,
    /// A backslash before something that means itself anyway, or before nothing.
    #[error("a backslash stands before *, /, = or \\, and nowhere else")]
    Backslash,
    /// The constraint isn't a JSON Schema, or isn't one that can be a constraint.
    #[error("its constraint on the arguments can't be used: {0}")]
    Arguments(String),
}

impl Grants {
    /// Nothing may be called.
    pub fn none() -> Self {
        Self::default()
    }

    /// Everything may be called that no rule denies.
    pub fn all() -> Self {
        Self { others: Others::Allowed, ..Self::default() }
    }

    /// Allows what the rule covers. Of several such rules it is enough that one allows a call.
    #[must_use]
    pub fn allow(mut self, rule: Rule) -> Self {
        self.allow.push(rule);
        self
    }

    /// Denies what the rule covers, whatever else allows it.
    #[must_use]
    pub fn deny(mut self, rule: Rule) -> Self {
        self.deny.push(rule);
        self
    }

    /// Sets the bounds on what a constraint reads.
    #[must_use]
    pub fn limits(mut self, limits: GrantLimits) -> Self {
        self.limits = limits;
        self
    }

    /// These rules and those, under these bounds.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        if others.others == Others::Allowed {
            self.others = Others::Allowed;
        }
        self.allow.extend(others.allow);
        self.deny.extend(others.deny);
        self
    }
}

impl Rule {
    /// A rule on all calls of the tools that `tools` covers.
    ///
    /// # Errors
    ///
    /// See [`RuleFault`]: mend the text.
    pub fn new(tools: &str) -> Result<Self, RuleFault> {
        Ok(Self { text: tools.into(), pattern: Pattern::parse(tools)?, arguments: None })
    }

    /// The rule for those calls alone whose arguments are as this JSON Schema says. `docs/grants.md` has what a schema may
    /// hold here.
    ///
    /// # Errors
    ///
    /// [`RuleFault::Arguments`], with what is wrong with the schema.
    pub fn with_arguments(mut self, schema: &Json) -> Result<Self, RuleFault> {
        let constraint = Constraint::compile(schema, &GrantLimits::default());
        self.arguments = Some(Arc::new(constraint.map_err(RuleFault::Arguments)?));
        Ok(self)
    }
}

impl FromStr for Rule {
    type Err = RuleFault;

    fn from_str(tools: &str) -> Result<Self, RuleFault> {
        Self::new(tools)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
