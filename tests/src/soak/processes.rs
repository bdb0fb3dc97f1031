//! Processes of this machine, found by what stands in their environment. Needs `/proc`: a soak runs on Linux.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

/// The variable that the processes of a round have in their environment.
pub(super) const MARK: &str = "CALLGATE_SOAK";

/// One process that lives.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) pid: Pid,
    pub(super) name: String,
}

impl Process {
    /// Sends a signal; `false`: it has gone already.
    pub(super) fn signal(&self, signal: Signal) -> bool {
        kill_process(self.pid, signal).is_ok()
    }
}

/// The processes that have this mark.
pub(super) fn marked(mark: &str) -> impl Iterator<Item = Process> {
    let wanted = format!("{MARK}={mark}").into_bytes();
    pids().filter_map(move |pid| {
        let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).ok()?;
        let is_marked = environment.split(|byte| *byte == 0).any(|entry| entry == wanted);
        let name = fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero())).ok()?;
        is_marked.then(|| Process { pid, name: name.trim_end().to_owned() })
    })
}

/// The children of this process, those included that have ended and were not asked how.
pub(super) fn children() -> impl Iterator<Item = String> {
    let me = std::process::id().to_string();
    pids().filter_map(move |pid| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        // The name is in brackets and may hold anything; state and parent follow it.
        let (start, rest) = stat.rsplit_once(')')?;
        let parent = rest.split_whitespace().nth(1)?;
        (parent == me).then(|| format!("{start}){}", rest.get(..2).unwrap_or_default()))
    })
}

fn pids() -> impl Iterator<Item = Pid> {
    let names = fs::read_dir("/proc").into_iter().flatten().flatten().map(|it| it.file_name());
    names.filter_map(|name| Pid::from_raw(name.to_str()?.parse().ok()?))
}
