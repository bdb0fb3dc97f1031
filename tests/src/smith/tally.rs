//! How many came to what, and which took longest.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    time::Duration,
};

use super::{Came, Wrong};

/// What came of many seeds.
#[derive(Debug, Default)]
pub struct Tally {
    ends: BTreeMap<(&'static str, String), u64>,
    slowest_loading: (Duration, u64),
    slowest_running: (Duration, u64),
    /// Everything that must not be.
    pub wrong: Vec<Wrong>,
}

impl Tally {
    /// Adds what came of one seed.
    pub fn add(&mut self, seed: u64, all: Vec<Result<Came, Wrong>>) {
        for came in all {
            match came {
                Ok(came) => {
                    self.slowest_loading = self.slowest_loading.max((came.loading, seed));
                    self.slowest_running = self.slowest_running.max((came.running, seed));
                    *self.ends.entry((came.kind, came.end)).or_default() += 1;
                }
                Err(wrong) => self.wrong.push(wrong),
            }
        }
    }

    /// How many of a kind were loaded and run, whatever came of it.
    pub fn ran(&self, kind: &str) -> u64 {
        let ran = |(made, end): &(&str, String)| {
            *made == kind && !end.starts_with("not loaded") && end != "not made"
        };
        self.ends.iter().filter(|(key, _)| ran(key)).map(|(_, count)| count).sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for ((kind, end), count) in &self.ends {
            writeln!(text, "{count:>8}  {kind}: {end}")?;
        }
        let (loading, at) = self.slowest_loading;
        writeln!(text, "slowest to load: {loading:?} (seed {at})")?;
        let (running, at) = self.slowest_running;
        writeln!(text, "slowest to run: {running:?} (seed {at})")?;
        for wrong in &self.wrong {
            writeln!(text, "WRONG {wrong}")?;
        }
        f.write_str(text.trim_end())
    }
}
