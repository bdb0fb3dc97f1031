//! The smallest workflow: it greets, and calls nothing.

use callgate_guest::Failure;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Input {
    name: Option<String>,
}

#[derive(Serialize)]
struct Output {
    greeting: String,
}

async fn run(input: Input) -> Result<Output, Failure> {
    let name = input.name.as_deref().unwrap_or("world");
    Ok(Output { greeting: format!("Hello, {name}!") })
}

callgate_guest::workflow!(run);
