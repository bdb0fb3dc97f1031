//! Calls in numbers that nobody needs, with arguments that do something when they are read, and with names of all sorts.

use std::time::Duration;

use super::{done, end_as_they_should, fails, stopped};

#[tokio::test(flavor = "multi_thread")]
async fn floods_of_calls_end_at_their_limits() {
    end_as_they_should(vec![
        stopped("one after the other", "for (;;) await tools.fake.read()", "max_calls"),
        stopped("all at once", "for (;;) tools.fake.read()", "max_calls"),
        stopped("refused ones", "for (;;) await callTool('nowhere', 'x').catch(() => {})", "max_calls"),
        stopped("in a recursion of promises", "const f = () => tools.fake.read().then(() => Promise.all([f(), f()])); await f()", "max_calls"),
        stopped("in timers", "setInterval(() => tools.fake.read(), 1); await new Promise(() => {})", "max_calls"),
        stopped("that are never answered", "await tools.fake.hang()", "wall_clock")
            .within(|limits| limits.wall_clock = Duration::from_millis(300)),
        stopped("that are never answered, after the result", "tools.fake.hang(); return 1", "wall_clock")
            .within(|limits| limits.wall_clock = Duration::from_millis(300)),
        done("more than may be under way", "return (await Promise.all(Array.from({ length: 400 }, () => tools.fake.read()))).length", "400"),
        fails("left alone by an error", "for (let i = 0; i < 40; i++) tools.fake.hang(); throw new Error('x')", "exception", "Error: x"),
        fails("left alone by a timer's error", "tools.fake.hang(); setTimeout(() => { throw new Error('x') }, 1e6); await tools.fake.read(); throw new Error('y')", "exception", "Error: y"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_are_json_or_an_error_at_the_call() {
    let call = |values: &str| format!("return await tools.fake.read({values})");
    end_as_they_should(vec![
        done("a getter that calls", call("{ get a() { tools.fake.read(); return 1 } }"), r#""x""#),
        done("toJSON that calls", call("{ toJSON() { tools.fake.read(); return {} } }"), r#""x""#),
        done("a proxy", call("new Proxy({ a: 1 }, {})"), r#""x""#),
        done("keys of prototypes", call(r#"JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')"#), r#""x""#),
        done("halves of characters", call(r#"{ "\ud800": "\udc00" }"#), r#""x""#),
        done("a map is an empty object", call("new Map([[1, 2]])"), r#""x""#),
        fails("a getter that throws", call("{ get a() { throw new Error('g') } }"), "exception", "Error: g"),
        fails("a proxy that throws", call("new Proxy({}, { ownKeys() { throw new Error('p') } })"), "exception", "Error: p"),
        fails("toJSON of a list", call("{ toJSON: () => [1] }"), "exception", "TypeError: the arguments of a tool are not an object as JSON"),
        fails("toJSON of a text", call("{ toJSON: () => '{' }"), "exception", "TypeError: the arguments of a tool are not an object as JSON"),
        fails("toJSON of nothing", call("{ toJSON() {} }"), "exception", "TypeError: the arguments of a tool are not an object as JSON"),
        fails("a cycle", "const a = {}; a.a = a; await tools.fake.read(a)", "exception", "circular"),
        fails("a BigInt", call("{ n: 1n }"), "exception", "BigInt"),
        fails("null", call("null"), "exception", "TypeError: the arguments of a tool are an object, not null"),
        fails("too much", call("{ a: 'x'.repeat(2 << 20) }"), "refused", "max_argument_bytes"),
        fails("what is caught later", "const call = tools.fake.read(1); await null; await call", "exception", "TypeError"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_texts_and_are_compared_as_they_are() {
    let unknown = "unknown-connection";
    end_as_they_should(vec![
        fails("empty", "await callTool('', '')", "refused", unknown),
        fails("half a character", r#"await callTool("\ud800", "x")"#, "refused", unknown),
        fails("NUL behind it", r#"await callTool("fake\0", "read")"#, "refused", unknown),
        fails("another case", "await tools.Fake.read()", "refused", unknown),
        fails("a letter that looks alike", "await tools.fаke.read()", "refused", unknown),
        fails("names of prototypes", "await tools.__proto__.constructor()", "refused", unknown),
        fails("too long", "await callTool('fake', 'x'.repeat(200))", "refused", "max_name_bytes"),
        fails("an object that is a text", "await callTool({ toString: () => 'fake' }, 'read')", "exception", "TypeError: a connection is a string"),
        fails("a text that is an object", "await callTool('fake', new String('read'))", "exception", "TypeError: a tool is a string"),
        fails("none", "await callTool()", "exception", "TypeError: a connection is a string, not undefined"),
        fails("a tool without its connection", "await tools.read({ n: 1 })", "exception", "TypeError: tools.read is a connection and no tool"),
        fails("a symbol", "await tools[Symbol.iterator]()", "exception", "TypeError"),
        done("tools that any server may have", r#"return await Promise.all(["__proto__", "\0", "\ud800", "toString", " "].map((tool) => callTool("fake", tool).then((it) => it.output)))"#, r#"["x","x","x","x","x"]"#),
        done("then and toJSON are no names", "return [typeof tools.then, typeof tools.fake.then, typeof tools.fake.toJSON, await tools === tools]", r#"["undefined","undefined","undefined",true]"#),
    ])
    .await;
}
