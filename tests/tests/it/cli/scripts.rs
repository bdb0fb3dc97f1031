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
