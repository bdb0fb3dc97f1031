//! What a process has of memory: private memory (`smaps_rollup`), which it has for itself and would give back, and page
//! tables, which are the kernel's.
#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::fs;

#[derive(Clone, Copy)]
pub(crate) struct Kib(u64);

impl Kib {
    pub(crate) fn mib(self) -> f64 {
        self.0 as f64 / 1024.0
    }

    pub(crate) fn per(self, runs: usize, before: Self) -> f64 {
        (self.0 as f64 - before.0 as f64) / runs as f64
    }
}

pub(crate) struct Memory {
    pub(crate) private: Kib,
    pub(crate) page_tables: Kib,
}

impl Memory {
    pub(crate) fn now() -> Self {
        Self {
            private: sum("/proc/self/smaps_rollup", &["Private_Clean:", "Private_Dirty:"]),
            page_tables: sum("/proc/self/status", &["VmPTE:"]),
        }
    }
}

/// The sum of these lines of a file of the kernel.
fn sum(file: &str, names: &[&str]) -> Kib {
    let text = fs::read_to_string(file).expect("this is Linux");
    let lines = text.lines().filter(|line| names.iter().any(|name| line.starts_with(name)));
    let kib = lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    Kib(kib.sum())
}
