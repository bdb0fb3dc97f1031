//! Never ends, and never waits.

use callgate_guest::{Failure, Json};

async fn run(_: Json) -> Result<(), Failure> {
    let mut turns = 0_u64;
    loop {
        turns = std::hint::black_box(turns.wrapping_add(1));
    }
}

callgate_guest::workflow!(run);
