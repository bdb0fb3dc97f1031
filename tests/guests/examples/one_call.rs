//! Makes one call and returns everything that it heard: `{"Ok": result}` or `{"Err": {"case": ..}}`.

use callgate_guest::{CallError, Failure, ToolCallResult, call_tool};
use test_guests::CallInput;

async fn run(input: CallInput) -> Result<Result<ToolCallResult, CallError>, Failure> {
    Ok(call_tool(&input.connection, &input.tool, &input.arguments).await)
}

callgate_guest::workflow!(run);
