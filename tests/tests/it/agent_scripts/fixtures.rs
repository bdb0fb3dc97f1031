//! What a table can't hold: long files, pictures, a repository. And the same questions as the scripts', answered in another way.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use serde_json::{Value, json};

type Recounts = BTreeMap<&'static str, Value>;

/// Makes what the topic needs in `root`, and counts what its scripts will count.
pub(super) fn prepare(topic: &str, root: &Path) -> Recounts {
    match topic {
        "errors" => {
            fs::write(root.join("big.txt"), "0123456789\n".repeat(3000)).unwrap();
            Recounts::new()
        }
        "files" => {
            make_parts(root);
            Recounts::from([("access_log", make_access_log(root))])
        }
        "filesystem" => {
            make_pictures(root);
            make_journal(root);
            fs::write(root.with_file_name("secret.txt"), "not to be read").unwrap();
            make_big_file(root)
        }
        "git" | "joins" => Recounts::from([("numstat", make_repository(&root.join("repository")))]),
        _ => Recounts::new(),
    }
}

/// Twenty small files, with the values -30, -23 and so on up to 103.
fn make_parts(root: &Path) {
    fs::create_dir(root.join("parts")).unwrap();
    for part in 0..20 {
        let text = format!("value={}\n", part * 7 - 30);
        fs::write(root.join(format!("parts/part-{part:02}.txt")), text).unwrap();
    }
}

/// A log in which everything is as if by chance, and a line here and there is broken.
fn make_access_log(root: &Path) -> Value {
    let mut chance = 1_u64;
    let mut draw = |below: u64| {
        chance =
            chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) % below
    };
    let mut levels = BTreeMap::from([("INFO", 0), ("WARN", 0), ("ERROR", 0)]);
    let (mut failed, mut times, mut unreadable) = (BTreeSet::new(), Vec::new(), 0);
    let mut log = String::new();
    for number in 0..20_000 {
        if number % 997 == 0 {
            unreadable += 1;
            log.push_str("?? broken\n");
            continue;
        }
        let level =
            ["INFO", "INFO", "INFO", "INFO", "INFO", "INFO", "WARN", "ERROR"][draw(8) as usize];
        let status = if level == "INFO" { 200 } else { [200, 404, 500, 503][draw(4) as usize] };
        let (path, ms) = (format!("/p/{}", draw(50)), draw(5000));
        log.push_str(&format!("2026-01-01T00:00:00Z {level} GET {path} {status} {ms}ms\n"));
        *levels.get_mut(level).unwrap() += 1;
        times.push(ms);
        if status >= 500 {
            failed.insert(path);
        }
    }
    fs::create_dir(root.join("logs")).unwrap();
    fs::write(root.join("logs/access.log"), log).unwrap();
    times.sort_unstable();
    let p90 = times[times.len() * 9 / 10];
    json!({ "levels": levels, "unreadable": unreadable, "failed": failed, "p90": p90, "slowest": times.last() })
}

/// The heads of two pictures, which is all that is read of them, and a text that is called one.
fn make_pictures(root: &Path) {
    fs::create_dir(root.join("pictures")).unwrap();
    let picture = |width: u32, height: u32| {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 6, 0, 0, 0]);
        bytes
    };
    fs::write(root.join("pictures/small.png"), picture(3, 5)).unwrap();
    fs::write(root.join("pictures/wide.png"), picture(70_000, 1)).unwrap();
    fs::write(root.join("pictures/fake.png"), "no picture").unwrap();
}

fn make_journal(root: &Path) {
    let line = |number| {
        let what = if [12, 821].contains(&number) { "reboot" } else { "ok" };
        format!("entry {number:04}: {what}")
    };
    fs::create_dir(root.join("logs")).unwrap();
    let lines: Vec<_> = (0..1000).map(line).collect();
    fs::write(root.join("logs/journal.txt"), lines.join("\n")).unwrap();
}

fn make_big_file(root: &Path) -> Recounts {
    const LINES: usize = 80_000;
    let text: String = (0..LINES).map(|n| format!("line {n} of a large file ü\n")).collect();
    fs::write(root.join("sizes/big.txt"), &text).unwrap();
    // The server tells megabytes with two digits behind the point.
    let mib = f64::from(1 << 20);
    let told = format!("{:.2}", text.len() as f64 / mib).parse::<f64>().unwrap() * mib;
    let (told, medium) = (told.round(), 41.0);
    let share = |bytes: f64| (bytes / (told + medium) * 100.0).round();
    let biggest = [
        format!("big.txt {told} ({}%)", share(told)),
        format!("medium.txt {medium} ({}%)", share(medium)),
    ];
    let crc = format!("{:08x}", crc32(text.as_bytes()));
    Recounts::from([
        ("big_file", json!({ "bytes": text.len(), "lines": LINES, "crc": crc })),
        ("biggest_files", json!(biggest)),
    ])
}

/// Bit by bit, as the polynomial is written.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & 0_u32.wrapping_sub(crc & 1))
        })
    })
}

/// Author, time, message, and the files that the commit writes.
type Commit<'t> = (&'t str, &'t str, &'t str, &'t [(&'t str, &'t str)]);

const COMMITS: &[Commit<'_>] = &[
    ("Ada", "2025-03-03T09:00:00Z", "feat: read files", &[("app.txt", "status=ok\nv1\n")]),
    (
        "Grace",
        "2025-03-04T10:00:00Z",
        "fix(parser): accept empty lines",
        &[("app.txt", "status=ok\nv2\n\n")],
    ),
    ("Ada", "2025-03-05T11:00:00Z", "docs: explain", &[("notes.txt", "one\n")]),
    (
        "Ada",
        "2025-03-10T09:00:00Z",
        "feat(cli)!: new options\n\nBREAKING CHANGE: old ones are gone",
        &[("app.txt", "status=broken\nv3\n")],
    ),
    (
        "Edsger",
        "2025-03-11T08:00:00Z",
        "fix: a bug\n\nCommit: this line is part of a message",
        &[("notes.txt", "one\ntwo ü\n"), ("app.txt", "status=broken\nv3\nmore\n")],
    ),
    ("Grace", "2025-03-12T08:00:00Z", "chore: tidy", &[("notes.txt", "ab\n")]),
];

/// A repository with these commits, a change that isn't committed and a file that git doesn't know; and git's own count of
/// the lines that changed.
fn make_repository(folder: &Path) -> Value {
    fs::create_dir(folder).unwrap();
    git(folder, &["init", "--quiet", "--initial-branch=main"], &[]);
    // The server commits, too.
    for (key, value) in
        [("user.name", "Test"), ("user.email", "test@example.test"), ("commit.gpgsign", "false")]
    {
        git(folder, &["config", key, value], &[]);
    }
    for (author, time, message, files) in COMMITS {
        for (name, text) in *files {
            fs::write(folder.join(name), text).unwrap();
            git(folder, &["add", name], &[]);
        }
        let env = [
            ("GIT_AUTHOR_NAME", *author),
            ("GIT_COMMITTER_NAME", *author),
            ("GIT_AUTHOR_DATE", *time),
            ("GIT_COMMITTER_DATE", *time),
        ];
        git(folder, &["commit", "--quiet", "--message", message], &env);
    }
    let mut churn: BTreeMap<String, BTreeMap<&str, u32>> = BTreeMap::new();
    for line in
        git(folder, &["log", "--numstat", "--format="], &[]).lines().filter(|it| !it.is_empty())
    {
        let [added, removed, file] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let counts = churn.entry(file.to_owned()).or_default();
        *counts.entry("added").or_default() += added.parse::<u32>().unwrap();
        *counts.entry("removed").or_default() += removed.parse::<u32>().unwrap();
    }
    fs::write(folder.join("notes.txt"), "ab\nunsaved\n").unwrap();
    fs::write(folder.join("draft.txt"), "not added\n").unwrap();
    json!({ "commits": COMMITS.len(), "churn": churn })
}

fn git(folder: &Path, arguments: &[&str], env: &[(&str, &str)]) -> String {
    let mut command = Command::new("git");
    let output =
        command.args(arguments).envs(env.iter().copied()).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}
