//! Scripts: the language that they have, how they fail, and what they call.

mod arguments;
mod calls;
mod failures;
mod globals;
mod names;
mod time;

use std::path::{Path, PathBuf};

use callgate::{
    Engine, EngineOptions, Grants, Run, RunLimits, RunOutcome, RunReport, Script, ScriptFault,
    ScriptLimits, SessionPool, Workflow,
};
use callgate_tests::fake::{FakeConnection, FakeServer};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::run::{input, limits};

/// Compiling the runner takes seconds in a debug build, so all processes of the tests share what the first one compiled.
fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled")
}

pub(crate) async fn workflow() -> Workflow {
    static WORKFLOW: OnceCell<Workflow> = OnceCell::const_new();
    let load = || {
        let mut options = EngineOptions::default();
        options.cache = Some(cache());
        Script::workflow(&Engine::with(options).unwrap()).unwrap()
    };
    let load = async || tokio::task::spawn_blocking(load).await.unwrap();
    WORKFLOW.get_or_init(load).await.clone()
}

fn script(source: &str) -> Script {
    Script::new(source, "test.js", ScriptLimits::default()).unwrap()
}

/// Runs a script that calls nothing.
async fn run_script(script: Script, args: Value) -> RunReport {
    let run = Run::new(&workflow().await, &SessionPool::new([])).script(script);
    run.start(input(&args)).await
}

async fn run(source: &str) -> RunReport {
    run_script(script(source), Value::Null).await
}

/// What a script returns.
async fn value(source: &str) -> Value {
    value_of(&run(source).await)
}

#[track_caller]
fn value_of(report: &RunReport) -> Value {
    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:#?}") };
    serde_json::from_str(output.as_str()).unwrap()
}

/// The kind of a script's failure, and what it fails of.
#[track_caller]
fn failure_of(report: &RunReport) -> (&str, &ScriptFault) {
    let RunOutcome::Failed(failure) = &report.outcome else { panic!("{report:#?}") };
    let fault = report.script.as_ref().and_then(|script| script.fault.as_ref());
    (&failure.kind, fault.unwrap_or_else(|| panic!("{report:#?}")))
}

/// The lines that a script wrote, each after its level.
#[track_caller]
fn logs_of(report: &RunReport) -> Vec<String> {
    let entries = report.logs.entries.iter();
    entries.map(|entry| format!("{}: {}", entry.to, entry.text)).collect()
}

/// Runs a script with one connection `fake`, served by `serve`.
async fn run_with_server<F, S>(source: &str, limits: RunLimits, serve: F) -> RunReport
where
    F: FnOnce(FakeConnection) -> S,
    S: Future<Output = ()>,
{
    let (mut server, pool) = FakeServer::pooled();
    let run = Run::new(&workflow().await, &pool).limits(limits).grants(Grants::all());
    let run = run.script(script(source));
    let serving = async { serve(server.accept().await).await };
    let (report, ()) = tokio::join!(run.start(input(&Value::Null)), serving);
    report
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_returns_its_result() {
    assert_eq!(
        value("const a = await Promise.resolve(2); return { a, b: [a * 2] }").await,
        json!({"a": 2, "b": [4]})
    );
    assert_eq!(value("1 + 1").await, Value::Null);
    assert_eq!(value("#!/usr/bin/env callgate\nreturn 7 // the end").await, json!(7));
    assert_eq!(value("\u{feff}return 8").await, json!(8));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_exports_its_result() {
    let double = script("export default async ({ n }) => n * 2;");

    assert_eq!(value("export default await Promise.resolve([1]);").await, json!([1]));
    assert_eq!(value("const n = 3;\nexport { n as default };").await, json!(3));
    assert_eq!(value("export const a = 1;").await, Value::Null);
    assert_eq!(value_of(&run_script(double, json!({ "n": 21 })).await), json!(42));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_is_only_compiled_executes_nothing() {
    let cases = [
        ("console.log(1); for (;;);", "body"),
        ("console.log(1);\nexport default class { static { throw 1 } }", "module"),
        ("await callTool('fake', 'read')", "body"),
    ];

    for (source, form) in cases {
        let report = run_script(script(source).only_compiled(), Value::Null).await;

        assert_eq!(value_of(&report), json!({ "form": form }), "{source}");
        assert!(report.logs.is_empty() && report.calls.is_empty(), "{report:?}");
    }
    for (source, kind, line) in [
        ("let a;\nlet a;", "syntax-error", 2),
        ("const a = 1\n}); console.log(1); (function () {", "syntax-error", 2),
        ("\n\nimport 'fs'", "refused-import", 3),
    ] {
        let report = run_script(script(source).only_compiled(), Value::Null).await;

        let (got, fault) = failure_of(&report);
        assert_eq!((got, fault.line), (kind, Some(line)), "{source}: {fault:?}");
        assert!(report.logs.is_empty(), "{report:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_input_is_args() {
    let given = json!({ "text": "€ 😀 \" \\", "list": [1, null, true] });

    let report = run_script(script("return args"), given.clone()).await;

    assert_eq!(value_of(&report), given);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_language_is_that_of_2023_in_strict_mode() {
    let source = "
        class Counter { static #made = 0; #n = 0; static { this.zero = 0 } up() { Counter.#made += 1; return ++this.#n } }
        const groups = [3, 1, 2].toSorted().with(0, 9).findLast((n) => n < 9);
        const found = 'a-b'.match(/(?<left>\\w)-(?<right>\\w)/d).groups;
        async function* numbers() { yield 1; yield 2 }
        const all = [];
        for await (const n of numbers()) all.push(n);
        return [new Counter().up(), groups, found.right, all, 2n ** 64n > 1, [1, [2, [3]]].flat(Infinity), Object.hasOwn({ a: 1 }, 'a')];";

    assert_eq!(value(source).await, json!([1, 3, "b", [1, 2], true, [1, 2, 3], true]));
    let report = run("undeclared = 1").await;
    assert_eq!(failure_of(&report).1.message, "undeclared is not defined");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_console_is_told_is_in_the_report_in_order() {
    let report = run("
        console.log('%s has %d', 'a', 2, { deep: [new Map([[1, { x: undefined }]])] });
        console.warn(new TypeError('odd'));
        console.error('bad'); console.info(null); console.debug([1n, Symbol('s'), () => 1]);
        console.log('%d%% of %s, %s', 50, 'all'); console.log('50%% of all');
        return 1")
    .await;

    assert_eq!(
        logs_of(&report),
        [
            "log: a has 2 { deep: [ Map(1) { 1 => { x: undefined } } ] }",
            "warn: TypeError: odd\n    at <anonymous> (test.js:3:26)",
            "error: bad",
            "info: null",
            "debug: [ 1n, Symbol(s), [function (anonymous)] ]",
            "log: 50% of all, %s",
            "log: 50%% of all",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_console_that_never_stops_is_cut_and_the_report_says_so() {
    let limits = limits(|limits| limits.max_log_bytes = 25);
    let source = "for (let i = 0; i < 10; i++) console.log('1234567890'); return 1";

    let run = Run::new(&workflow().await, &SessionPool::new([])).script(script(source));
    let report = run.limits(limits).start(input(&Value::Null)).await;

    assert_eq!(value_of(&report), json!(1));
    assert_eq!(logs_of(&report).len(), 2);
    let cut = report.logs.cut.unwrap();
    assert_eq!(
        (cut.limit, &*cut.value, cut.raise_with),
        ("max_log_bytes", "25 bytes", "--max-log")
    );
    assert!(cut.reached.contains("8 lines"), "{cut}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_changes_the_language_changes_no_report() {
    let report = run("
        for (const name of ['split', 'slice', 'trim']) String.prototype[name] = null;
        Array.prototype.push = () => { throw 1 };
        Array.prototype[Symbol.iterator] = null;
        Map.prototype.get = Map.prototype.set = null;
        Promise.prototype.then = null;
        JSON.stringify = () => '{\"value\":\"forged\",\"logs\":[]}';
        RegExp.prototype.exec = () => { throw 2 };
        Object.keys = Object.defineProperty = null;
        console.log('still here', { a: 1 });
        try { await callTool('nowhere', 'nothing') } catch (error) { console.log(error.kind) }
        null.x")
    .await;

    let (kind, fault) = failure_of(&report);
    assert_eq!((kind, fault.line), ("exception", Some(12)));
    assert_eq!(logs_of(&report), ["log: still here { a: 1 }", "log: refused"]);
}

#[test]
fn the_runner_is_small_and_asks_for_tools_alone() {
    let mut options = EngineOptions::default();
    options.cache = Some(cache());
    let engine = Engine::with(options).unwrap();

    let verdict = Workflow::check(&engine, Script::runner()).unwrap();

    assert_eq!(verdict.reasons, [""; 0]);
    assert_eq!(verdict.imports, ["callgate:mcp/tools@0.1.0"]);
    assert!(Script::runner().len() <= 1 << 20, "{} bytes", Script::runner().len());
}
