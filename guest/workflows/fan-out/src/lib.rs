//! Calls one tool many times at once, and tells the outcomes in the order of the arguments.

use callgate_guest::{CallError, Failure, Json, call, futures::future::join_all};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Input {
    connection: String,
    tool: String,
    arguments: Vec<Json>,
}

/// What became of one call. A failed call doesn't spoil its neighbours.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Output { output: Json },
    Error { error: &'static str, detail: String },
}

async fn run(input: Input) -> Result<Vec<Outcome>, Failure> {
    let Input { connection, tool, arguments } = input;
    let calls = arguments.iter().map(|arguments| call(&connection, &tool, arguments));
    Ok(join_all(calls).await.into_iter().map(Outcome::from_answer).collect())
}

impl Outcome {
    fn from_answer(answer: Result<Json, CallError>) -> Self {
        match answer {
            Ok(output) => Self::Output { output },
            Err(error) => Self::Error { error: error.kind(), detail: error.to_string() },
        }
    }
}

callgate_guest::workflow!(run);
