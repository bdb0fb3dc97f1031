//! Panics, which is a trap.

use callgate_guest::{Failure, Json};

async fn run(_: Json) -> Result<(), Failure> {
    panic!("on purpose")
}

callgate_guest::workflow!(run);
