//! Allocates without asking whether it worked, as most programs do, and never stops.

use callgate_guest::{Failure, Json};

const BLOCK_BYTES: usize = 1 << 20;

async fn run(_: Json) -> Result<(), Failure> {
    loop {
        // Seen by the optimiser: else no block would have to exist.
        std::hint::black_box(vec![1_u8; BLOCK_BYTES].leak().as_ptr());
    }
}

callgate_guest::workflow!(run);
