//! Allocates until there is no more, and returns how many bytes it got: `{"bytes": n}`.

use callgate_guest::{Failure, Json};
use serde::Serialize;

const BLOCK_BYTES: usize = 1 << 20;

#[derive(Serialize)]
struct Output {
    bytes: usize,
}

async fn run(_: Json) -> Result<Output, Failure> {
    let mut bytes = 0;
    loop {
        let mut block = Vec::<u8>::new();
        if block.try_reserve_exact(BLOCK_BYTES).is_err() {
            return Ok(Output { bytes });
        }
        bytes += BLOCK_BYTES;
        // Never freed, and seen by the optimiser: else no block would have to exist.
        std::hint::black_box(block.leak().as_ptr());
    }
}

callgate_guest::workflow!(run);
