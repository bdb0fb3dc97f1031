//! Every operation ends, whatever a server does: the hostile HTTP server in all its modes.

use std::{collections::BTreeSet, path::Path};

use callgate_tests::hostile_http::{faults, run};
use futures::{StreamExt as _, stream};

/// Faults that are tried at the same time. Most of them wait for something.
const AT_ONCE: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_ends_as_the_table_says() {
    let server = Path::new(env!("CARGO_BIN_EXE_hostile-http"));

    let reports: Vec<_> = stream::iter(faults())
        .map(async |fault| run(fault, server).await.unwrap())
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
    let text = include_str!("../../HOSTILE-HTTP.md");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();

    let expected: Vec<String> = faults().map(|fault| fault.row()).collect();

    assert_eq!(rows, expected, "`hostile-http --table` prints it");
}
