//! Returns its input, digit for digit.

use callgate_guest::{Failure, Json};

async fn run(input: Json) -> Result<Json, Failure> {
    Ok(input)
}

callgate_guest::workflow!(run);
