//! What the servers of a round did, in a file that outlives them: a line each, written before anybody is told of it.

use std::{
    collections::{BTreeMap, HashMap},
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
    str::FromStr as _,
};

/// The file, open to write at its end. Processes share it: a line is one write, so it is there wholly or not at all.
#[derive(Debug)]
pub(super) struct Ledger(File);

impl Ledger {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(OpenOptions::new().append(true).create(true).open(path)?))
    }

    /// A call was carried out. In the kernel's hands when this returns, so that a server that is killed loses nothing.
    pub(super) fn done(&self, token: u64) -> io::Result<()> {
        self.write(&format!("done {token}\n"))
    }

    /// A client has opened a session.
    pub(super) fn session(&self) -> io::Result<()> {
        self.write("session\n")
    }

    /// Something went wrong on purpose.
    pub(super) fn mood(&self, name: &str) -> io::Result<()> {
        self.write(&format!("mood {name}\n"))
    }

    fn write(&self, line: &str) -> io::Result<()> {
        (&self.0).write_all(line.as_bytes())
    }
}

/// A ledger that was read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    done: HashMap<u64, u32>,
    pub(super) sessions: u64,
    pub(super) moods: BTreeMap<String, u64>,
    /// Lines that make no sense.
    pub(super) torn: Vec<String>,
}

impl Reading {
    pub(super) fn of(text: &str) -> Self {
        let mut reading = Self::default();
        for line in text.lines() {
            match line.split_once(' ') {
                None if line == "session" => reading.sessions += 1,
                Some(("mood", name)) => *reading.moods.entry(name.to_owned()).or_default() += 1,
                Some(("done", token)) if let Ok(token) = u64::from_str(token) => {
                    *reading.done.entry(token).or_default() += 1;
                }
                _ => reading.torn.push(line.to_owned()),
            }
        }
        reading
    }

    /// How often a call was carried out.
    pub(super) fn times(&self, token: u64) -> u32 {
        self.done.get(&token).copied().unwrap_or_default()
    }

    /// Calls that were carried out, and how often.
    pub(super) fn done(&self) -> impl Iterator<Item = (u64, u32)> {
        self.done.iter().map(|(token, times)| (*token, *times))
    }
}
