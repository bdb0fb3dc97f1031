//! Ends with a failure of its own that has all three parts.

use callgate_guest::{Failure, Json};

async fn run(_: Json) -> Result<(), Failure> {
    Err(Failure::new("sold-out", "no chair is left")
        .with_details(&serde_json::json!({ "chairs": 0 })))
}

callgate_guest::workflow!(run);
