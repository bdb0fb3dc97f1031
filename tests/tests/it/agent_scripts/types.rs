//! The scripts in TypeScript against the declarations of the servers' tools, all of them with one look of the compiler.

use std::{collections::BTreeSet, fs, process::Command};

use callgate_tests::servers;
use serde_json::{Map, json};

use super::{TOPICS, Topic, fixtures, server};
use crate::cli::CALLGATE;

#[test]
fn scripts_in_typescript_keep_to_the_types_of_the_tools() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("root")).unwrap();
    fixtures::prepare("git", &path("root"));
    let topics: Vec<Topic> = TOPICS.iter().map(|name| Topic::read(name)).collect();
    let names: BTreeSet<&str> =
        topics.iter().flat_map(|it| &it.servers).map(String::as_str).collect();
    let declared = names.into_iter().filter(|name| !["ghost", "slow"].contains(name));
    let servers: Map<_, _> =
        declared.map(|name| (name.to_owned(), json!(server(name, &path("root"))))).collect();
    fs::write(path(".mcp.json"), json!({ "mcpServers": servers }).to_string()).unwrap();

    let types = Command::new(CALLGATE)
        .args(["types", "-o", "tools.d.ts"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(types.status.success(), "{types:?}");
    let mut files = vec!["tools.d.ts".to_owned()];
    for (name, topic) in TOPICS.iter().zip(&topics) {
        for script in topic.cases.iter().map(|case| &case.script).filter(|it| it.ends_with(".ts")) {
            let file = format!("{name}-{script}");
            let source = fs::read_to_string(topic.folder.join(script)).unwrap();
            fs::write(path(&file), wrapped(&source)).unwrap();
            files.push(file);
        }
    }
    assert!(files.len() > 30, "{files:?}");
    // What `callgate types --check` gives the compiler.
    let options = json!({
        "strict": true, "noEmit": true, "skipLibCheck": true, "target": "es2023", "lib": ["es2023"], "types": [],
        "module": "esnext", "moduleResolution": "bundler", "moduleDetection": "force", "pretty": false,
    });
    let config = json!({ "compilerOptions": options, "files": files });
    fs::write(path("tsconfig.json"), config.to_string()).unwrap();

    let tsc = Command::new(servers::typescript().join("tsc"))
        .args(["-p", "tsconfig.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();

    let told = String::from_utf8_lossy(&tsc.stdout);
    assert!(tsc.status.success(), "lines are one more than those of the files:\n{told}");
}

/// A script is the body of a function, unless it is a module.
fn wrapped(source: &str) -> String {
    let mut lines = source.lines();
    match lines.any(|line| line.starts_with("export ") || line.starts_with("import ")) {
        true => format!("\n{source}"),
        false => format!("async function script() {{\n{source}\n}}\nvoid script;\n"),
    }
}
