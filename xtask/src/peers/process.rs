//! `return 1` as a whole process: from its start to its end, with its result on stdout.

use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use super::modebox::Modebox;
use crate::step;

/// How often one process of the peer is tried. Some end with a segmentation fault.
const TRIES: usize = 5;

/// Processes of each side, one after the other.
const PROCESSES: usize = 20;

/// Median times.
#[derive(Clone, Copy)]
pub(super) struct Processes {
    pub(super) callgate: Duration,
    pub(super) peer: Duration,
}

impl Processes {
    /// Measures both sides, by turns.
    pub(super) fn measure(folder: &Path, command: &str, modebox: &Modebox) -> Result<Self> {
        let script = folder.join("one.js");
        fs::write(&script, "return 1\n").context("writing the script")?;
        let mut callgate = Command::new(command);
        callgate.arg("run").arg(&script).arg("--cache-dir").arg(folder.join("compiled"));
        let mut peer = modebox.whole_process();
        // The first ones compile what the others find.
        once(&mut callgate)?;
        tried(&mut peer)?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..PROCESSES {
            ours.push(once(&mut callgate)?);
            theirs.push(tried(&mut peer)?);
        }
        ours.sort();
        theirs.sort();
        Ok(Self { callgate: ours[PROCESSES / 2], peer: theirs[PROCESSES / 2] })
    }
}

/// One that did not crash.
fn tried(command: &mut Command) -> Result<Duration> {
    let mut took = once(command);
    for _ in 1..TRIES {
        if took.is_ok() {
            break;
        }
        took = once(command);
    }
    took
}

fn once(command: &mut Command) -> Result<Duration> {
    let start = Instant::now();
    let printed = step::output(command)?;
    let took = start.elapsed();
    ensure!(printed == b"1\n", "the result is {:?}", String::from_utf8_lossy(&printed));
    Ok(took)
}
