//! How many cases a property is tried on: a number that takes a moment, or what `PROPTEST_CASES` says.

use proptest::test_runner::{Config, FileFailurePersistence};

/// A failure prints what failed; nothing is written beside the sources.
#[expect(clippy::disallowed_methods, reason = "this is for tests alone")]
pub(crate) fn cases(usually: u32) -> Config {
    let told = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { told.cases } else { usually };
    Config { cases, failure_persistence: Some(Box::new(FileFailurePersistence::Off)), ..told }
}
