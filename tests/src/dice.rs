//! Chance from a seed, so that what is drawn can be drawn again.

use std::{ops::Range, time::Duration};

/// A row of numbers that looks like chance (SplitMix64). It is no secret.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Dice of one's own, so that who draws first changes nothing for others.
    pub(crate) fn fork(&mut self) -> Self {
        Self(self.draw())
    }

    pub(crate) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number of the range.
    pub(crate) fn between(&mut self, range: Range<u64>) -> u64 {
        range.start + self.draw() % (range.end - range.start)
    }

    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.between(0..len as u64) as usize
    }

    pub(crate) fn millis(&mut self, range: Range<u64>) -> Duration {
        Duration::from_millis(self.between(range))
    }

    pub(crate) fn happens(&mut self, per_mille: u64) -> bool {
        self.between(0..1000) < per_mille
    }

    pub(crate) fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.index(all.len())]
    }
}
