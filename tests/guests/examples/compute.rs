//! Computes for as many rounds as the input says, and returns what comes of it: `{"state": n}`.

use callgate_guest::Failure;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Input {
    rounds: u64,
}

#[derive(Serialize)]
struct Output {
    state: u64,
}

async fn run(input: Input) -> Result<Output, Failure> {
    let mut state = 1_u64;
    for _ in 0..input.rounds {
        // A linear congruence, which no optimiser takes apart.
        state = std::hint::black_box(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
    Ok(Output { state })
}

callgate_guest::workflow!(run);
