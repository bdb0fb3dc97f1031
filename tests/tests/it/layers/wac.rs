//! The same stack by the `wac` command, and by the library that the command is made of.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use callgate::{CompositionLimits, Stack, WacFile};
use callgate_tests::guests;
use futures::FutureExt;
use serde_json::json;
use wac_graph::{EncodeOptions, types::BorrowedPackageKey};
use wac_parser::Document;

use super::{compiled, done, layer, not_sent, one, output, plain_layer, run_answered};

/// Settings twice, a default, and a layer without any.
fn stack() -> Stack {
    let layers = vec![
        layer(guests::RENAME, json!({"names": [{"from": "a/b", "to": "c/d"}]})),
        layer(guests::RENAME, json!({"names": [{"from": "c/d", "to": "e/f"}]})),
        plain_layer(guests::RETRY),
        plain_layer(guests::DENY_WRITES),
    ];
    Stack::new(fs::read(guests::ONE_CALL).unwrap(), layers, &CompositionLimits::default()).unwrap()
}

/// What a stack does with one call: where it goes, how often, and what comes back.
async fn behaviour(component: &[u8]) -> (Vec<String>, String) {
    let answer = |number, _: &_| {
        async move { if number == 1 { not_sent() } else { done(&json!("fine")) } }.boxed()
    };
    let input = one("a/b", json!({"n": 1}));
    let (report, reached) = run_answered(&compiled(component), &input, answer).await;
    (reached.calls(), output(&report).to_string())
}

fn source(files: &[WacFile]) -> String {
    let source = files.iter().find(|file| file.path == "stack.wac").unwrap();
    String::from_utf8(source.bytes.clone()).unwrap()
}

fn composed_by_library(source: &str, files: &[WacFile]) -> Vec<u8> {
    let document = Document::parse(source).unwrap();
    let names: Vec<(String, &WacFile)> = files
        .iter()
        .filter_map(|file| {
            let name = file.path.strip_prefix("deps/")?.strip_suffix(".wasm")?;
            Some((name.replace('/', ":"), file))
        })
        .collect();
    let packages = names.iter().map(|(name, file)| {
        (BorrowedPackageKey::from_name_and_version(name, None), file.bytes.clone())
    });
    let resolution = document.resolve(packages.collect()).unwrap();
    resolution.encode(EncodeOptions::default()).unwrap()
}

/// The `wac` command. `cargo xtask test` has installed it before; by itself this takes minutes.
fn command() -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_callgate-under-test")).ancestors().nth(2).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("wac.sh");
    let installed =
        Command::new("bash").arg(script).arg(target.join("wac")).output().expect("bash starts");
    let (path, told) = (String::from_utf8(installed.stdout).unwrap(), &installed.stderr);
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(told));
    PathBuf::from(path.trim_end())
}

fn composed_by(wac: &Path, files: &[WacFile]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.bytes).unwrap();
    }
    let composed = Command::new(wac)
        .args(["compose", "stack.wac", "--deps-dir", "deps", "-o", "out.wasm"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(composed.status.success(), "{}", String::from_utf8_lossy(&composed.stderr));
    fs::read(folder.path().join("out.wasm")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wac_command_makes_a_stack_that_does_the_same() {
    let stack = stack();
    let ours = behaviour(&stack.compose().unwrap()).await;

    let theirs = behaviour(&composed_by(&command(), &stack.wac())).await;

    assert_eq!(theirs, ours);
}

#[tokio::test(flavor = "multi_thread")]
async fn wac_makes_a_stack_that_does_the_same() {
    let stack = stack();
    let files = stack.wac();
    let ours = behaviour(&stack.compose().unwrap()).await;
    assert_eq!(ours.0, [r#"e/f {"n":1}"#, r#"e/f {"n":1}"#]);

    assert_eq!(behaviour(&composed_by_library(&source(&files), &files)).await, ours);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shipped_source_makes_the_stack_that_it_tells_of() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest/middleware/guarded.wac");
    let shipped = fs::read_to_string(shipped).unwrap();
    let layers =
        vec![layer(guests::ALLOW_LIST, json!({"allow": ["a/*"]})), plain_layer(guests::RETRY)];
    let flow = fs::read(guests::ONE_CALL).unwrap();
    let stack = Stack::new(flow, layers, &CompositionLimits::default()).unwrap();

    let theirs = composed_by_library(&shipped, &stack.wac());

    assert_eq!(behaviour(&theirs).await, behaviour(&stack.compose().unwrap()).await);
}
