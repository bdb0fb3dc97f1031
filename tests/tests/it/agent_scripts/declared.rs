//! The table of a topic, `cases.json`: which servers there are, which files, and what each script has to come to.

use std::{collections::BTreeMap, fs, path::PathBuf};

use callgate::{Grants, Json, Rule};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// A topic, with its table read.
pub(super) struct Topic {
    pub(super) folder: PathBuf,
    pub(super) servers: Vec<String>,
    /// What cases may call that don't say it themselves.
    pub(super) grants: Grants,
    /// The texts in the folder of the servers, by their paths.
    pub(super) files: BTreeMap<String, String>,
    pub(super) cases: Vec<Case>,
}

/// One script.
pub(super) struct Case {
    pub(super) script: String,
    pub(super) args: Value,
    /// What it may call, where that isn't what the topic says.
    pub(super) grants: Option<Grants>,
    /// Fields of `RunLimits`.
    pub(super) limits: BTreeMap<String, usize>,
    pub(super) expected: Expected,
    /// Files that have to be there then: a text as it is, or JSON.
    pub(super) writes: BTreeMap<String, Value>,
    /// How many calls it makes, where that matters.
    pub(super) calls: Option<usize>,
    /// What it writes to its logs, where that matters.
    pub(super) logs: Option<Value>,
}

/// How a script ends.
pub(super) enum Expected {
    /// With this result.
    Result(Value),
    /// With the result that the fixture counted under this name.
    Recount(String),
    Fails(Failure),
    /// At this limit.
    Stopped(String),
    /// It isn't run at all, and this is said.
    Refused(String),
}

/// What is told of a failure. What isn't named here may be anything.
#[derive(Deserialize)]
pub(super) struct Failure {
    /// A part of the sentence.
    pub(super) says: Option<String>,
    /// A part of the message of the cause.
    pub(super) cause: Option<String>,
    /// `kind`, and fields of the fault.
    #[serde(flatten)]
    pub(super) fields: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicEntry {
    /// For readers.
    #[serde(rename = "about")]
    _about: String,
    servers: Vec<String>,
    allow: Allow,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    files: BTreeMap<String, String>,
    cases: Vec<CaseEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseEntry {
    script: String,
    args: Option<Value>,
    allow: Option<Allow>,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    limits: BTreeMap<String, usize>,
    // `null` is a result, too.
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    recount: Option<String>,
    fails: Option<Failure>,
    stopped: Option<String>,
    refused: Option<String>,
    #[serde(default)]
    writes: BTreeMap<String, Value>,
    calls: Option<usize>,
    logs: Option<Value>,
}

fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

/// Rules as the command line has them, or the word `all`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Allow {
    Rules(Vec<String>),
    Word(String),
}

impl Topic {
    pub(super) fn read(name: &str) -> Self {
        let folder = super::scripts().join(name);
        let text = fs::read_to_string(folder.join("cases.json")).unwrap();
        let entry: TopicEntry =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self {
            folder,
            servers: entry.servers,
            grants: grants(&entry.allow, &entry.deny),
            files: entry.files,
            cases: entry.cases.into_iter().map(|case| case.into_case(&entry.args)).collect(),
        }
    }
}

impl CaseEntry {
    fn into_case(self, args: &Value) -> Case {
        let ends = [
            self.result.map(Expected::Result),
            self.recount.map(Expected::Recount),
            self.fails.map(Expected::Fails),
            self.stopped.map(Expected::Stopped),
            self.refused.map(Expected::Refused),
        ];
        let mut ends: Vec<_> = ends.into_iter().flatten().collect();
        assert_eq!(ends.len(), 1, "{} has one end", self.script);
        assert!(self.allow.is_some() || self.deny.is_empty(), "{} denies alone", self.script);
        Case {
            script: self.script,
            args: self.args.unwrap_or_else(|| args.clone()),
            grants: self.allow.map(|allow| grants(&allow, &self.deny)),
            limits: self.limits,
            expected: ends.remove(0),
            writes: self.writes,
            calls: self.calls,
            logs: self.logs,
        }
    }
}

fn grants(allow: &Allow, deny: &[String]) -> Grants {
    let allowed = match allow {
        Allow::Word(word) => {
            assert_eq!(word, "all");
            Grants::all()
        }
        Allow::Rules(rules) => rules.iter().map(|it| rule(it)).fold(Grants::none(), Grants::allow),
    };
    deny.iter().map(|it| rule(it)).fold(allowed, Grants::deny)
}

/// `CONNECTION/TOOL`, perhaps with `=SCHEMA`.
fn rule(text: &str) -> Rule {
    match text.split_once('=') {
        None => Rule::new(text).unwrap(),
        Some((tools, schema)) => {
            let schema = Json::from_text(schema.to_owned()).unwrap();
            Rule::new(tools).unwrap().with_arguments(&schema).unwrap()
        }
    }
}
