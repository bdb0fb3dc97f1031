//! What a server of the soak does with one call, most of the time what it should.

use crate::dice::Dice;

/// What the tool does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    /// Its work.
    Work,
    /// Nothing, and the server answers with an error.
    RejectUndone,
    /// Its work, and the server answers with an error.
    RejectDone,
    /// Nothing, and it reports a failure.
    FailUndone,
    /// Its work, and it reports a failure.
    FailDone,
}

/// How the answer goes to the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Delivery {
    Plain,
    /// Long after it was due.
    Late,
    /// Never.
    Silent,
    /// The process or the exchange ends before the tool is called.
    LostBefore,
    /// ... or after that.
    LostAfter,
    /// ... or in the middle of the answer.
    Cut,
    /// There is nonsense before the answer, or in its place.
    Garbage,
    /// It bears the id of a request that nobody made.
    Misaddressed,
    /// It comes twice.
    Doubled,
    /// The output is closed, and the process lives on; or an HTTP status comes in place of the answer.
    Mute,
    /// The server ends in order after it, or forgets its sessions.
    Leaving,
    /// Much comes with it that nobody asked for.
    Chatter,
}

/// How many of a thousand calls.
const DEEDS: [(Deed, u64); 4] = [
    (Deed::RejectUndone, 12),
    (Deed::RejectDone, 12),
    (Deed::FailUndone, 12),
    (Deed::FailDone, 12),
];

const DELIVERIES: [(Delivery, u64); 11] = [
    (Delivery::Late, 8),
    (Delivery::Silent, 3),
    (Delivery::LostBefore, 3),
    (Delivery::LostAfter, 3),
    (Delivery::Cut, 3),
    (Delivery::Garbage, 5),
    (Delivery::Misaddressed, 2),
    (Delivery::Doubled, 5),
    (Delivery::Mute, 2),
    (Delivery::Leaving, 3),
    (Delivery::Chatter, 5),
];

impl Deed {
    pub(super) fn draw(dice: &mut Dice) -> Self {
        draw(dice, &DEEDS).unwrap_or(Self::Work)
    }

    pub(super) fn is_done(self) -> bool {
        matches!(self, Self::Work | Self::RejectDone | Self::FailDone)
    }
}

impl Delivery {
    pub(super) fn draw(dice: &mut Dice) -> Self {
        draw(dice, &DELIVERIES).unwrap_or(Self::Plain)
    }
}

fn draw<T: Copy>(dice: &mut Dice, table: &[(T, u64)]) -> Option<T> {
    let mut left = dice.between(0..1000);
    for (value, share) in table {
        if left < *share {
            return Some(*value);
        }
        left -= share;
    }
    None
}
