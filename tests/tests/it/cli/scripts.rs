//! `callgate run` with scripts.

use std::fs;

use serde_json::{Value, json};

use super::Desk;

/// Where all tests of scripts find the runner compiled, which takes seconds in a debug build.
pub(super) const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");

/// A desk with a script.
fn desk_with(name: &str, source: &str) -> Desk {
    let desk = Desk::new();
    fs::write(desk.path(name), source).unwrap();
    desk
}

#[test]
fn a_script_is_run_as_it_is() {
    let source = "console.log('reading', args.path);\nconst { content } = await tools.files.read_text_file({ path: args.path });\nreturn { content };";
    let desk = desk_with("read.js", source);
    let given = json!({ "path": "note.txt" }).to_string();

    let ended = desk.callgate(&[
        "run",
        "read.js",
        "--cache-dir",
        CACHE,
        "--allow",
        "files/*",
        "--input",
        &given,
    ]);

    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.json(), json!({ "content": "TODO: sleep\n" }));
    assert_eq!(ended.stderr, "log: reading note.txt\n");
}

#[test]
fn what_no_rule_allows_is_refused_and_the_place_is_shown() {
    let desk = desk_with(
        "read.mjs",
        "\nexport default await tools.files.read_text_file({ path: 'note.txt' });\n",
    );

    let ended = desk.callgate(&[
        "run",
        "read.mjs",
        "--cache-dir",
        CACHE,
        "--allow",
        "files/list_directory",
    ]);

    ended.assert_complains(
        1,
        &["refused", "read.mjs:2:", "> 2 | export default await tools", "--allow"],
    );
}

#[test]
fn layers_stand_in_front_of_scripts_too() {
    let desk =
        desk_with("write.js", "return await tools.files.read_text_file({ path: 'note.txt' })");
    let library = callgate_tests::guests::DENY_WRITES.rsplit_once('/').unwrap().0;
    let settings = r#"budget={"budgets":[{"max_calls":0}]}"#;

    let ended = desk.callgate(&[
        "run",
        "write.js",
        "--cache-dir",
        CACHE,
        "--allow-all",
        "--library",
        library,
        "--with",
        settings,
    ]);

    ended.assert_complains(1, &["refused", "budget"]);
}

#[test]
fn the_report_has_what_a_script_wrote_and_what_it_started_from() {
    let desk = desk_with("log.js", "console.warn('careful'); return [Math.random(), Date.now()]");
    let run = |seed: &str| {
        let ended = desk.callgate(&[
            "run",
            "log.js",
            "--cache-dir",
            CACHE,
            "--seed",
            seed,
            "--clock",
            "5",
            "--report",
            "report.json",
        ]);
        let report = fs::read_to_string(desk.path("report.json")).unwrap();
        (ended.json(), serde_json::from_str::<Value>(&report).unwrap())
    };

    let (result, report) = run("7");

    assert_eq!(result[1], 5000);
    assert_eq!(report["script"], json!({ "file": "log.js" }));
    assert_eq!(report["world"], json!({ "seed": 7, "clock_ms": 5000.0 }));
    assert_eq!(report["logs"]["entries"], json!([{ "to": "warn", "text": "careful" }]));
    assert_eq!(run("7").0, result);
    assert_ne!(run("8").0[0], result[0]);
}

#[test]
fn typescript_runs_without_its_types_and_says_where_it_is_wrong() {
    let source = "interface Named { name: string }\nconst one: Named = { name: args as string };\nreturn one.name;";
    let desk = desk_with("named.ts", source);
    fs::write(desk.path("throws.ts"), "type A = 1;\nconst x: A = 1;\nthrow new Error('odd');")
        .unwrap();
    fs::write(desk.path("enum.ts"), "enum Colour { Red }\nreturn Colour.Red;").unwrap();

    let named = desk.callgate(&["run", "named.ts", "--input", "\"Ada\""]);
    let throws = desk.callgate(&["run", "throws.ts"]);
    let not_erasable = desk.callgate(&["run", "enum.ts"]);

    assert_eq!((named.code, named.json()), (Some(0), json!("Ada")), "{named:?}");
    throws.assert_complains(1, &["odd", "throws.ts:3:", "> 3 | throw new Error('odd')"]);
    not_erasable.assert_complains(2, &["enum.ts:1:1", "enum"]);
}

#[test]
fn a_script_that_is_no_text_is_said_to_be_none() {
    let desk = Desk::new();
    fs::write(desk.path("binary.js"), [0xff, 0xfe]).unwrap();

    desk.callgate(&["run", "binary.js", "--cache-dir", CACHE])
        .assert_complains(2, &["binary.js", "not UTF-8"]);
    desk.callgate(&["run", "absent.js", "--cache-dir", CACHE]).assert_complains(2, &["absent.js"]);
}

#[test]
fn the_check_of_a_script_says_what_it_is_and_runs_nothing() {
    let desk = desk_with("body.js", "console.log('x'); for (;;);");
    fs::write(desk.path("module.ts"), "export default class A { n: number = 1 }").unwrap();

    let body = desk.callgate(&["check", "body.js", "--cache-dir", CACHE]);
    let module = desk.callgate(&["check", "module.ts", "--json", "--cache-dir", CACHE]);

    assert_eq!((body.code, body.stderr.as_str()), (Some(0), ""), "{body:?}");
    let told =
        "body.js: 27 bytes, at most 4194304\nlanguage: javascript\nform: body\nverdict: may run\n";
    assert_eq!(body.stdout, told);
    let judged = json!({ "file": "module.ts", "language": "typescript", "size_bytes": 40, "max_size_bytes": 262_144,
        "form": "module", "faults": [], "reasons": [], "may_run": true });
    assert_eq!((module.code, module.json()), (Some(0), judged));
}

#[test]
fn the_check_of_a_script_says_what_keeps_it_from_running() {
    let desk = desk_with("odd.js", "const a = 1;\nconst b = ;\n");
    fs::write(desk.path("odd.ts"), "enum A { B }\nconst b: = 1;").unwrap();
    fs::write(desk.path("enum.ts"), "enum A { B }\nenum C { D }").unwrap();
    fs::write(desk.path("imports.mjs"), "import fs from 'node:fs';").unwrap();
    let cases = [
        ("odd.js", json!([["syntax-error", 2, 11]]), "> 2 | const b = ;"),
        ("odd.ts", json!([["typescript", 2, 10]]), "2 | const b: = 1;"),
        ("enum.ts", json!([["typescript", 1, 1], ["typescript", 2, 1]]), "2 | enum C { D }"),
        ("imports.mjs", json!([["refused-import", 1, 16]]), "can't import 'node:fs'"),
    ];

    for (file, faults, words) in cases {
        let text = desk.callgate(&["check", file, "--cache-dir", CACHE]);
        let data = desk.callgate(&["check", file, "--cache-dir", CACHE, "--json"]);

        assert_eq!([text.code, data.code], [Some(2); 2], "{text:?}");
        assert!(text.stdout.ends_with("form: none\nverdict: refused\n"), "{text:?}");
        assert!(text.stderr.contains("refused: ") && text.stderr.contains(words), "{text:?}");
        let data = data.json();
        let places = data["faults"].as_array().unwrap().iter();
        let places: Vec<_> = places.map(|it| [&it["kind"], &it["line"], &it["column"]]).collect();
        assert_eq!(json!(places), faults, "{data}");
        assert_eq!((&data["form"], &data["may_run"]), (&Value::Null, &json!(false)));
        assert!(data["reasons"].to_string().contains(words), "{data}");
    }
}

#[test]
fn a_script_that_is_over_a_bound_is_refused_by_the_check() {
    let desk = desk_with("large.ts", &"1;".repeat(200_000));
    fs::write(desk.path("huge.js"), "1;".repeat(3 << 20)).unwrap();
    fs::write(desk.path("small.js"), "return 1").unwrap();
    let check = |more: &[&str]| desk.callgate(&[&["check", "--cache-dir", CACHE], more].concat());

    let large = check(&["large.ts"]);
    let narrow = check(&["small.js", "--max-memory", "1MiB"]);

    assert_eq!(large.code, Some(2));
    assert!(large.stdout.starts_with("large.ts: 400000 bytes, at most 262144\n"), "{large:?}");
    assert!(large.stderr.contains("max_source_bytes"), "{large:?}");
    assert_eq!(narrow.code, Some(2), "{narrow:?}");
    assert!(narrow.stderr.contains("--max-memory"), "{narrow:?}");
    check(&["huge.js"]).assert_complains(2, &["huge.js can't be run", "4194304 bytes"]);
    check(&["none.js"]).assert_complains(2, &["none.js"]);
}

#[test]
fn a_script_is_not_composed_but_run_with_its_layers() {
    let desk = desk_with("flow.ts", "return 1");

    let ended = desk.callgate(&["compose", "flow.ts", "--with", "retry", "-o", "out.wasm"]);

    ended.assert_complains(
        2,
        &["flow.ts can't be composed", "a script is no component", "callgate run flow.ts --with"],
    );
    assert!(!desk.path("out.wasm").exists());
}
