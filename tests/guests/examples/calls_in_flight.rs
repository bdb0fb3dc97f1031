//! Makes one call many times, so many at a time, and returns how many were answered.

use callgate_guest::{
    Failure, Json, call,
    futures::stream::{self, StreamExt},
};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Input {
    connection: String,
    tool: String,
    arguments: Json,
    count: usize,
    in_flight: usize,
}

#[derive(Serialize)]
struct Output {
    answered: usize,
}

async fn run(input: Input) -> Result<Output, Failure> {
    let Input { connection, tool, arguments, count, in_flight } = input;
    let answers = stream::iter(0..count)
        .map(|_| call::<Json>(&connection, &tool, &arguments))
        .buffer_unordered(in_flight);
    let answered = answers.filter(|answer| std::future::ready(answer.is_ok())).count().await;
    Ok(Output { answered })
}

callgate_guest::workflow!(run);
