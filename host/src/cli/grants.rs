//! What the workflow may call: the options of `callgate run`, beside what the configuration says.

use std::collections::BTreeSet;

use anyhow::Context;

use super::{exit::Failed, input, output};
use crate::{
    gate::{Ending, Entry},
    grants::{Grants, GrantsError, Rule, Ruling, spell},
    pool::SessionPool,
};

const HEADING: &str = "What the workflow may call (nothing by default)";

/// What the workflow may call.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// Let it call these tools: CONNECTION/TOOL, where * is any characters; with =SCHEMA or =@FILE behind it, only with
    /// arguments that are as this JSON Schema says
    #[arg(long, value_name = "RULE", help_heading = HEADING, conflicts_with = "allow_all")]
    allow: Vec<String>,
    /// Never let it call these, whatever allows it; written like --allow
    #[arg(long, value_name = "RULE", help_heading = HEADING)]
    deny: Vec<String>,
    /// Let it call everything that no rule denies
    #[arg(long, help_heading = HEADING)]
    allow_all: bool,
}

impl Arguments {
    /// The rules of the command line together with those of the configuration.
    pub(super) fn grants(&self, configured: Grants) -> anyhow::Result<Grants> {
        let mut grants = if self.allow_all { Grants::all() } else { Grants::none() };
        for text in &self.allow {
            grants = grants.allow(rule(text).with_context(|| format!("--allow {text}"))?);
        }
        for text in &self.deny {
            grants = grants.deny(rule(text).with_context(|| format!("--deny {text}"))?);
        }
        Ok(grants.and(configured))
    }
}

/// `TOOLS` or `TOOLS=SCHEMA`.
fn rule(text: &str) -> anyhow::Result<Rule> {
    let (tools, schema) = split(text);
    let rule = Rule::new(tools)?;
    match schema {
        Some(schema) => Ok(rule.with_arguments(&input::json(schema)?)?),
        None => Ok(rule),
    }
}

/// Cuts at the first `=` that no backslash makes part of a name.
fn split(text: &str) -> (&str, Option<&str>) {
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '=' if !is_escaped => return (&text[..at], Some(&text[at + 1..])),
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    (text, None)
}

/// Whether the rules fit the servers; those that they are about are opened for it.
pub(super) async fn check(grants: &Grants, pool: &SessionPool) -> Result<(), Failed> {
    grants.check(pool).await.map_err(|error| match error {
        GrantsError::Connection { .. } => Failed::connection(error.into()),
        misfits => Failed::usage(anyhow::Error::from(misfits).context("the grants don't fit")),
    })
}

/// Says how calls can be allowed that no rule is about: the workflow itself may keep quiet about them.
pub(super) fn explain(calls: &[Entry]) {
    let is_ungranted =
        |call: &&Entry| call.outcome == Ending::Refused && matches!(call.rule, Some(Ruling::None));
    let tools: BTreeSet<(&str, &str)> = calls
        .iter()
        .filter(is_ungranted)
        .map(|call| (call.connection.as_str(), call.tool.as_str()))
        .collect();
    let Some((connection, tool)) = tools.first() else { return };
    let rule = spell(connection, tool);
    let more = match tools.len() {
        1 => String::new(),
        tools => format!(" (and {} more tools)", tools - 1),
    };
    output::warn(&format!(
        "no rule allows {rule}{more}, so calls were refused; see --allow, or \"grants\" in the configuration"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_starts_at_the_first_equals_sign_that_is_not_escaped() {
        assert_eq!(split("a/b"), ("a/b", None));
        assert_eq!(split("a/b={\"c\": \"=\"}"), ("a/b", Some("{\"c\": \"=\"}")));
        assert_eq!(split(r"a\=b/c\\=true"), (r"a\=b/c\\", Some("true")));
    }

    #[test]
    fn a_rule_that_is_none_is_told_by_its_text() {
        for (text, word) in [
            ("files", "CONNECTION/TOOL"),
            ("files/read=", "JSON"),
            ("files/read=@none.json", "none.json"),
            ("files/read={\"a\": 1}", "keyword"),
            ("files/read={\"not\": {}, \"not\": {}}", "twice"),
        ] {
            let error = format!("{:#}", rule(text).unwrap_err());
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
