//! Makes one call many times, one after the other or all at once, and returns what each heard in the order of calling.

use callgate_guest::{CallError, Failure, Json, call, futures::future::join_all};
use serde::Deserialize;

#[derive(Deserialize)]
struct Input {
    connection: String,
    tool: String,
    arguments: Json,
    count: usize,
    at_once: bool,
}

async fn run(input: Input) -> Result<Vec<Result<Json, CallError>>, Failure> {
    let Input { connection, tool, arguments, count, at_once } = input;
    let calls = (0..count).map(|_| call::<Json>(&connection, &tool, &arguments));
    if at_once {
        return Ok(join_all(calls).await);
    }
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await);
    }
    Ok(answers)
}

callgate_guest::workflow!(run);
