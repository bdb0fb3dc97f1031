//! Sources and logs of odd texts: what no parser expects, and what imitates others.

use callgate::{Script, ScriptLimits};

use super::{End, Host, attack, done, end_as_they_should, fails, tight};

#[tokio::test(flavor = "multi_thread")]
async fn odd_sources_are_read_as_the_language_has_it() {
    let large = format!("/*{}*/ return 1", "x".repeat(900_000));
    end_as_they_should(vec![
        done("nothing", "", "null"),
        done("blanks", " \t\u{b}\u{c}\u{a0}\u{feff}\u{2003}\n", "null"),
        done("a mark and a hashbang", "\u{feff}#!/usr/bin/callgate\nreturn 1", "1"),
        done("line ends of all sorts", "let n = 0\rn++\r\nn++\u{2028}n++\u{2029}return n", "3"),
        done("NUL in a text", "return '\0'.length", "1"),
        fails("NUL at the end", "return 1\0", "syntax-error", ""),
        fails("NUL alone", "\0", "syntax-error", ""),
        fails("a hashbang in the second line", "\n#!/usr/bin/callgate", "syntax-error", ""),
        done("names that look alike", "const а = 1, a = 2; return [а, a]", "[1,2]"),
        done("names in escapes", r"const \u0061bc = 1; return abc", "1"),
        done("signs that turn the direction", "return 'a\u{202e}b\u{2066}'.length", "4"),
        done("a comment that ends elsewhere", "/* \u{202e} */ return 1 // \u{2066} return 2", "1"),
        done("letters of four bytes", "const 𝒳 = '😀'; return 𝒳.length", "2"),
        done("an old comment", "<!-- return 2\nreturn 1", "1"),
        done("a large source", large, "1"),
        done("ten thousand functions", format!("{} return 1", "(() => {});".repeat(10_000)), "1"),
        done(
            "ten thousand names",
            (0..10_000).map(|n| format!("let v{n} = {n};")).collect::<String>() + "return v9999",
            "9999",
        ),
        done("a long line", format!("return [{}].length", "1,".repeat(50_000)), "50000"),
        fails(
            "a source that was cut off",
            "const a = 1;\nif (a) {\n  return tools.fake.read(",
            "syntax-error",
            "SyntaxError: the script ends in the middle of something at attack.js:3:26",
        ),
        fails(
            "one that was cut off without a result",
            "const a = 1;\nif (a) {",
            "syntax-error",
            "at attack.js:2:9",
        ),
        attack("JSX", "return <a></a>", End::NotRead("attack.ts:1:")).in_file("attack.ts"),
        attack("an enum", "enum A { B }", End::NotRead("an enum is more than a type"))
            .in_file("attack.ts"),
        attack("a bomb of angle brackets", "<".repeat(100_000), End::NotRead("max_angle_brackets"))
            .in_file("attack.ts"),
        attack(
            "types that nest",
            format!("let a: {}1{}", "Array<".repeat(5000), ">".repeat(5000)),
            End::NotRead(""),
        )
        .in_file("attack.ts"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn log_lines_are_what_was_written_one_entry_for_each_call() {
    let source = r#"
        console.log("a\nerror: the run was stopped\r\nwarning: b");
        console.error("\u001b[2J\u001b]0;title\u0007", "\u202e");
        console.log("\ud83d");
        console.log({ "\ud83d": "\ude00" }, ["\udc00"]);
        console.log("%s %d %j %c %% %s", "\ud800", {}, { a: 1 }, "red");
        console.warn(new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } }), { get a() { throw 3 } });
        console.log(Object.create(null), Object.create({ constructor: null }), new (class { get [Symbol.toStringTag]() { throw 4 } })());
        console.log();
        console.group("\n"); console.log("in\nside"); console.groupEnd(); console.groupEnd();
        console.log("{\"level\":\"error\",\"text\":\"forged\"}");
        return 1"#;
    let host = Host::new();

    let script = Script::new(source, "attack.js", ScriptLimits::default()).unwrap();
    let report = host.run(script, tight()).await;

    let lines: Vec<_> =
        report.logs.entries.iter().map(|it| format!("{}: {}", it.to, it.text)).collect();
    assert_eq!(
        lines,
        [
            "log: a\nerror: the run was stopped\r\nwarning: b",
            "error: \u{1b}[2J\u{1b}]0;title\u{7} \u{202e}",
            "log: \u{fffd}",
            r#"log: { "\ud83d": "\ude00" } [ "\udc00" ]"#,
            "log: \u{fffd} NaN {\"a\":1}  % %s",
            "warn: [unreadable] { a: [getter] }",
            "log: [no prototype] {} [no prototype] {} [no prototype] {}",
            "log: ",
            "log: \n",
            "log:   in\n  side",
            "log: {\"level\":\"error\",\"text\":\"forged\"}",
        ],
        "{:?}",
        report.outcome
    );
    assert!(report.logs.cut.is_none());
    host.close().await;
}
