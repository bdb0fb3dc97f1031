//! Scripts of the kind that agents write, against real servers: `tests/scripts/TOPIC/` has a file for each, and `cases.json` with
//! what each is given, may do and has to come to.
//!
//! The servers of a topic are started once, and its scripts run one after the other in the order of the table. What is
//! expected was written down by hand, or is counted by `fixtures` in another way.

mod declared;
mod difference;
mod fixtures;
mod types;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use callgate::{
    ConnectionId, Connector, Json, PooledConnection, Run, RunLimits, RunOutcome, RunReport, Script,
    ScriptLimits, SessionOptions, SessionPool, Stopped,
};
use callgate_tests::servers::{self, StdioCommand};
use serde_json::Value;
use tempfile::TempDir;

use self::{
    declared::{Case, Expected, Failure, Topic},
    difference::differences,
};
use crate::{
    cli::CALLGATE,
    run::{input, limits},
    script::workflow,
};

macro_rules! topics {
    ($($topic:ident),*) => {
        /// All of them: each is a folder and a test.
        const TOPICS: &[&str] = &[$(stringify!($topic)),*];

        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $topic() {
                do_as_declared(stringify!($topic)).await;
            }
        )*
    };
}

topics!(errors, everything, files, filesystem, git, joins, memory, time);

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")
}

/// A topic with its servers, and the folder that they work in.
struct Desk {
    topic: Topic,
    folder: TempDir,
    root: PathBuf,
    /// What the fixture counted, by the names that cases have for it.
    recounts: BTreeMap<&'static str, Value>,
    pool: SessionPool,
}

impl Desk {
    fn new(name: &str) -> Self {
        let topic = Topic::read(name);
        let folder = tempfile::tempdir().unwrap();
        // Servers compare paths after they have followed links, and a temporary folder may be behind one.
        let root = folder.path().canonicalize().unwrap().join("root");
        for (path, text) in &topic.files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(&root).unwrap();
        let recounts = fixtures::prepare(name, &root);
        let pool = pool(&topic.servers, &root);
        Self { topic, folder, root, recounts, pool }
    }

    /// A value of the table, with the folder in place of its mark.
    fn filled(&self, value: &Value) -> Value {
        let root = self.root.to_str().unwrap();
        serde_json::from_str(&value.to_string().replace("{ROOT}", root)).unwrap()
    }

    /// What is wrong with one script.
    async fn try_case(&self, case: &Case) -> Vec<String> {
        let path = self.topic.folder.join(&case.script);
        let reading =
            tokio::task::spawn_blocking(move || Script::from_file(&path, ScriptLimits::default()));
        let script = match (reading.await.unwrap(), &case.expected) {
            (Ok(script), _) => script,
            (Err(error), Expected::Refused(said)) => return unless_says(&error.to_string(), said),
            (Err(error), _) => return vec![error.to_string()],
        };
        let run = Run::new(&workflow().await, &self.pool).script(script).limits(case.limits());
        let grants = case.grants.clone().unwrap_or_else(|| self.topic.grants.clone());
        let report = run.grants(grants).start(input(&self.filled(&case.args))).await;
        let mut wrong = self.compare(case, &report);
        wrong.extend(case.writes.iter().flat_map(|(path, text)| self.compare_file(path, text)));
        wrong
    }

    fn compare(&self, case: &Case, report: &RunReport) -> Vec<String> {
        let mut wrong = match (&case.expected, &report.outcome) {
            (Expected::Result(value), RunOutcome::Done(output)) => {
                let output = serde_json::from_str(output.as_str()).unwrap();
                differences("the result", &self.filled(value), &output)
            }
            (Expected::Recount(name), RunOutcome::Done(output)) => {
                let output = serde_json::from_str(output.as_str()).unwrap();
                differences("the result", &self.recounts[name.as_str()], &output)
            }
            (Expected::Fails(failure), RunOutcome::Failed(_)) => compare_failure(failure, report),
            (Expected::Stopped(name), RunOutcome::Stopped(Stopped::Limit(limit)))
                if limit.limit == name =>
            {
                Vec::new()
            }
            (_, RunOutcome::Failed(failure)) => {
                let frame = report.script.as_ref().and_then(|it| it.fault.as_ref()?.frame.clone());
                vec![format!("it failed: {}\n{}", failure.message, frame.unwrap_or_default())]
            }
            (_, outcome) => vec![format!("it ended otherwise: {outcome:?}")],
        };
        if let Some(calls) = case.calls
            && report.calls.len() != calls
        {
            wrong.push(format!("it made {} calls, expected are {calls}", report.calls.len()));
        }
        if let Some(expected) = &case.logs {
            let entries = report.logs.entries.iter();
            let logs: Vec<_> = entries.map(|it| format!("{}: {}", it.to, it.text)).collect();
            wrong.extend(differences("the logs", expected, &logs.into()));
        }
        wrong
    }

    fn compare_file(&self, path: &str, expected: &Value) -> Vec<String> {
        let Ok(text) = fs::read_to_string(self.root.join(path)) else {
            return vec![format!("it didn't write {path}")];
        };
        let actual = match expected {
            Value::String(_) => Value::String(text),
            _ => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        };
        differences(path, expected, &actual)
    }
}

fn compare_failure(expected: &Failure, report: &RunReport) -> Vec<String> {
    let RunOutcome::Failed(failure) = &report.outcome else { unreachable!("the caller looked") };
    let fault = report.script.as_ref().and_then(|script| script.fault.as_ref());
    let mut actual = serde_json::to_value(fault).unwrap();
    actual["kind"] = failure.kind.as_str().into();
    let mut wrong = Vec::new();
    for (key, value) in &expected.fields {
        wrong.extend(differences(&format!("the {key} of the failure"), value, &actual[key]));
    }
    if let Some(said) = &expected.says {
        wrong.extend(unless_says(&failure.message, said));
    }
    if let Some(said) = &expected.cause {
        let cause = &actual["cause"]["message"];
        wrong.extend(unless_says(cause.as_str().unwrap_or_default(), said));
    }
    wrong
}

fn unless_says(text: &str, said: &str) -> Vec<String> {
    match text.contains(said) {
        true => Vec::new(),
        false => vec![format!("it should say {said:?}, and says {text:?}")],
    }
}

/// The servers of these names, each of which works in `root` where it works in a folder.
fn pool(names: &[String], root: &Path) -> SessionPool {
    SessionPool::new(names.iter().map(|name| {
        let mut options = SessionOptions::default();
        let connector = match name.as_str() {
            // Nothing is there.
            "ghost" => {
                let command = root.join("no-such-server");
                StdioCommand { command, args: Vec::new(), env: BTreeMap::new() }.connector()
            }
            "slow" => {
                options.limits.call_timeout = Duration::from_millis(300);
                servers::everything().connector()
            }
            _ => connector(name, root),
        };
        let connection = PooledConnection { options, ..PooledConnection::new(connector) };
        (ConnectionId::from(name.as_str()), connection)
    }))
}

fn connector(name: &str, root: &Path) -> Connector {
    server(name, root).connector()
}

fn server(name: &str, root: &Path) -> StdioCommand {
    match name {
        "everything" => servers::everything(),
        "files" => StdioCommand {
            command: CALLGATE.into(),
            args: vec!["demo-server".to_owned(), root.to_str().unwrap().to_owned()],
            env: BTreeMap::new(),
        },
        "filesystem" => servers::filesystem(root),
        "git" => servers::git(&root.join("repository")),
        "memory" => servers::memory(&root.with_file_name("graph.json")),
        "thinking" => servers::sequential_thinking(),
        "time" => servers::time(),
        other => panic!("there is no server {other}"),
    }
}

impl Case {
    fn limits(&self) -> RunLimits {
        limits(|limits| {
            limits.wall_clock = Duration::from_secs(60);
            for (name, value) in &self.limits {
                match name.as_str() {
                    "max_argument_bytes" => limits.max_argument_bytes = *value,
                    "max_calls" => limits.max_calls = *value as u64,
                    "max_result_bytes" => limits.max_result_bytes = *value,
                    other => panic!("{}: no test sets {other}", self.script),
                }
            }
        })
    }
}

impl Desk {
    /// Waits until the server with the short deadline is there: what starts it must not be what runs into the deadline.
    async fn wait_for_slow(&self) {
        if !self.topic.servers.iter().any(|name| name == "slow") {
            return;
        }
        let message = || Json::from_text(r#"{"message":"are you there?"}"#.into()).unwrap();
        while self.pool.call_tool(&"slow".into(), "echo", message()).await.is_err() {}
    }
}

/// Runs all scripts of a topic, and fails with all that was wrong with any.
async fn do_as_declared(topic: &'static str) {
    let desk = tokio::task::spawn_blocking(move || Desk::new(topic)).await.unwrap();
    desk.wait_for_slow().await;
    let mut wrong = Vec::new();
    for case in &desk.topic.cases {
        let faults = desk.try_case(case).await;
        let told = faults.iter().map(|fault| format!("\n  {}", fault.replace('\n', "\n    ")));
        if !faults.is_empty() {
            wrong.push(format!(
                "tests/scripts/{topic}/{}:{}",
                case.script,
                told.collect::<String>()
            ));
        }
    }
    desk.pool.close().await;
    drop(desk.folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_script_is_declared_and_every_declaration_has_its_script() {
    let mut count = 0;
    let mut folders: Vec<String> = names_in(&scripts());
    folders.sort();
    assert_eq!(folders, TOPICS);
    for topic in TOPICS {
        let topic = Topic::read(topic);
        let mut there = names_in(&topic.folder);
        there.retain(|name| name != "cases.json");
        there.sort();
        let mut declared: Vec<_> = topic.cases.iter().map(|case| case.script.clone()).collect();
        declared.sort();
        assert_eq!(there, declared, "in {}", topic.folder.display());
        count += there.len();
    }
    assert!(count >= 60, "{count} scripts");
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
