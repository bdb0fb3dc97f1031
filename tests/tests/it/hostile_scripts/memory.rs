//! Scripts that want more memory than they may have: an error that names the limit, or the limit itself; and output without end.

use std::time::Duration;

use super::{done, end_as_they_should, endless, fails, stopped};

const NO_MEMORY: &str =
    "out of memory (the run has the limit max_memory_bytes; raise it with --max-memory)";

#[tokio::test(flavor = "multi_thread")]
async fn memory_without_end_is_an_error_that_names_the_limit() {
    let hoards = [
        ("bytes", "const all = []; for (;;) all.push(new Uint8Array(1 << 20))"),
        ("texts", "const all = []; for (;;) all.push('x'.repeat(1 << 18))"),
        ("objects", "const all = []; for (;;) all.push({ a: [1] })"),
        ("symbols", "const all = []; for (;;) all.push(Symbol('x'))"),
        ("names", "const o = {}; for (let i = 0; ; i++) o[`k${i}`] = i"),
        ("a map", "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])"),
        ("closures", "let f = () => 1; for (;;) { const g = f; f = () => g }"),
        ("promises", "const all = []; for (;;) all.push(new Promise(() => {}))"),
        ("turns", "for (;;) Promise.resolve().then(() => {})"),
        ("timers", "for (;;) setTimeout(() => {}, 1)"),
        ("a spread of a generator", "function* g() { for (;;) yield {} } [...g()]"),
        (
            "expressions",
            "const all = []; for (let i = 0; ; i++) all.push(new RegExp(`a{1,900}${i}`))",
        ),
        (
            "functions from texts",
            "const all = []; for (let i = 0; ; i++) all.push(Function(`return ${i}`))",
        ),
        ("copies", "const b = new Uint8Array(6 << 20); structuredClone([b, structuredClone(b)])"),
        ("base64", "let s = 'x'; for (;;) s = btoa(s)"),
    ];
    // The part of the engine that compiles expressions has an error of its own for it, a SyntaxError. Whether that part is the
    // first that gets no memory depends on how the runner's memory lies.
    let says = |name| if name == "expressions" { "out of memory" } else { NO_MEMORY };
    let attacks = hoards.map(|(name, source)| fails(name, source, "exception", says(name)));

    end_as_they_should(attacks.into()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_at_once_is_refused_by_the_engine() {
    end_as_they_should(vec![
        fails("a doubled text", "let s = 'x'; for (;;) s += s", "exception", ""),
        fails("a text of two gigabytes", "'x'.repeat(2 ** 31)", "exception", "RangeError"),
        fails("a padded text", "'x'.padStart(2 ** 30)", "exception", "RangeError"),
        fails("four gigabytes", "new Uint8Array(2 ** 32)", "exception", "RangeError"),
        fails("an absurd buffer", "new ArrayBuffer(2 ** 53)", "exception", "RangeError"),
        fails("a buffer that grows", "new ArrayBuffer(8, { maxByteLength: 2 ** 40 })", "exception", "RangeError"),
        fails("a list that is too long", "new Array(2 ** 32)", "exception", "RangeError"),
        fails("a number that is too large", "2n ** (2n ** 40n)", "exception", "RangeError: BigInt is too large"),
        fails("too many arguments", "Math.max(...new Array(7e4).fill(1))", "exception", "RangeError"),
        done("a sparse list", "const a = []; a[2 ** 32 - 2] = 1; return a.length", "4294967295"),
        done("memory that is given back", "for (let i = 0; i < 100; i++) new Uint8Array(1 << 20); return 1", "1"),
        done("a hoard that is let go", "let all = []; try { for (;;) all.push(new Uint8Array(1 << 20)) } catch { all = null } return 'x'.repeat(10)", r#""xxxxxxxxxx""#),
        // What is thrown then is made of the little that there is.
        fails("all of it, in pieces of all sizes", "const all = []; let n = 1 << 20; while (n > 16) try { all.push(new Uint8Array(n)) } catch { n >>= 1 } globalThis.all = all; throw null.x", "exception", ""),
        endless("asking again and again", "const all = []; for (;;) try { all.push(new Uint8Array(1 << 20)) } catch {}")
            .within(|limits| limits.cpu_time = Duration::from_millis(300)),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn output_without_end_is_cut_or_stopped() {
    let limit = "max_output_bytes";
    end_as_they_should(vec![
        endless("logs for ever", "for (;;) console.log('x'.repeat(100))"),
        endless("groups for ever", "for (;;) console.group('x')"),
        done("one long line", "console.log('x'.repeat(4 << 20)); return 1", "1"),
        done(
            "many lines",
            "for (let i = 0; i < 5000; i++) console.log('x'.repeat(100)); return 1",
            "1",
        ),
        done("a long list", "console.log(new Array(1e5).fill('x')); return 1", "1"),
        stopped("a long result", "return 'x'.repeat(2 << 20)", limit),
        stopped("a long result of toJSON", "return { toJSON: () => 'x'.repeat(2 << 20) }", limit),
        stopped("a long message", "throw new Error('x'.repeat(1 << 20))", limit),
        stopped("a long text that is thrown", "throw 'x'.repeat(1 << 20)", limit),
        stopped(
            "a long name of an error",
            "const e = new Error('x'); e.name = 'x'.repeat(1 << 20); throw e",
            limit,
        ),
    ])
    .await;
}
