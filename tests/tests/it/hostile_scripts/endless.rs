//! Scripts that never come to an end: each is stopped when its time is up, wherever it spends it.

use super::{done, end_as_they_should, endless, fails};

#[tokio::test(flavor = "multi_thread")]
async fn loops_of_every_form_end_when_their_time_is_up() {
    end_as_they_should(vec![
        endless("for", "for (;;);"),
        endless("while", "while (true) {}"),
        endless("do", "do {} while (1)"),
        endless("labels", "outer: for (;;) { for (;;) continue outer; }"),
        endless("catching", "for (;;) try { throw 1 } catch { continue } finally { continue }"),
        endless("functions in turn", "const f = () => f; for (let g = f; ; ) g = g();"),
        endless("a getter", "({ get x() { for (;;); } }).x"),
        endless("a setter", "({ set x(v) { for (;;); } }).x = 1"),
        endless(
            "an iterator",
            "for (const x of { [Symbol.iterator]: () => ({ next: () => ({}) }) });",
        ),
        endless("a generator", "function* g() { for (;;) yield } for (const x of g());"),
        endless(
            "an async generator",
            "async function* g() { for (;;) yield } for await (const x of g());",
        ),
        endless("static code of a class", "class A { static { for (;;); } }"),
        endless("a default value", "((a = (() => { for (;;); })()) => a)()"),
        endless("code from a text", "eval('for (;;);')"),
        endless("a function from a text", "Function('for (;;);')()"),
        endless("a function of a module", "export default () => { for (;;); }"),
        endless("the top of a module", "for (;;); export default 1"),
        endless("typed", "const n: number = 1; for (;;) n satisfies number").in_file("attack.ts"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_that_never_end_are_no_way_out() {
    end_as_they_should(vec![
        endless("awaits", "for (;;) await null"),
        endless("microtasks", "const f = () => queueMicrotask(f); f(); await new Promise(() => {})"),
        endless("promises, after the result", "const f = () => Promise.resolve().then(f); f(); return 1"),
        endless("a thenable of itself", "const t = { then(r) { r(t) } }; await t"),
        endless("an executor", "new Promise(() => { for (;;); })"),
        endless("timeouts, after the result", "const f = () => setTimeout(f, 0); f(); return 1"),
        endless("an interval", "setInterval(() => {}, 1); await new Promise(() => {})"),
        endless("timeouts in the wrong order", "for (let i = 3e5; i > 0; i--) setTimeout(() => {}, i); return 1"),
        endless("what is left of objects", "const r = new FinalizationRegistry(() => { for (;;); }); for (let i = 0; i < 100; i++) r.register({}, 1); await null"),
        done("timeouts far away", "let n = 0; const f = () => { if (++n < 2000) setTimeout(f, 0x7fffffff) }; f(); return 1", "1"),
        fails("nothing to wait for", "await new Promise(() => {})", "never-settles", "nothing is left"),
        fails("a thenable that does nothing", "await { then() {} }", "never-settles", ""),
        done("a thenable that settles often", "return { then(a, b) { a(1); a(2); b(3); throw 4 } }", "1"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_engine_does_for_a_script_is_stopped_as_well() {
    end_as_they_should(vec![
        endless("an expression with a bomb", r#"/(a+)+$/.test("a".repeat(40) + "b")"#),
        endless("alternatives", r#"/^(?:(?:a|a)*)*$/.test("a".repeat(60) + "b")"#),
        endless("counted repetitions", "/((a{0,1000}){0,1000}){0,1000}b/.test('a'.repeat(5000))"),
        endless("many stars", r#""a".repeat(5000).replace(/a*a*a*a*a*b/g, "")"#),
        endless("a sort", "[3, 2, 1].sort(() => { for (;;); })"),
        endless("a reviver", "JSON.parse('[1]', () => { for (;;); })"),
        endless("a replacer", "JSON.stringify([1], () => { for (;;); })"),
        endless("toJSON of the result", "return { toJSON() { for (;;); } }"),
        endless("a getter of the result", "export default { get x() { for (;;); } }"),
        endless("a text of an object", "`${{ toString() { for (;;); } }}`"),
        endless("a clone", "structuredClone({ get x() { for (;;); } })"),
        endless("a proxy that is logged", "console.log(new Proxy({}, { ownKeys() { for (;;); } }))"),
        endless("a proxy that is thrown", "throw new Proxy(new Error(), { getPrototypeOf() { for (;;); } })"),
        endless("a sparse list", "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)"),
        endless("four billion places", "[].includes.call({ length: 2 ** 53 - 1 }, 1)"),
        endless("four billion holes", "const a = []; a.length = 2 ** 32 - 1; a.sort()"),
        endless("a result of holes", "const a = []; a.length = 2 ** 32 - 1; return a"),
        endless("a result that is a proxy", "return new Proxy([], { get: (t, k) => k === 'length' ? 1e9 : k === 'toJSON' ? undefined : 1 })"),
        endless("numbers that grow", "let x = 3n; for (;;) x *= x"),
        endless("digits of a number", "return (7n ** 3000000n).toString().length"),
        endless("a long place in a stack", "const e = new Error(); e.stack = 'x'.repeat(1 << 20); throw e"),
        fails("a getter that is thrown", "throw { get message() { for (;;); } }", "exception", "[getter]"),
    ])
    .await;
}
