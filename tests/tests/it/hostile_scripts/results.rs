//! Results and errors that lie about what they are, or can't be told.

use super::{done, end_as_they_should, fails};

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_what_json_makes_of_it_and_never_more() {
    end_as_they_should(vec![
        done(
            "the form of the runner's own output",
            "return { value: 1, logs: [{ level: 'error', text: 'forged' }], logs_cut: null }",
            r#"{"value":1,"logs":[{"level":"error","text":"forged"}],"logs_cut":null}"#,
        ),
        done(
            "that form as a text",
            r#"return '{"value":1,"logs":[]}'"#,
            r#""{\"value\":1,\"logs\":[]}""#,
        ),
        done("a text that would end the output", r#"return '1,"logs":[]}'"#, r#""1,\"logs\":[]}""#),
        done("toJSON that lies", "return { a: 1, toJSON: () => ({ b: 2 }) }", r#"{"b":2}"#),
        done("toJSON of nothing", "return { toJSON() {} }", "null"),
        fails(
            "toJSON that throws",
            "return { toJSON() { throw new Error('t') } }",
            "invalid-result",
            "Error: t",
        ),
        fails(
            "a getter that throws",
            "return { get a() { throw new Error('g') } }",
            "invalid-result",
            "Error: g",
        ),
        fails(
            "a proxy that throws",
            "return new Proxy({}, { ownKeys() { throw new Error('p') } })",
            "invalid-result",
            "Error: p",
        ),
        fails("a cycle", "const a = {}; a.a = a; return a", "invalid-result", "circular"),
        fails(
            "a cycle over a list",
            "const a = []; a.push({ a }); return a",
            "invalid-result",
            "circular",
        ),
        fails("a BigInt", "return { n: 10n }", "invalid-result", "BigInt"),
        done(
            "no JSON",
            "return [undefined, () => 1, Symbol('x'), NaN, -0, Infinity, new Map([[1, 2]])]",
            "[null,null,null,null,0,null,{}]",
        ),
        fails("a function", "return () => 1", "invalid-result", "[function"),
        fails("a symbol", "return Symbol('x')", "invalid-result", "Symbol(x)"),
        done("a function with JSON", "return Object.assign(() => 1, { toJSON: () => 2 })", "2"),
        done("the tools", "return tools", "{}"),
        done(
            "halves of characters",
            r#"return { "\udc00": "\ud800\ud800" }"#,
            r#"{"\udc00":"\ud800\ud800"}"#,
        ),
        done(
            "a result that calls",
            "let n = 0; return { get a() { tools.fake.read().then(() => n++); return n } }",
            r#"{"a":0}"#,
        ),
        done("a result that promises", "return { a: Promise.resolve(1) }", r#"{"a":{}}"#),
        fails(
            "a late error",
            "setTimeout(() => { throw new Error('late') }, 1); return 1",
            "exception",
            "Error: late",
        ),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_thrown_has_an_end_with_a_name() {
    end_as_they_should(vec![
        fails("null", "throw null", "exception", "it threw null"),
        fails("undefined", "throw undefined", "exception", "it threw undefined"),
        fails("a symbol", "throw Symbol('s')", "exception", "it threw Symbol(s)"),
        fails("a function", "throw () => 1", "exception", "it threw [function"),
        fails("a BigInt", "throw 10n", "exception", "it threw 10n"),
        fails("a proxy that throws", "throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getOwnPropertyDescriptor() { throw 3 } })", "exception", "[unreadable]"),
        fails("a proxy that was revoked", "const { proxy, revoke } = Proxy.revocable(new Error(), {}); revoke(); throw proxy", "exception", "[unreadable]"),
        fails("a message that throws", "throw Object.defineProperty(new Error('x'), 'message', { get() { throw 1 } })", "exception", "Error: undefined"),
        fails("a stack that throws", "throw Object.defineProperty(new Error('x'), 'stack', { get() { throw 1 } })", "exception", "Error: x"),
        fails("a message that is none", "const e = new Error(); e.message = { a: 1 }; e.name = ['n']; throw e", "exception", "[ \"n\" ]: { a: 1 }"),
        fails("half a character", r#"throw new Error("\ud800")"#, "exception", "Error: \u{fffd}"),
        fails("half a character, alone", r#"throw "\udc00""#, "exception", "it threw \u{fffd}"),
        fails("half a character as a name", r#"const e = new Error("x"); e.name = "\ud800"; throw e"#, "exception", "\u{fffd}: x"),
        fails("a place beyond all numbers", r#"const e = new Error("x"); e.stack = "    at f (attack.js:99999999999:1)"; throw e"#, "exception", "Error: x"),
        fails("a place of a thousand digits", r#"const e = new Error("x"); e.stack = `    at f (attack.js:${"9".repeat(1000)}:1)`; throw e"#, "exception", "Error: x"),
        fails("a place before all", r#"const e = new Error("x"); e.stack = "    at f (attack.js:0:0)"; throw e"#, "exception", "Error: x"),
        fails("a place that isn't there", r#"const e = new Error("x"); e.stack = "    at f (attack.js:77:7)"; throw e"#, "exception", "at attack.js:77:7"),
        fails("a function with a name of the runner", "const f = () => { throw new Error('x') }; Object.defineProperty(f, 'name', { value: 'callgate:run.js' }); f()", "exception", "Error: x at attack.js:1:"),
        fails("a name with lines", r#"const f = () => { throw new Error("x") }; Object.defineProperty(f, "name", { value: "f (attack.js:7:7)\n    at g" }); f()"#, "exception", "Error: x at attack.js:"),
        fails("a source that names another", "eval(\"throw new Error('x') //# sourceURL=callgate:run.js\")", "exception", "Error: x at attack.js:1:1"),
        fails("a class that is a proxy", "class A extends Error {} Object.defineProperty(A.prototype, 'constructor', { value: new Proxy(A, { getOwnPropertyDescriptor() { throw 1 } }) }); throw new A('x')", "exception", ""),
        fails("a cycle of prototypes by proxy", "const p = new Proxy({}, { getPrototypeOf: () => Error.prototype }); const e = new Error('x'); Object.setPrototypeOf(e, p); throw e", "exception", "x"),
        fails("many rejections", "for (let i = 0; i < 1000; i++) Promise.reject(new Error(i)); return 1", "unhandled-rejection", "Error: 0"),
        fails("a rejection with nothing", "Promise.reject(); return 1", "unhandled-rejection", "it threw undefined"),
        fails("an answer that is made a cycle", "try { await callTool('nowhere', 'x') } catch (e) { e.self = e; e.cause = { e }; throw e }", "refused", "nowhere"),
        fails("causes that can't be read", "throw new Error('x', { cause: new Proxy({}, { getPrototypeOf() { throw 1 } }) })", "exception", "Error: x"),
        fails("errors that are no list", "const e = new AggregateError([], 'x'); e.errors = { length: 5 }; throw e", "exception", "AggregateError: x"),
    ])
    .await;
}
