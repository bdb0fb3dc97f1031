//! Makes any calls, all at once, and returns what each heard in the order of the input.

use callgate_guest::{CallError, Failure, Json, call, futures::future::join_all};
use test_guests::CallInput;

async fn run(calls: Vec<CallInput>) -> Result<Vec<Result<Json, CallError>>, Failure> {
    let calls = calls.iter().map(|it| call::<Json>(&it.connection, &it.tool, &it.arguments));
    Ok(join_all(calls).await)
}

callgate_guest::workflow!(run);
