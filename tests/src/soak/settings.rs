//! How long a soak takes, how much load it makes, and what it holds the host to.

use std::{path::PathBuf, str::FromStr, time::Duration};

/// What is asked of a soak.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long it makes load.
    pub duration: Duration,
    /// What chance starts from.
    pub seed: u64,
    /// Workflows that run at the same time.
    pub runs: usize,
    /// Callers beside them, who go to the pool directly.
    pub callers: usize,
    /// How much later than its deadline an answer may come: the machine has other things to do as well.
    pub slack: Duration,
    /// MiB that the memory may be larger at the end than after the first round.
    pub memory_mib: u64,
    /// What is made wrong on purpose, so that it is seen that it is noticed.
    pub spoil: Option<Spoil>,
    /// The binary `soak-server`.
    pub server: PathBuf,
}

/// One thing that a soak has to notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spoil {
    /// Servers carry some calls out twice.
    Twice,
    /// Servers say of some calls that they are done, and they aren't.
    Lie,
    /// Some callers don't write down what they were told.
    Silence,
    /// A process is left over.
    Process,
    /// A file stays open.
    Descriptor,
    /// A task stays alive.
    Task,
    /// Memory is kept.
    Memory,
}

/// There is nothing of this name to spoil.
#[derive(Debug, thiserror::Error)]
#[error("nothing is called {0:?}; there are: {names}", names = Spoil::NAMES.map(|(name, _)| name).join(", "))]
pub struct UnknownSpoil(String);

impl Spoil {
    const NAMES: [(&str, Self); 7] = [
        ("twice", Self::Twice),
        ("lie", Self::Lie),
        ("silence", Self::Silence),
        ("process", Self::Process),
        ("descriptor", Self::Descriptor),
        ("task", Self::Task),
        ("memory", Self::Memory),
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, spoil)| *spoil == self).map_or("", |(name, _)| name)
    }
}

impl FromStr for Spoil {
    type Err = UnknownSpoil;

    fn from_str(name: &str) -> Result<Self, UnknownSpoil> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, spoil)| *spoil).ok_or_else(|| UnknownSpoil(name.to_owned()))
    }
}
