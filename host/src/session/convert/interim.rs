//! Answers that are not the last word: a wish for input, and a task (revision 2026-07-28, SEP-2322 and SEP-2663).

use std::{collections::BTreeMap, time::Duration};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::violation;
use crate::call::{Failure, Json, RpcError};

/// What the server wants before the call can go on.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InputRequired {
    /// By keys of the server's own.
    #[serde(rename = "inputRequests")]
    pub(crate) requests: Option<InputRequests>,
    /// Opaque, and to be sent back as it came.
    pub(crate) request_state: Option<String>,
}

pub(crate) type InputRequests = BTreeMap<String, InputRequest>;

#[derive(Debug, Deserialize)]
pub(crate) struct InputRequest {
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) params: Value,
}

/// What a server tells of a task.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskState {
    pub(crate) task_id: String,
    pub(crate) status: TaskStatus,
    poll_interval_ms: Option<u64>,
    #[serde(rename = "inputRequests")]
    pub(crate) requests: Option<InputRequests>,
    /// The result of the call, once it is completed.
    pub(crate) result: Option<Box<RawValue>>,
    /// The JSON-RPC error, once it has failed.
    pub(crate) error: Option<Box<RawValue>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskStatus {
    Working,
    InputRequired,
    Completed,
    Failed,
    Cancelled,
}

#[derive(Deserialize)]
struct WireError {
    code: i64,
    message: String,
    data: Option<Box<RawValue>>,
}

impl TaskState {
    /// How long the server wants to be left alone.
    pub(crate) fn poll_interval(&self) -> Option<Duration> {
        self.poll_interval_ms.map(Duration::from_millis)
    }
}

/// Reads a result of the type `input_required`.
///
/// # Errors
///
/// When it asks for nothing and has no state either, so that the call would be made again for ever.
pub(super) fn input_from_wire(raw: &RawValue) -> Result<InputRequired, Failure> {
    let asked: InputRequired = serde_json::from_str(raw.get())
        .map_err(|error| violation(format!("the server's wish for input is broken: {error}")))?;
    if asked.requests.is_none() && asked.request_state.is_none() {
        return Err(violation("the server wants input and does not say which"));
    }
    Ok(asked)
}

/// Reads a task, from the answer to a call or to `tasks/get`.
///
/// # Errors
///
/// When it isn't one.
pub(crate) fn task_from_wire(raw: &RawValue) -> Result<TaskState, Failure> {
    serde_json::from_str(raw.get())
        .map_err(|error| violation(format!("what the server tells of its task is broken: {error}")))
}

/// Reads the error of a failed task.
///
/// # Errors
///
/// When it isn't a JSON-RPC error.
pub(crate) fn error_from_wire(raw: &RawValue) -> Result<RpcError, Failure> {
    let WireError { code, message, data } = serde_json::from_str(raw.get())
        .map_err(|error| violation(format!("the error of the task is broken: {error}")))?;
    Ok(RpcError { code, message, data: data.map(Json::from) })
}
