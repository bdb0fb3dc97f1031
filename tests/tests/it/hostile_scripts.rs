//! Hostile scripts: for each way to misbehave in JavaScript one script, and how its run has to end.
//!
//! After each of them the same component runs a good script. `docs/hostile-guests.md` has the table for readers. What a
//! script can do to the WebAssembly around it is what any guest can do, and is tried in `hostile_guests`.

mod calls;
mod command;
mod deep;
mod endless;
mod escapes;
#[cfg(target_os = "linux")]
mod leavings;
mod memory;
mod pollution;
mod results;
mod texts;

use std::time::{Duration, Instant};

use callgate::{
    Grants, Run, RunLimits, RunOutcome, RunReport, Script, ScriptLimits, SessionPool, Stopped,
};
use callgate_tests::fake::FakeServer;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::{
    run::{input, limits},
    script::workflow,
};

/// What a run may take over its own limits on a machine that has more to do.
const SLACK: Duration = Duration::from_secs(5);

/// Finds whatever an earlier script may have left behind in the language, and calls a tool.
const GOOD: &str = r#"
    const { fake } = tools;
    const isClean = [{}, [], "", () => 1].every((it) => it.polluted === undefined && it.toJSON === undefined && it[0] === undefined);
    console.log(args, [1, { a: 2 }]);
    return { answers: await Promise.all([fake.read({ n: args }), fake.read()]), double: args * 2, isClean };"#;

/// One script, the bounds of its run, and its end.
struct Attack {
    name: &'static str,
    source: String,
    file: &'static str,
    limits: RunLimits,
    ends: End,
}

/// How a run ends, or why there is none.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    /// At this limit, which names itself.
    Limit(&'static str),
    /// With a failure of this kind that says this.
    Fails(&'static str, &'static str),
    /// With this result.
    Done(&'static str),
    /// It isn't read, for a reason that says this.
    NotRead(&'static str),
}

/// A script that is stopped at a limit.
fn stopped(name: &'static str, source: impl Into<String>, limit: &'static str) -> Attack {
    attack(name, source, End::Limit(limit))
}

/// A script that computes for ever.
fn endless(name: &'static str, source: impl Into<String>) -> Attack {
    stopped(name, source, "cpu_time")
}

/// A script that fails.
fn fails(
    name: &'static str,
    source: impl Into<String>,
    kind: &'static str,
    says: &'static str,
) -> Attack {
    attack(name, source, End::Fails(kind, says))
}

/// A script that comes to a result all the same.
fn done(name: &'static str, source: impl Into<String>, result: &'static str) -> Attack {
    attack(name, source, End::Done(result))
}

fn attack(name: &'static str, source: impl Into<String>, ends: End) -> Attack {
    let mut limits = tight();
    if ends == End::Limit("cpu_time") {
        limits.cpu_time = Duration::from_millis(100);
    }
    Attack { name, source: source.into(), file: "attack.js", limits, ends }
}

impl Attack {
    fn within(mut self, change: impl FnOnce(&mut RunLimits)) -> Self {
        change(&mut self.limits);
        self
    }

    fn in_file(mut self, file: &'static str) -> Self {
        self.file = file;
        self
    }
}

/// Bounds that hostile scripts reach soon.
fn tight() -> RunLimits {
    limits(|limits| {
        // Only for those whose end this is: on a machine that has more to do, others take their time.
        limits.wall_clock = Duration::from_secs(30);
        limits.cpu_time = Duration::from_secs(30);
        limits.max_memory_bytes = 16 << 20;
        limits.max_calls = 500;
        limits.max_calls_in_flight = 50;
        limits.max_name_bytes = 100;
        limits.max_argument_bytes = 1 << 20;
        limits.max_output_bytes = 1 << 20;
        limits.max_log_bytes = 10_000;
    })
}

/// What scripts may call: the connection `fake`, of whose tools `hang` never answers.
struct Host {
    pool: SessionPool,
    serving: JoinHandle<()>,
}

impl Host {
    fn new() -> Self {
        let (mut server, pool) = FakeServer::pooled();
        let serving =
            tokio::spawn(async move { server.accept().await.serve("x", &["hang"]).await });
        Self { pool, serving }
    }

    async fn run(&self, script: Script, limits: RunLimits) -> RunReport {
        let run = Run::new(&workflow().await, &self.pool).limits(limits).grants(Grants::all());
        run.script(script).start(input(&json!(21))).await
    }

    /// What came of it, or why it wasn't read.
    async fn run_attack(&self, attack: &Attack) -> Result<RunReport, String> {
        let (source, file) = (attack.source.clone(), attack.file);
        let reading = tokio::task::spawn_blocking(move || {
            Script::new(source, file, ScriptLimits::default()).map_err(|error| error.to_string())
        });
        Ok(self.run(reading.await.unwrap()?, attack.limits.clone()).await)
    }

    /// What is wrong with the end of a script, or with the host after it.
    async fn try_attack(&self, attack: &Attack) -> Result<(), String> {
        let started = Instant::now();
        let report = match (self.run_attack(attack).await, attack.ends) {
            (Err(said), End::NotRead(why)) if said.contains(why) => return self.try_good().await,
            (Err(said), ends) => return Err(format!("expected {ends:?}, it was not read: {said}")),
            (Ok(report), _) => report,
        };
        let took = started.elapsed();
        as_expected(attack.ends, &report)?;
        if took > attack.limits.wall_clock.min(attack.limits.cpu_time) + SLACK {
            return Err(format!("it took {took:?}"));
        }
        if report.peak_memory_bytes > attack.limits.max_memory_bytes {
            return Err(format!("it had {} bytes of memory", report.peak_memory_bytes));
        }
        self.try_good().await
    }

    async fn try_good(&self) -> Result<(), String> {
        let script = Script::new(GOOD, "good.js", ScriptLimits::default()).unwrap();
        let report = self.run(script, RunLimits::default()).await;
        let expected = r#"{"answers":["x","x"],"double":42,"isClean":true}"#;
        as_expected(End::Done(expected), &report)
            .map_err(|wrong| format!("a good script after it: {wrong}"))?;
        match report.logs.entries.iter().map(|line| &*line.text).collect::<Vec<_>>()[..] {
            ["21 [ 1, { a: 2 } ]"] => Ok(()),
            _ => Err(format!("the log of a good script after it: {:?}", report.logs)),
        }
    }

    async fn close(self) {
        self.pool.close().await;
        self.serving.abort();
    }
}

fn as_expected(end: End, report: &RunReport) -> Result<(), String> {
    let is_it = match (end, &report.outcome) {
        (End::Done(output), RunOutcome::Done(json)) => json.as_str() == output,
        (End::Fails(kind, says), RunOutcome::Failed(failure)) => {
            // What the host reads of a failure is there, whatever the script made of it.
            let is_told = report.script.is_some() || says.ends_with("can't be told");
            failure.kind == kind && failure.message.contains(says) && is_told
        }
        (End::Limit(name), RunOutcome::Stopped(Stopped::Limit(limit))) => {
            let said = limit.to_string();
            let words = [limit.limit, &limit.value, &limit.reached, limit.raise_with];
            limit.limit == name && words.iter().all(|it| !it.is_empty() && said.contains(it))
        }
        _ => false,
    };
    match is_it {
        true => Ok(()),
        false => {
            let fault = report.script.as_ref().and_then(|script| script.fault.as_ref());
            Err(format!("expected {end:?}, it came to {:.400?} {fault:.200?}", report.outcome))
        }
    }
}

/// Tries each script, and fails with all that was wrong.
async fn end_as_they_should(attacks: Vec<Attack>) {
    let mut wrong = Vec::new();
    let host = Host::new();
    for attack in &attacks {
        if let Err(what) = host.try_attack(attack).await {
            wrong.push(format!("{}: {what}", attack.name));
        }
    }
    host.close().await;
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), attacks.len(), wrong.join("\n"));
}
