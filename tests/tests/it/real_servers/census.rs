//! The same census by two servers and by a walk without any, over a small tree with every odd thing in it and over the code
//! of the host.

use std::{fs, path::Path};

use callgate::{Grants, Run, RunOutcome, SessionPool};
use callgate_tests::{
    guests,
    servers::{self, StdioCommand},
};
use serde_json::{Map, Value, json};

use super::{json_of, pool};
use crate::run::workflow;

/// The extensions in the trees below, and what the workflow calls them.
const LANGUAGES: &[(&str, &str)] = &[
    ("rs", "Rust"),
    ("md", "Markdown"),
    ("py", "Python"),
    ("json", "JSON"),
    ("toml", "TOML"),
    ("ts", "TypeScript"),
    ("txt", "Text"),
];

/// A tree with what a count can get wrong.
fn make_tree(root: &Path) {
    let files: &[(&str, &[u8])] = &[
        ("README.md", b"# Title\r\n\r\nTODO: write it\r\n"),
        ("src/main.rs", b"fn main() {} // TODO FIXME, not TODOS\n"),
        ("src/deep/er/no_newline.rs", b"one\ntwo"),
        ("src/empty.py", b""),
        ("src/data.json", b"{\n  \"a\": [1, 2]\n}\n"),
        ("src/[DIR] odd name.toml", b"x = 1\n"),
        ("Makefile", b"all:\n"),
        ("blob.bin", b"\x00\xff\xfe"),
        ("node_modules/skipped.js", b"never\n"),
        ("target/skipped.rs", b"never\n"),
    ];
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir(root.join("src/nothing")).unwrap();
}

/// Files, lines, and the two words, in this order.
type Counts = [u64; 4];

/// Counts in the plainest way there is.
fn recount(folder: &Path, languages: &mut Map<String, Value>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !["target", "node_modules", ".git"].contains(&name) {
                recount(&path, languages);
            }
            continue;
        }
        let Ok(text) = String::from_utf8(fs::read(&path).unwrap()) else { continue };
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let known = LANGUAGES.iter().find(|(known, _)| *known == extension);
        let language = known.map_or("other", |(_, language)| language);
        let old = counts_of(languages.get(language).unwrap_or(&json!({})));
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let new = words.fold(
            [1, text.lines().count() as u64, 0, 0],
            |[files, lines, todo, fixme], word| {
                [files, lines, todo + u64::from(word == "TODO"), fixme + u64::from(word == "FIXME")]
            },
        );
        let [files, lines, todo, fixme] = std::array::from_fn(|index| old[index] + new[index]);
        let sum = json!({ "files": files, "lines": lines, "todo": todo, "fixme": fixme });
        languages.insert(language.to_owned(), sum);
    }
}

fn counts_of(value: &Value) -> Counts {
    ["files", "lines", "todo", "fixme"]
        .map(|key| value.get(key).and_then(Value::as_u64).unwrap_or(0))
}

/// The command's own file server.
fn demo_server(root: &Path) -> StdioCommand {
    StdioCommand {
        command: env!("CARGO_BIN_EXE_callgate-under-test").into(),
        args: vec!["demo-server".to_owned(), root.to_string_lossy().into_owned()],
        env: Default::default(),
    }
}

async fn census(pool: &SessionPool, connection: &str, root: &Path) -> Value {
    let input = json!({ "connection": connection, "root": root });
    let run = Run::new(&workflow(guests::CODE_CENSUS).await, pool).grants(Grants::all());
    let report = run.start(json_of(&input)).await;
    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    serde_json::from_str(output.as_str()).unwrap()
}

/// Takes the census by both servers, and gives back the one that both took.
async fn census_of_both(root: &Path) -> Value {
    let pool = pool([("own", demo_server(root)), ("npm", servers::filesystem(root))]);
    let (own, npm) = tokio::join!(census(&pool, "own", root), census(&pool, "npm", root));
    pool.close().await;
    assert_eq!(own["languages"], npm["languages"]);
    assert_eq!(counts_of(&own), counts_of(&npm));
    own
}

#[tokio::test(flavor = "multi_thread")]
async fn an_odd_tree_is_counted_alike_by_everybody() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    make_tree(&root);

    let census = census_of_both(&root).await;

    let mut recounted = Map::new();
    recount(&root, &mut recounted);
    assert_eq!(census["languages"], Value::Object(recounted));
    assert_eq!(counts_of(&census), [7, 11, 2, 1]);
    assert_eq!(census["skipped"].as_array().unwrap().len(), 1, "{census}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_host_is_counted_alike_by_everybody() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("host/src");

    let census = census_of_both(&root).await;

    let mut recounted = Map::new();
    recount(&root, &mut recounted);
    assert_eq!(census["languages"], Value::Object(recounted));
    assert!(counts_of(&census)[0] > 50, "{census}");
}
