//! What a soak holds against the host, or against itself.

use std::sync::{Mutex, PoisonError};

/// Faults that are kept; more are counted.
const KEPT: usize = 50;

/// All faults so far.
#[derive(Debug, Default)]
pub struct Faults(Mutex<Found>);

#[derive(Debug, Default)]
struct Found {
    count: u64,
    first: Vec<String>,
}

impl Faults {
    pub(super) fn note(&self, fault: impl Into<String>) {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.count += 1;
        if found.first.len() < KEPT {
            found.first.push(fault.into());
        }
    }

    pub(super) fn note_all(&self, faults: impl IntoIterator<Item = String>) {
        faults.into_iter().for_each(|fault| self.note(fault));
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// The first ones.
    pub fn first(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).first.clone()
    }
}
