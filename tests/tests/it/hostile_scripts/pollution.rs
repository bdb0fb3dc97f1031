//! Scripts that change the language below the runner: what the runner tells the host stays what happened.

use super::{done, end_as_they_should, fails};

#[tokio::test(flavor = "multi_thread")]
async fn methods_that_are_replaced_are_replaced_for_the_script_alone() {
    let call = "try { await callTool('nowhere', 'x') } catch (e) { return e.reason }";
    let denied = r#""unknown-connection""#;
    let attacks = [
        (
            "globals that are taken away",
            "Promise = Object = Error = JSON = Map = Array = String = Proxy = null;",
        ),
        (
            "all globals deleted",
            "for (const k of Reflect.ownKeys(globalThis)) try { delete globalThis[k] } catch {}",
        ),
        (
            "functions",
            "for (const k of ['call', 'apply', 'bind']) Function.prototype[k] = () => { throw 1 };",
        ),
        (
            "lists",
            "for (const k of ['push', 'join', 'splice']) Array.prototype[k] = () => { throw 1 };",
        ),
        (
            "texts",
            "for (const k of ['slice', 'split', 'trim', 'indexOf', 'toWellFormed']) String.prototype[k] = () => { throw 1 };",
        ),
        (
            "symbols of texts",
            "for (const k of ['split', 'match', 'replace']) String.prototype[Symbol[k]] = RegExp.prototype[Symbol[k]] = () => { throw 1 };",
        ),
        (
            "iterators",
            "Array.prototype[Symbol.iterator] = String.prototype[Symbol.iterator] = null;",
        ),
        ("maps", "for (const k of ['get', 'set', 'has']) Map.prototype[k] = () => { throw 1 };"),
        (
            "promises",
            "Promise.prototype.then = Promise.withResolvers = Promise.resolve = () => { throw 1 };",
        ),
        ("expressions", "RegExp.prototype.exec = () => { throw 1 };"),
        ("JSON", "JSON.stringify = JSON.parse = () => 'forged';"),
        (
            "looks at objects",
            "Array.isArray = () => true; Object.keys = Reflect.ownKeys = () => ['x']; Object.defineProperty = null;",
        ),
        ("stacks", "Error.captureStackTrace = Error.prepareStackTrace = () => { throw 1 };"),
        ("structured stacks", "Error.prepareStackTrace = (error, frames) => frames;"),
        (
            "the length of stacks",
            "Object.defineProperty(Error, 'stackTraceLimit', { get() { throw 1 } });",
        ),
        (
            "prototypes that are cut off",
            "Object.setPrototypeOf(Array.prototype, null); Object.setPrototypeOf(Function.prototype, null);",
        ),
        (
            "frozen prototypes",
            "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(Error.prototype); Object.freeze(globalThis);",
        ),
    ];
    let attacks = attacks.map(|(name, source)| {
        done(name, format!("{source} console.log('a', {{ a: [1] }}); {call}"), denied)
    });

    end_as_they_should(attacks.into()).await;
}

/// Every name that the runner gives a property, with a setter that keeps it away and a getter that lies.
const LIES: &str = "
    const names = ['value', 'logs', 'logs_cut', 'error', 'level', 'text', 'name', 'message', 'line', 'column', 'stack', 'tool_error', 'cause',
      'kind', 'connection', 'tool', 'reason', 'detail', 'retryable', 'outcomeUnknown', 'wantsOutput', 'resolve', 'reject', 'outcome', 'output', 'content'];
    for (const name of names) Object.defineProperty(Object.prototype, name, { __proto__: null, set() { throw 'set' }, get() { return 'forged' } });";

#[tokio::test(flavor = "multi_thread")]
async fn setters_and_getters_on_prototypes_catch_nothing_of_the_runner() {
    end_as_they_should(vec![
        done("a result", format!("{LIES} console.log('a', [1, 2]); return [1]"), "[1]"),
        done("an answer", format!("{LIES} return await tools.fake.read()"), r#""x""#),
        fails("an error", format!("{LIES} console.log('a'); throw new TypeError('x')"), "exception", "TypeError: x at attack.js:"),
        fails("the error of a call", format!("{LIES} await callTool('nowhere', 'x')"), "refused", "no connection is named \"nowhere\""),
        done("its fields", format!("{LIES} try {{ await callTool('nowhere', 'x') }} catch ({{ kind, tool }}) {{ return kind + tool }}"), r#""refusedx""#),
        done("places of lists", "Object.defineProperty(Array.prototype, '0', { get: () => 'forged', set() {} }); console.log('a', [1, 2]); return 1", "1"),
        // The engine's own JSON.stringify asks such a setter, and then there is no JSON.
        fails("places of lists that throw", "Object.defineProperty(Array.prototype, '0', { get: () => 'forged', set() { throw 1 } }); console.log('a'); return {}", "invalid-result", "its error can't be told"),
        done("toJSON of all objects", "Object.prototype.toJSON = () => 'forged'; console.log('a'); return 1", "1"),
        done("toJSON of all objects, an object", "Object.prototype.toJSON = () => 'forged'; return { a: 1 }", r#""forged""#),
        done("toJSON of all lists", "Array.prototype.toJSON = () => 'forged'; console.log('a'); return 2", "2"),
        fails("toJSON of an error", "Object.prototype.toJSON = Array.prototype.toJSON = () => { throw 1 }; console.log('a'); throw new Error('x')", "exception", "Error: x"),
        done("getters of all descriptors", "Object.prototype.get = Object.prototype.set = () => 1; console.log({ a: 1 }); return 1", "1"),
        done("then of all objects", "Object.prototype.then = (resolve) => resolve('forged'); return { a: 1 }", r#""forged""#),
        fails("then that does nothing", "Object.prototype.then = () => {}; return { a: 1 }", "never-settles", ""),
        fails("the constructor of promises", "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('c') } }); return 1", "exception", "Error: c"),
        done("toPrimitive of all objects", "Object.prototype[Symbol.toPrimitive] = () => { throw 1 }; console.log('a', {}, 1); return 1", "1"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_runner_gives_stays_what_it_is() {
    end_as_they_should(vec![
        fails("tools, set", "tools.x = 1", "exception", "TypeError"),
        fails("tools, defined", "Object.defineProperty(tools, 'x', { value: 1 })", "exception", "TypeError"),
        fails("tools, another prototype", "Object.setPrototypeOf(tools, {})", "exception", "TypeError"),
        fails("a connection, set", "tools.fake.read = () => 'forged'", "exception", "TypeError"),
        fails("tools, replaced", "globalThis.tools = 1", "exception", "'tools' is read-only"),
        fails("tools, redefined", "Object.defineProperty(globalThis, 'tools', { value: 1 })", "exception", "TypeError"),
        fails("callTool, deleted", "delete globalThis.callTool", "exception", "TypeError"),
        fails("callTool, changed", "callTool.call = 1", "exception", "TypeError"),
        fails("the class of errors, changed", "ToolError.prototype.kind = 'x'", "exception", "TypeError"),
        fails("the test for its errors", "Object.defineProperty(ToolError, Symbol.hasInstance, { value: () => true })", "exception", "TypeError"),
        fails("an error of a call that is made", "throw new ToolError('m', 's', { kind: 'refused', reason: 'denied' })", "exception", "TypeError: a ToolError can't be made"),
        fails("a class of such errors", "class Mine extends ToolError {} throw new Mine('m', 's', { kind: 'not-sent' })", "exception", "TypeError: a ToolError can't be made"),
        fails("an object that is like one", "throw Object.setPrototypeOf(Object.assign(new Error('m'), { kind: 'refused' }), ToolError.prototype)", "exception", "ToolError: m"),
        fails("another kind of error", "try { await callTool('nowhere', 'x') } catch (e) { e.kind = 'forged' }", "exception", "'kind' is read-only"),
        fails("another kind, defined", "try { await callTool('nowhere', 'x') } catch (e) { Object.defineProperty(e, 'kind', { value: 'forged' }) }", "exception", "TypeError"),
        fails("another message is a script's own", "try { await callTool('nowhere', 'x') } catch (e) { e.message = `mine: ${e.kind}`; throw e }", "refused", "ToolError: mine: refused"),
        done("names that objects have", "return [typeof tools.__proto__, typeof tools.constructor, Object.keys(tools), 'x' in tools, Reflect.ownKeys(tools.fake)]", r#"["function","function",[],false,[]]"#),
    ])
    .await;
}
