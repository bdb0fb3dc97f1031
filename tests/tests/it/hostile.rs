//! Every operation ends, whatever a server does: the hostile server in all its modes.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc::sync_channel,
    thread,
    time::Duration,
};

use callgate_tests::hostile::{faults, run};
use futures::{StreamExt as _, stream};

/// Faults that are tried at the same time. Most of them wait for something.
const AT_ONCE: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_ends_as_the_table_says() {
    let server = Path::new(env!("CARGO_BIN_EXE_hostile-stdio"));

    let reports: Vec<_> = stream::iter(faults())
        .map(|fault| run(fault, server))
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;

    let bad: Vec<String> = reports
        .iter()
        .filter(|report| !report.complaints.is_empty())
        .map(ToString::to_string)
        .collect();
    assert!(bad.is_empty(), "{} of {} faults:\n{}", bad.len(), reports.len(), bad.join("\n"));
}

#[test]
fn every_fault_has_a_name_of_its_own() {
    let names: BTreeSet<_> = faults().map(|fault| fault.mode).collect();

    assert_eq!(names.len(), faults().count());
}

#[test]
fn the_table_for_people_is_the_table() {
    let text = include_str!("../../HOSTILE.md");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();

    let expected: Vec<String> = faults().map(|fault| fault.row()).collect();

    assert_eq!(rows, expected, "`hostile-stdio --table` prints it");
}

#[test]
fn nothing_outlives_a_host_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let lifeline = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&lifeline).status().unwrap().success());
    let mut host = Command::new(env!("CARGO_BIN_EXE_hostile-run"))
        .arg("--hold")
        .arg(&lifeline)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lifeline = File::open(lifeline).unwrap();
    let mut said = String::new();
    BufReader::new(host.stdout.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said, "held\n");

    host.kill().unwrap();
    host.wait().unwrap();

    // The pipe ends when the server and its helper are gone.
    let (gone, wait) = sync_channel(1);
    thread::spawn(move || {
        let mut nothing = Vec::new();
        gone.send(lifeline.read_to_end(&mut nothing).is_ok())
    });
    assert_eq!(wait.recv_timeout(Duration::from_secs(20)), Ok(true));
}
