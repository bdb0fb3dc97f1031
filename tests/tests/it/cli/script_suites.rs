//! `callgate test` with scripts.

use std::fs;

use serde_json::{Value, json};

use super::{Desk, Ended, scripts::CACHE};

/// A desk without a configuration, with a script and a suite for it.
fn desk_with(file: &str, source: &str, suite: &Value) -> Desk {
    let desk = Desk::new();
    fs::remove_file(desk.path(".mcp.json")).unwrap();
    fs::write(desk.path(file), source).unwrap();
    fs::write(desk.path("suite.json"), suite.to_string()).unwrap();
    desk
}

fn tested(desk: &Desk, more: &[&str]) -> Ended {
    desk.callgate(&[&["test", "suite.json", "--cache-dir", CACHE], more].concat())
}

#[track_caller]
fn assert_says(ended: &Ended, lines: &[&str]) {
    for line in lines {
        assert!(ended.stdout.contains(line), "no {line:?} in {}\n{}", ended.stdout, ended.stderr);
    }
}

#[test]
fn a_script_is_run_against_the_table() {
    let source = "type Answer = { text: string };
        const one = (await tools.a.b({ n: args as number })) as Answer;
        return one.text;";
    let suite = json!({ "workflow": "flow.ts", "cases": [
        { "name": "answered", "input": 1,
            "calls": [{ "tool": "a/b", "arguments": { "n": 1 }, "answer": { "output": { "text": "x" } } }],
            "expect": { "output": "x" } },
        { "name": "refused", "input": 1,
            "calls": [{ "tool": "a/b", "answer": { "refused": { "reason": "denied" } } }],
            "expect": { "failure": { "kind": "refused", "details": { "tool_error": { "reason": "denied" } } } } },
        { "name": "failed", "input": 1,
            "calls": [{ "tool": "a/b", "answer": { "tool-error": "no" } }],
            "expect": { "failure": { "kind": "tool-failed", "details": { "line": 2 } } } },
        { "name": "thrown", "input": 1,
            "calls": [{ "tool": "a/b", "answer": { "output": null } }],
            "expect": { "failure": { "kind": "exception", "details": { "name": "TypeError" } } } }] });
    let desk = desk_with("flow.ts", source, &suite);
    fs::write(desk.path("other.js"), "await tools.a.b({ n: 1 }); return 'y'").unwrap();

    let ended = tested(&desk, &[]);
    let other = tested(&desk, &["--workflow", "other.js", "--case", "answered"]);

    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    assert_says(&ended, &["ok    answered", "ok    thrown", "4 cases, 0 failed\n"]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert_says(&other, &["expected \"x\", got \"y\""]);
}

#[test]
fn identifiers_stand_for_the_names_in_the_table() {
    let source = "return [await tools.my_files.read_all(), await tools['my-files'].stat()]";
    let suite = json!({ "workflow": "flow.js", "cases": [{ "name": "reads",
        "calls": [
            { "tool": "my-files/read-all", "answer": { "output": 1 } },
            { "tool": "my-files/stat", "answer": { "output": 2 } }],
        "expect": { "output": [1, 2] } }] });

    let ended = tested(&desk_with("flow.js", source, &suite), &[]);

    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
}

#[test]
fn a_case_that_fails_shows_the_place_and_what_the_script_wrote() {
    let source = "console.log('reading %s', args);\nfunction read(value) {\n  return value.x;\n}\nread(null);\n";
    let case = json!({ "name": "reads", "input": "a", "expect": { "output": 1 } });
    let suite = json!({ "workflow": "flow.js", "cases": [case,
        { "name": "throws", "expect": { "failure": { "kind": "exception" } } }] });
    let desk = desk_with("flow.js", source, &suite);

    let ended = tested(&desk, &["--junit", "out.xml"]);

    assert_eq!(ended.code, Some(1), "{ended:?}");
    let told = [
        "should end with the output, and it failed: exception: TypeError",
        "flow.js:3:10",
        "> 3 |   return value.x;",
        "at read (flow.js:3:10)",
        "what it wrote to its logs:\n          log: reading a\n",
        "ok    throws",
    ];
    assert_says(&ended, &told);
    assert_eq!(ended.stdout.matches("it wrote").count(), 1, "{ended:?}");
    let xml = fs::read_to_string(desk.path("out.xml")).unwrap();
    for part in ["&gt; 3 |   return value.x;", "<system-out>log: reading a</system-out>"] {
        assert!(xml.contains(part), "no {part:?} in {xml}");
    }
    assert_eq!(xml.matches("<system-out>").count(), 1, "{xml}");
}

#[test]
fn what_a_failed_case_tells_of_a_script_is_bounded() {
    let source = "for (let n = 0; n < 5000; n++) console.log('x'.repeat(190), n);
        const error = new Error('y'.repeat(1e6));
        error.stack = '    at f (flow.js:1:1)\\n'.repeat(1e4);
        throw error;";
    let suite =
        json!({ "workflow": "flow.js", "cases": [{ "name": "x", "expect": { "output": 1 } }] });

    let ended = tested(&desk_with("flow.js", source, &suite), &[]);

    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.len() < 10_000, "{} bytes", ended.stdout.len());
    assert_says(&ended, &["and 9990 more", "(4980 lines before these)", " 4999\n"]);
}

#[test]
fn a_script_that_is_stopped_has_lost_its_lines() {
    let suite = json!({ "workflow": "flow.js", "cases": [
        { "name": "x", "timeout_ms": 200, "expect": { "output": 1 } },
        { "name": "y", "timeout_ms": 200, "expect": { "stopped": "limit" } }] });

    let ended = tested(&desk_with("flow.js", "console.log(1); for (;;);", &suite), &[]);

    assert_says(&ended, &["it was stopped: limit wall_clock (200ms)", "is lost with the sandbox"]);
    assert_says(&ended, &["ok    y", "2 cases, 1 failed"]);
}

#[test]
fn a_suite_says_what_a_script_sees_of_chance_and_time() {
    let suite = |seed: u64| {
        json!({ "workflow": "flow.js", "seed": seed, "clock_ms": 5000, "cases": [
            { "name": "of the suite", "expect": { "output_includes": { "now": 5000 } } },
            { "name": "of the case", "clock_ms": 7001, "seed": 3, "expect": { "output_includes": { "now": 7001 } } },
            { "name": "told", "expect": { "output": null } }] })
    };
    let source = "return { now: Date.now(), chance: Math.random() }";
    let desk = desk_with("flow.js", source, &suite(1));
    let chance = |seed| {
        fs::write(desk.path("suite.json"), suite(seed).to_string()).unwrap();
        let ended = tested(&desk, &[]);
        assert_says(&ended, &["ok    of the suite", "ok    of the case", "3 cases, 1 failed"]);
        ended.stdout.split_once("chance").unwrap().1.to_owned()
    };

    let first = chance(1);
    assert_eq!(first, chance(1));
    assert_ne!(first, chance(2));

    let usual = json!({ "workflow": "flow.js", "cases": [
        { "name": "usual", "expect": { "output_includes": { "now": 1_767_225_600_000u64 } } }] });
    fs::write(desk.path("suite.json"), usual.to_string()).unwrap();
    assert_eq!(tested(&desk, &[]).code, Some(0));
    fs::write(desk.path("suite.json"), suite(1).to_string().replace("7001", "-1")).unwrap();
    tested(&desk, &[]).assert_complains(2, &["suite.json:1:", "/cases/1/clock_ms"]);
}

#[test]
fn layers_stand_between_a_script_and_the_table() {
    let suite = json!({ "workflow": "flow.js", "with": ["retry"], "cases": [{
        "name": "again",
        "calls": [
            { "tool": "a/b", "answer": { "not-sent": { "cause": "connect-failed" } } },
            { "tool": "a/b", "answer": { "output": 2 } }],
        "expect": { "output": 2 } }] });

    let ended = tested(&desk_with("flow.js", "return await tools.a.b()", &suite), &[]);

    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn typescript_with_mistakes_is_no_suite_that_can_be_used() {
    let suite =
        json!({ "workflow": "flow.ts", "cases": [{ "name": "x", "expect": { "output": 1 } }] });
    let desk = desk_with("flow.ts", "const a: = 1;", &suite);
    let good =
        json!({ "workflow": "good.ts", "cases": [{ "name": "x", "expect": { "output": 1 } }] });
    fs::write(desk.path("good.json"), good.to_string()).unwrap();
    fs::write(desk.path("good.ts"), "return 1 as number").unwrap();

    tested(&desk, &["good.json"])
        .assert_complains(2, &["suite.json", "flow.ts:1:", "1 | const a: = 1;"]);
    fs::remove_file(desk.path("flow.ts")).unwrap();
    tested(&desk, &[]).assert_complains(2, &["suite.json", "flow.ts"]);
}

#[test]
fn what_was_compiled_for_a_suite_is_kept() {
    let suite = json!({ "workflow": "flow.wasm", "cases": [{ "name": "x", "input": 1, "expect": { "output": 1 } }] });
    let desk = desk_with("unused.js", "", &suite);
    fs::copy(callgate_tests::guests::ECHO_INPUT, desk.path("flow.wasm")).unwrap();
    let kept = |arguments: &[&str]| {
        let ended = desk.callgate(&[&["test", "suite.json"], arguments].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        fs::read_dir(desk.path("cache/callgate")).map_or(0, |folder| folder.count())
    };

    assert_eq!(kept(&["--no-cache"]), 0);
    assert!(kept(&[]) > 0);
}
