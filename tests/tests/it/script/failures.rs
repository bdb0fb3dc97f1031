//! How scripts fail: kind, place, frame and stack.

use callgate::{RunOutcome, Stopped};
use serde_json::Value;

use super::{failure_of, logs_of, run, run_script, script, workflow};
use crate::run::limits;

#[tokio::test(flavor = "multi_thread")]
async fn an_exception_is_told_with_its_place_and_its_stack() {
    let report =
        run("function inner(value) {\n  return value.x;\n}\n\nawait null;\ninner(null);\n").await;

    let (kind, fault) = failure_of(&report);
    assert_eq!(kind, "exception");
    assert_eq!(fault.name, "TypeError");
    assert_eq!((fault.line, fault.column), (Some(2), Some(10)));
    let frame = "  1 | function inner(value) {\n> 2 |   return value.x;\n    |          ^";
    assert_eq!(fault.frame.as_deref(), Some(frame));
    assert_eq!(fault.stack, "    at inner (test.js:2:10)\n    at <anonymous> (test.js:6:7)");
    let RunOutcome::Failed(failure) = &report.outcome else { panic!("{report:?}") };
    assert_eq!(failure.message, "TypeError: cannot read property 'x' of null at test.js:2:10");
    let details: Value = serde_json::from_str(failure.details.as_ref().unwrap()).unwrap();
    assert_eq!(details["frame"], frame);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_syntax_error_is_told_with_its_place_in_a_body_and_in_a_module() {
    let cases = [
        ("let a = 1;\nconst b = ;\nreturn a", 2, 11),
        ("export const a = 1;\nconst b = ;\n", 2, 11),
        ("const a = 1\n}\nreturn a", 2, 1),
        ("const s = 'a\n", 1, 11),
        ("if (1) {\n  f();\n", 3, 1),
    ];

    for (source, line, column) in cases {
        let report = run(source).await;

        let (kind, fault) = failure_of(&report);
        assert_eq!(kind, "syntax-error", "{source}");
        assert_eq!((fault.line, fault.column), (Some(line), Some(column)), "{source}: {fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_are_those_of_the_text_also_behind_other_characters() {
    let report = run("const s = '€ 😀'; null.x").await;

    let (_, fault) = failure_of(&report);
    let frame = fault.frame.as_ref().unwrap();
    let [text, mark] = frame.lines().collect::<Vec<_>>()[..] else { panic!("{frame}") };
    let at = mark.chars().count() - 1;
    assert_eq!(text.chars().skip(at).collect::<String>(), "null.x", "{frame}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_that_a_script_throws_of_its_parsing_is_no_syntax_error_of_its_own() {
    let report = run("JSON.parse('{')").await;

    let (kind, fault) = failure_of(&report);
    assert_eq!((kind, fault.name.as_str()), ("exception", "SyntaxError"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_thrown_is_told() {
    let told = async |source| failure_of(&run(source).await).1.message.clone();

    assert_eq!(told("throw 'a text'").await, "a text");
    assert_eq!(told("throw { code: 5 }").await, "{ code: 5 }");
    assert_eq!(told("throw new Proxy({}, { getPrototypeOf() { throw 1 } })").await, "[unreadable]");
    assert_eq!(told("class Odd extends Error { name = 'Odd' } throw new Odd('hm')").await, "hm");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_a_class_of_its_own_is_told_from_where_it_was_made() {
    let classes = "class A extends Error {}\nclass B extends A { name = 'B'; constructor(m) { super(m) } }\nfunction fail() {\n  throw new B('x');\n}\n";

    for call in ["fail()", "try { fail() } catch (error) { console.log(error); throw error }"] {
        let report = run(&format!("{classes}{call}")).await;

        let (_, fault) = failure_of(&report);
        assert_eq!((fault.name.as_str(), fault.line, fault.column), ("B", Some(4), Some(13)));
        assert!(fault.stack.starts_with("    at fail (test.js:4:13)\n"), "{fault:?}");
        assert!(logs_of(&report).iter().all(|line| line.starts_with("log: B: x\n    at fail (")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn causes_and_members_of_an_error_are_told() {
    let caused = run("throw new Error('outer', { cause: new RangeError('inner') })").await;
    let many =
        run("await Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))])")
            .await;

    let of = |json: &Option<callgate::Json>| -> Value {
        serde_json::from_str(json.as_ref().unwrap().as_str()).unwrap()
    };
    assert_eq!(of(&failure_of(&caused).1.cause)["message"], "inner");
    assert_eq!(of(&failure_of(&many).1.errors)[1]["message"], "b");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejection_that_nobody_handles_fails_the_run() {
    let report = run("Promise.reject(new Error('lost'));\nreturn 1").await;

    let (kind, fault) = failure_of(&report);
    assert_eq!(
        (kind, fault.message.as_str(), fault.line),
        ("unhandled-rejection", "lost", Some(1))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejection_may_be_handled_late() {
    let report = run("
        const failing = Promise.reject(new Error('late'));
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return failing.catch((error) => error.message)")
    .await;

    assert_eq!(super::value_of(&report), "late");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_promise_that_never_settles_is_told() {
    let report = run("console.log('before');\nawait new Promise(() => {})").await;

    let RunOutcome::Failed(failure) = &report.outcome else { panic!("{report:?}") };
    assert_eq!(failure.kind, "never-settles");
    assert_eq!(logs_of(&report), ["log: before"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_in_a_callback_ends_the_run() {
    for source in [
        "setTimeout(() => { throw new Error('cb') }, 1); await new Promise(() => {})",
        "queueMicrotask(() => { throw new Error('cb') }); return 1",
    ] {
        let report = run(source).await;

        let (kind, fault) = failure_of(&report);
        assert_eq!((kind, fault.message.as_str()), ("exception", "cb"), "{source}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_no_json_is_told() {
    for (source, what) in [("const a = {}; a.a = a; return a", "circular"), ("return 1n", "BigInt")]
    {
        let report = run(source).await;

        let (kind, fault) = failure_of(&report);
        assert_eq!(kind, "invalid-result");
        assert!(fault.message.contains(what), "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_is_not_called_and_is_no_result() {
    for source in [
        "export default class Flow { run() {} }",
        "const made = class {};\nexport { made as default };",
        "export default Promise.resolve(class extends Array {});",
        "return class Flow {}",
    ] {
        let report = run(source).await;

        let (kind, fault) = failure_of(&report);
        assert_eq!(kind, "invalid-result", "{source}: {fault:?}");
        for words in ["the result is [class", "has no JSON", "a class is not called"] {
            assert!(fault.message.contains(words), "{source}: {fault:?}");
        }
    }
    let named_so = run("export default ({ class() { return 3 } }).class").await;
    let frozen = run("export default Object.freeze(function () { return 4 })").await;
    assert_eq!([super::value_of(&named_so), super::value_of(&frozen)], [3, 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recursion_without_end_is_an_exception_whatever_it_goes_through() {
    let cases = [
        "function f() { return f() + 1 } f()",
        "function f() { return 'a'.replace(/a/, f) } f()",
        "function f() { return [1].map(f) } f()",
        "function f() { [2, 1].sort(f) } f()",
        "const o = { toString() { return '' + this } }; '' + o",
        "const p = new Proxy({}, { get(t, key, r) { return r[key] } }); p.x",
        "class A { constructor() { new A() } } new A()",
        "async function f() { await f() } await f()",
    ];

    for source in cases {
        let report = run(source).await;

        let (kind, fault) = failure_of(&report);
        assert_eq!((kind, fault.name.as_str()), ("exception", "RangeError"), "{source}: {fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_without_memory_hears_of_it() {
    let report = run("const all = [];\nfor (;;) all.push(new Uint8Array(1 << 20));").await;

    let message = &failure_of(&report).1.message;
    for word in ["out of memory", "max_memory_bytes", "--max-memory"] {
        assert!(message.contains(word), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_computes_without_end_is_stopped_and_its_lines_are_lost() {
    let limits = limits(|limits| limits.cpu_time = std::time::Duration::from_millis(200));
    let run = callgate::Run::new(&workflow().await, &callgate::SessionPool::new([])).limits(limits);

    let report =
        run.script(script("console.log('x'); for (;;);")).start(callgate::Json::null()).await;

    assert!(matches!(report.outcome, RunOutcome::Stopped(Stopped::Limit(_))), "{report:?}");
    assert!(report.logs.are_lost && report.logs.entries.is_empty(), "{:?}", report.logs);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_says_what_to_do_instead() {
    let cases = [
        ("await fetch('https://example.com')", "the network is reached through tools"),
        ("const fs = require('fs')", "a script is one file"),
        ("import fs from 'node:fs';\nexport default 1", "can't import 'node:fs'"),
        ("const fs = await import('fs')", "can't import 'fs'"),
        ("return process.env.HOME", "a script has no process"),
        ("Buffer.from('a')", "bytes are Uint8Array"),
    ];

    for (source, hint) in cases {
        let report = run_script(script(source), Value::Null).await;

        let (_, fault) = failure_of(&report);
        assert!(fault.message.contains(hint), "{source}: {fault:?}");
    }
    let report = run("\nimport fs from 'node:fs';").await;
    let (kind, fault) = failure_of(&report);
    assert_eq!((kind, fault.line, fault.column), ("refused-import", Some(2), Some(16)));
}
