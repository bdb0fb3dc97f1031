//! Scripts that look for a way out: to the engine, the runner, other modules, threads, and out of the function that they are.

use super::{End, attack, done, end_as_they_should, fails};

#[tokio::test(flavor = "multi_thread")]
async fn there_is_nothing_else_in_the_world() {
    end_as_they_should(vec![
        done(
            "what other engines have",
            "const names = ['std', 'os', 'bjson', 'print', 'scriptArgs', 'gc', 'load', 'read', 'navigator', 'process', 'Deno', 'Bun', 'Worker', 'WebAssembly', 'ShadowRealm', 'SharedArrayBuffer', 'Atomics', 'MessageChannel', 'XMLHttpRequest', 'WebSocket', 'Intl', 'host', 'kit', 'crypto', 'module', 'exports', 'global', 'window', 'self', 'document'];
            return names.filter((name) => name in globalThis || eval(`typeof ${name}`) !== 'undefined')",
            "[]",
        ),
        done("the global of a function from a text", "return [].constructor.constructor('return this')() === globalThis", "true"),
        done("what that global has", "return Function('return typeof args + typeof tools + typeof require')()", r#""numberobjectfunction""#),
        done("the constructors of functions", "return [await (async () => {}).constructor('return 1')(), (function* () {}).constructor('yield 2')().next().value]", "[1,2]"),
        done("this, outside", "return [typeof this, arguments.length, typeof new.target]", r#"["undefined",0,"undefined"]"#),
        done("the functions of the runner have no text", "return [callTool, tools.fake.read, console.log, setTimeout].every((f) => /\\[native code\\]/.test(Function.prototype.toString.call(f)))", "true"),
        fails("callers", "return (function f() { return f.caller })()", "exception", "TypeError"),
        fails("arguments of callers", "return (function f() { return arguments.callee })()", "exception", "TypeError"),
        fails("with", "with ({}) {}", "syntax-error", "with"),
        fails("fetch", "await fetch('http://127.0.0.1/')", "exception", "the network is reached through tools"),
        fails("waiting in a thread", "Atomics.wait(new Int32Array(8), 0, 0)", "exception", "Atomics is not defined"),
        fails("shared memory", "new SharedArrayBuffer(8)", "exception", "SharedArrayBuffer is not defined"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_be_imported() {
    end_as_they_should(vec![
        fails("at run time", "await import('std')", "exception", "can't import 'std'"),
        fails("from a text", "await eval(\"import('os')\")", "exception", "can't import 'os'"),
        fails(
            "from a function of a text",
            "await Function(\"return import('callgate:kit.js')\")()",
            "exception",
            "can't import",
        ),
        fails(
            "the script itself",
            "await import('attack.js')",
            "exception",
            "can't import 'attack.js'",
        ),
        fails(
            "data",
            "await import('data:text/javascript,export default 1')",
            "exception",
            "can't import",
        ),
        fails(
            "a name that throws",
            "await import({ toString() { throw new Error('s') } })",
            "exception",
            "Error: s",
        ),
        fails(
            "all of a module",
            "import * as os from 'os'; export default 1",
            "refused-import",
            "can't import 'os'",
        ),
        fails(
            "the runner",
            "export * from 'callgate:kit.js'",
            "refused-import",
            "can't import 'callgate:kit.js'",
        ),
        fails(
            "itself",
            "import self from 'attack.js'; export default 1",
            "refused-import",
            "can't import",
        ),
        attack("in TypeScript", "import fs = require('fs')", End::NotRead("attack.ts:1:1"))
            .in_file("attack.ts"),
        done("what a module knows of itself", "export default Object.keys(import.meta)", "[]"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_is_one_function_and_can_not_end_it() {
    let runs = "globalThis.out = 1;";
    let ends = [
        ("the function ends", format!("}}); {runs} (async function () {{")),
        ("another argument", format!("}}, ({runs} 5)); (function () {{")),
        ("a call", "})(); (async () => {".to_owned()),
        ("a list of functions", "}, function () {".to_owned()),
        ("a method", "}, other() {".to_owned()),
        ("a member", "}[1] = function () {".to_owned()),
        ("a call and a function", "}(1), function () {".to_owned()),
        ("a property", "}, other: {".to_owned()),
        ("a spread", "}, ...{".to_owned()),
        ("a block", "} {".to_owned()),
        ("finally", "} finally {".to_owned()),
        ("a module's end", "}\nexport default 5\n{".to_owned()),
        ("a comment that stays open", "return 1 /*".to_owned()),
        ("a template that stays open", "return `".to_owned()),
        ("a text that stays open", "return '".to_owned()),
        ("super of a method", "return super.x".to_owned()),
    ];
    let attacks = ends.into_iter().map(|(name, source)| fails(name, source, "syntax-error", ""));

    end_as_they_should(attacks.collect()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_collected_comes_back_to_the_script_alone() {
    end_as_they_should(vec![
        done("a call from a clean-up", "const heard = [], r = new FinalizationRegistry(() => heard.push(tools.fake.read())); r.register({}, 1); await null; await null; return [heard.length, await heard[0]]", r#"[1,"x"]"#),
        fails("an error in a clean-up", "const r = new FinalizationRegistry(() => { throw new Error('f') }); r.register({}, 1); await null; await null; return 1", "exception", "Error: f"),
        done("references that are weak", "const r = new WeakRef(tools); return r.deref() === tools", "true"),
        done("code in a timer", "try { setTimeout('globalThis.x=1', 1) } catch (e) { return e.message }", r#""setTimeout takes a function, not globalThis.x=1""#),
    ])
    .await;
}
