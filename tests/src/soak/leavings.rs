//! What a host holds when nothing is under way: tasks, descriptors, children, memory.

use std::{fs, time::Duration};

use tokio::{
    runtime::Handle,
    time::{Instant, sleep},
};

use super::processes;

/// How long what was closed may take to go.
const SETTLE_WITHIN: Duration = Duration::from_secs(5);
/// How long nothing may go before nothing more is expected to.
const QUIET: Duration = Duration::from_millis(1500);

/// What there is at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leavings {
    pub(super) tasks: usize,
    pub(super) descriptors: usize,
    pub(super) children: usize,
    pub(super) memory_kib: u64,
}

impl Leavings {
    pub(super) fn now() -> Self {
        Self {
            tasks: Handle::current().metrics().num_alive_tasks(),
            descriptors: fs::read_dir("/proc/self/fd").map_or(0, Iterator::count),
            children: processes::children().count(),
            memory_kib: resident_kib().unwrap_or_default(),
        }
    }

    /// What is left once everything that goes by itself has gone, or has taken too long.
    pub(super) async fn settled(base: Option<&Self>) -> Self {
        let until = Instant::now() + SETTLE_WITHIN;
        // Without a base, it has settled when nothing has gone for a while.
        let mut lowest = Self::now();
        let mut quiet_since = Instant::now();
        loop {
            let now = Self::now();
            if !lowest.excess(&now).is_empty() {
                (lowest, quiet_since) = (now, Instant::now());
            }
            let is_settled = match base {
                None => quiet_since.elapsed() > QUIET,
                Some(base) => now.excess(base).is_empty(),
            };
            if is_settled || Instant::now() > until {
                return now;
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// What there is more than in the beginning. Memory is another matter.
    pub(super) fn excess(&self, base: &Self) -> Vec<String> {
        [
            ("tasks", base.tasks, self.tasks),
            ("descriptors", base.descriptors, self.descriptors),
            ("children", base.children, self.children),
        ]
        .into_iter()
        .filter(|(_, base, now)| now > base)
        .map(|(what, base, now)| format!("{what} left over: {now}, and {base} at the base"))
        .collect()
    }
}

fn resident_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
