//! Scripts that go deep: a recursion is an error that they can catch, and the stack is a limit where the engine itself recurses.

use super::{End, attack, done, end_as_they_should, fails, stopped};

const TOO_DEEP: &str = "RangeError: Maximum call stack size exceeded";

#[tokio::test(flavor = "multi_thread")]
async fn recursion_is_an_error_whatever_it_goes_through() {
    let recursions = [
        ("a function", "function f() { return f() + 1 } f()"),
        ("two functions", "const a = (n) => b(n) + 1, b = (n) => a(n) + 1; a(0)"),
        ("a sort", "[2, 1].sort(function c() { return [2, 1].sort(c) })"),
        ("a replacement", "'a'.replace(/a/, function f() { return 'a'.replace(/a/, f) })"),
        ("toString", "const o = { toString() { return `${this}` } }; return `${o}`"),
        ("valueOf", "const o = { valueOf() { return +this } }; return +o"),
        ("toPrimitive", "const o = { [Symbol.toPrimitive]() { return o + 1 } }; return o + 1"),
        ("toJSON", "JSON.stringify({ toJSON() { return JSON.stringify(this) } })"),
        ("a reviver", "JSON.parse('[1]', function r() { return JSON.parse('[1]', r) })"),
        (
            "a getter of all objects",
            "Object.defineProperty(Object.prototype, 'x', { get() { return this.x } }); ({}).x",
        ),
        ("a proxy", "const p = new Proxy({}, { get(t, key, r) { return r[key] } }); p.x"),
        (
            "a proxy asked by in",
            "const h = { has: (t, k) => k in p }, p = new Proxy({}, h); 'x' in p",
        ),
        (
            "a constructor",
            "class A { constructor() { return new (class extends A {})() } } new A()",
        ),
        ("a template", "const f = (s, ...v) => f`${s}${v}`; f`x`"),
        ("async functions", "async function f() { await f() } await f()"),
        ("a thenable", "const t = { get then() { return t.then } }; await t"),
        ("a generator", "function* g() { yield* g() } [...g()]"),
        ("arguments that double", "function f(...a) { return f(...a, ...a) } f(1)"),
        ("a clone", "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; structuredClone(a)"),
        ("code from texts", "const f = () => eval('f()'); f()"),
    ];
    let attacks = recursions.into_iter().map(|(name, source)| match name {
        "arguments that double" => fails(name, source, "exception", "RangeError"),
        "toPrimitive" => fails(name, source, "exception", "RangeError"),
        _ => fails(name, source, "exception", TOO_DEEP),
    });
    let caught = "let depth = 0; const f = () => { depth++; f() }; try { f() } catch (e) { return [e.name, depth > 100] }";

    end_as_they_should(attacks.chain([done("caught", caught, r#"["RangeError",true]"#)]).collect())
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_nest_deep_reach_the_stack() {
    let deep = "let a = []; for (let i = 0; i < 5e3; i++) a = [a]; ";
    let limit = "max_stack_bytes";
    end_as_they_should(vec![
        stopped("a deep result", format!("{deep} return a"), limit),
        stopped("deep objects", "let a = {}; for (let i = 0; i < 5e3; i++) a = { a }; return a", limit),
        stopped("a deep text", format!("{deep} return String(a)"), limit),
        stopped("flattened", format!("{deep} return a.flat(Infinity)"), limit),
        stopped("a list in itself as text", "const a = [], b = [a, a]; a[0] = b; a[1] = b; return String(a)", limit),
        stopped("deep JSON", "JSON.parse('['.repeat(1e5))", limit),
        stopped("a chain of proxies", "let p = {}; for (let i = 0; i < 3e3; i++) p = new Proxy(p, {}); return p.x ?? 1", limit),
        stopped("deep arguments", format!("{deep} await tools.fake.read({{ a }})"), limit),
        done("logged", format!("{deep} console.log(a); return 1"), "1"),
        done("a chain of prototypes", "let o = {}; for (let i = 0; i < 2000; i++) o = Object.create(o); return o.x ?? 1", "1"),
        done("a long list of objects that goes", "let o = null; for (let i = 0; i < 3e4; i++) o = { o }; o = null; return 1", "1"),
        done("a text that is put together", "let s = ''; for (let i = 0; i < 5e3; i++) s = 'a' + s + 'b'; return s.indexOf('b')", "5000"),
        done("promises of promises", "let p = Promise.resolve(1); for (let i = 0; i < 2e3; i++) { const q = p; p = new Promise((r) => r(q)) } return p", "1"),
        fails("functions that are bound", "let f = () => 1; for (let i = 0; i < 5e3; i++) f = f.bind(); return f()", "exception", "out of memory"),
        fails("causes", "let e = new Error('end'); for (let i = 0; i < 3e3; i++) e = new Error('x', { cause: e }); throw e", "exception", "Error: x"),
        fails("a cause of itself", "const e = new Error('x'); e.cause = e; throw e", "exception", "Error: x"),
        fails("many errors of many", "let e = new Error(); for (let i = 0; i < 50; i++) e = new AggregateError([e, e, e, e, e], 'x'); throw e", "exception", "AggregateError: x"),
        fails("an error of itself", "const e = new AggregateError([], 'x'); e.errors.push(e, e, e, e); throw e", "exception", "AggregateError: x"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn source_that_nests_deep_is_stopped_while_it_is_read() {
    let nested = |open: &str, middle: &str, close: &str| {
        format!("return {}{middle}{}", open.repeat(5000), close.repeat(5000))
    };
    let limit = "max_stack_bytes";
    let typescript = |source: String| attack("typed", source, End::Limit(limit)).in_file("a.ts");
    end_as_they_should(vec![
        stopped("parentheses", nested("(", "1", ")"), limit),
        stopped("lists", nested("[", "1", "]"), limit),
        stopped("lists that stay open", nested("[", "", ""), limit),
        stopped("objects", nested("{a:", "1", "}"), limit),
        stopped("functions", nested("function(){return ", "1", "}"), limit),
        stopped("arrows", nested("a=>", "1", ""), limit),
        stopped("signs", nested("!", "1", ""), limit),
        stopped("templates", nested("`${", "1", "}`"), limit),
        stopped("classes", nested("class{static a=", "1", "}"), limit),
        stopped("conditions", format!("{}1", "if(1)".repeat(20_000)), limit),
        stopped("blocks", format!("{}{}", "{".repeat(20_000), "}".repeat(20_000)), limit),
        stopped("in a text", "eval('['.repeat(1e5))", limit),
        typescript(nested("(", "1", ")")),
        done("a long sum", format!("return 1{}", "+1".repeat(20_000)), "20001"),
        fails(
            "an expression",
            "new RegExp('(?:'.repeat(3000) + ')*'.repeat(3000))",
            "exception",
            "SyntaxError: stack overflow",
        ),
        fails(
            "captures",
            "new RegExp('()'.repeat(1e5))",
            "exception",
            "SyntaxError: too many captures",
        ),
    ])
    .await;
}
