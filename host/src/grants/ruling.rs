//! What the rules say of one tool, and then of one call of it.

use std::{fmt, sync::Arc};

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    Grants, Others, Rule,
    constraint::{Constraint, Fit},
    reading,
};

/// Which rule decided about a call. Whether it was let through is another question: a rule that allows a tool may find fault
/// with the arguments.
///
/// Its JSON form is one string: `all`, `none`, or `allow` or `deny` and the rule as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Ruling {
    /// No rule is about it, and such calls are allowed.
    All,
    /// No rule is about it, and such calls are refused.
    None,
    /// This rule allows the tool.
    Allow(Arc<str>),
    /// This rule denies it.
    Deny(Arc<str>),
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::None => f.write_str("none"),
            Self::Allow(rule) => write!(f, "allow {rule}"),
            Self::Deny(rule) => write!(f, "deny {rule}"),
        }
    }
}

impl Serialize for Ruling {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What the rules say of all calls of one tool.
#[derive(Clone, Debug)]
pub(crate) enum Standing {
    Allowed(Ruling),
    Refused(Ruling),
    /// The arguments decide.
    Depends(Arc<Conditions>),
}

/// The rules that matter for one tool whose calls differ.
#[derive(Debug)]
pub(crate) struct Conditions {
    /// Each has a constraint.
    deny: Vec<Rule>,
    /// At least one; or none, where everything else is allowed.
    allow: Vec<Rule>,
    others: Others,
}

/// Why a call is refused, for the workflow. It names no rule but the one that decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct No(pub(crate) String);

impl Grants {
    /// What the rules say of one tool, arguments aside.
    /// Whether the rules can allow a call of this tool, with some arguments.
    pub(crate) fn may_allow(&self, connection: &str, tool: &str) -> bool {
        !matches!(self.standing(connection, tool), Standing::Refused(_))
    }

    pub(crate) fn standing(&self, connection: &str, tool: &str) -> Standing {
        let covers = |rule: &&Rule| rule.pattern.covers(connection, tool);
        let deny: Vec<&Rule> = self.deny.iter().filter(covers).collect();
        if let Some(rule) = deny.iter().find(|rule| rule.arguments.is_none()) {
            return Standing::Refused(Ruling::Deny(rule.text.clone()));
        }
        let allow: Vec<&Rule> = self.allow.iter().filter(covers).collect();
        if deny.is_empty() {
            match (allow.iter().find(|rule| rule.arguments.is_none()), self.others) {
                (Some(rule), _) => return Standing::Allowed(Ruling::Allow(rule.text.clone())),
                (None, Others::Allowed) => return Standing::Allowed(Ruling::All),
                (None, Others::Refused) => {}
            }
        }
        if allow.is_empty() && self.others == Others::Refused {
            return Standing::Refused(Ruling::None);
        }
        let owned = |rules: Vec<&Rule>| rules.into_iter().cloned().collect();
        let (deny, allow) = (owned(deny), owned(allow));
        Standing::Depends(Arc::new(Conditions { deny, allow, others: self.others }))
    }

    /// What the rules say of one call of a tool whose arguments decide.
    pub(crate) fn judge(
        &self,
        conditions: &Conditions,
        arguments: &str,
    ) -> (Ruling, Result<(), No>) {
        let arguments = match reading::read(arguments, &self.limits) {
            Ok(arguments) => arguments,
            Err(unclear) => {
                let ruling = conditions.first();
                let no = format!("rule \"{ruling}\" can't judge the arguments: {unclear}");
                return (ruling, Err(No(no)));
            }
        };
        match conditions.denied(&arguments) {
            Some(no) => no,
            None => self.allowed(conditions, &arguments),
        }
    }

    /// Says yes if one rule that allows the tool is content with the arguments.
    fn allowed(&self, conditions: &Conditions, arguments: &Value) -> (Ruling, Result<(), No>) {
        let mut first_no = None;
        for rule in &conditions.allow {
            let ruling = Ruling::Allow(rule.text.clone());
            let why_not = match rule.fits(arguments) {
                Fit::Yes => return (ruling, Ok(())),
                Fit::No(violation) => violation.told(&self.limits),
                Fit::Unclear => UNCLEAR.to_owned(),
            };
            let no = format!("rule \"{ruling}\" does not allow these arguments: {why_not}");
            first_no.get_or_insert((ruling, Err(No(no))));
        }
        match (first_no, conditions.others) {
            (_, Others::Allowed) => (Ruling::All, Ok(())),
            (Some(no), Others::Refused) => no,
            (None, Others::Refused) => (Ruling::None, Err(No("no rule allows it".to_owned()))),
        }
    }
}

const UNCLEAR: &str = "they can't be judged";

impl Conditions {
    /// The rule that is named where none got as far as to decide.
    fn first(&self) -> Ruling {
        match (self.deny.first(), self.allow.first()) {
            (Some(rule), _) => Ruling::Deny(rule.text.clone()),
            (None, Some(rule)) => Ruling::Allow(rule.text.clone()),
            (None, None) => Ruling::None,
        }
    }

    /// The no of a rule that denies such arguments, or that can't be sure that it doesn't.
    fn denied(&self, arguments: &Value) -> Option<(Ruling, Result<(), No>)> {
        let (rule, why) = self.deny.iter().find_map(|rule| match rule.fits(arguments) {
            Fit::Yes => Some((rule, "it denies such arguments")),
            Fit::Unclear => Some((rule, UNCLEAR)),
            Fit::No(_) => None,
        })?;
        let ruling = Ruling::Deny(rule.text.clone());
        let no = format!("rule \"{ruling}\" forbids this call: {why}");
        Some((ruling, Err(No(no))))
    }
}

impl Rule {
    fn fits(&self, arguments: &Value) -> Fit {
        self.arguments.as_deref().map_or(Fit::Yes, |it: &Constraint| it.fits(arguments))
    }
}
