//! How many tests of which folder passed.

use std::{collections::BTreeMap, fmt};

use super::Verdict;

/// What came of all tests.
#[derive(Debug, Default)]
pub struct Tally {
    folders: BTreeMap<String, Counts>,
    /// Of the tests that are not claimed, by the reason why: how many, and how many of them pass nevertheless.
    unclaimed: BTreeMap<&'static str, (u64, u64)>,
    /// Tests in which the host panicked or hung.
    pub wrong: u64,
}

/// Of the tests that are claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    passed: u64,
    as_global_code: u64,
    failed: u64,
}

impl Counts {
    fn all(self) -> u64 {
        self.passed + self.as_global_code + self.failed
    }

    fn row(self, name: &str) -> String {
        let Self { passed, as_global_code, failed } = self;
        let percent = share(passed, self.all()) * 100.0;
        format!("{name:<40} {passed:>7} {as_global_code:>7} {failed:>7} {percent:>8.2} %")
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

impl Tally {
    /// Adds what came of one test.
    pub fn add(&mut self, path: &str, verdict: &Verdict) {
        let counts = match verdict {
            Verdict::Wrong(_) => {
                self.wrong += 1;
                return;
            }
            Verdict::Unclaimed { why, has_passed } => {
                let (all, passed) = self.unclaimed.entry(why).or_default();
                *all += 1;
                *passed += u64::from(*has_passed);
                return;
            }
            _ => self.folders.entry(folder_of(path)).or_default(),
        };
        match verdict {
            Verdict::Passed => counts.passed += 1,
            Verdict::PassedAsGlobalCode(_) => counts.as_global_code += 1,
            _ => counts.failed += 1,
        }
    }

    fn total(&self) -> Counts {
        self.folders.values().fold(Counts::default(), |total, counts| Counts {
            passed: total.passed + counts.passed,
            as_global_code: total.as_global_code + counts.as_global_code,
            failed: total.failed + counts.failed,
        })
    }

    /// Of what is claimed, the share that passes as scripts, from 0 to 1.
    pub fn pass_rate(&self) -> f64 {
        let total = self.total();
        share(total.passed, total.all())
    }
}

/// The first two folders of a path.
fn folder_of(path: &str) -> String {
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    folders.truncate(2);
    folders.join("/")
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<40} {:>7} {:>7} {:>7} {:>10}",
            "claimed", "passed", "global", "failed", "passed"
        )?;
        for (folder, counts) in &self.folders {
            writeln!(f, "{}", counts.row(folder))?;
        }
        writeln!(f, "{}", self.total().row("total"))?;
        writeln!(f, "\n{:<50} {:>7} {:>16}", "not claimed", "tests", "pass all the same")?;
        for (why, (all, passed)) in &self.unclaimed {
            writeln!(f, "{why:<50} {all:>7} {passed:>16}")?;
        }
        write!(f, "\n{} panicked or hung", self.wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_passes_as_a_script_counts_as_passed() {
        let mut tally = Tally::default();

        for verdict in [
            Verdict::Passed,
            Verdict::Passed,
            Verdict::PassedAsGlobalCode(String::new()),
            Verdict::Failed(String::new()),
            Verdict::Unclaimed { why: "Intl", has_passed: false },
        ] {
            tally.add("language/expressions/yield/x.js", &verdict);
        }
        tally.add("harness/x.js", &Verdict::Wrong(String::new()));

        assert_eq!(tally.pass_rate(), 0.5);
        assert_eq!(tally.wrong, 1);
        assert_eq!(tally.folders.keys().collect::<Vec<_>>(), ["language/expressions"]);
        let shown = tally.to_string();
        assert!(shown.contains("language/expressions") && shown.contains("Intl"), "{shown}");
    }
}
