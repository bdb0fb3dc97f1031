//! One tool call from its first request to the last word on it. Servers of the newer era may take several steps: they ask
//! for input, which a policy answers, or work on in a task, whose state is asked for.
//!
//! From the second request on nothing is "not sent" any more, whatever becomes of that request.

use std::collections::BTreeMap;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, GetTaskParams, GetTaskRequest,
    UpdateTaskParams, UpdateTaskRequest,
};
use serde_json::{Value, value::RawValue};
use tokio::time::sleep;

use super::{
    client::McpClient,
    convert::{self, Answer, InputRequired, TaskState, TaskStatus},
    transport::{Phase, WireCall},
};
use crate::call::{CallError, Cause, Failure, Json, ToolCallResult};

/// What is answered to a server's requests for input, by its own keys.
type Inputs = BTreeMap<String, Value>;

/// Calls the tool.
///
/// # Errors
///
/// As [`McpClient::call_tool`].
pub(super) async fn call_tool(
    client: &McpClient,
    tool: &str,
    mut arguments: Json,
) -> Result<ToolCallResult, CallError> {
    let mut params = CallToolRequestParams::new(tool.to_owned());
    let mut phase = client.phase().clone();
    let mut rounds = Rounds::new(client);
    loop {
        let is_first = rounds.over == 0;
        let wire = WireCall::new(arguments, phase);
        let mut request = CallToolRequest::new(params);
        request.extensions.insert(wire.clone());
        let (result, given_back) = client.ask(ClientRequest::CallToolRequest(request), wire).await;
        let raw = if is_first { result? } else { result.map_err(sent_before)? };
        match convert::answer_from_wire(&raw).map_err(CallError::OutcomeUnknown)? {
            Answer::Complete(result) => return Ok(result),
            Answer::Task(task) => return follow(client, task, rounds).await,
            Answer::InputRequired(asked) => {
                arguments = given_back;
                params = CallToolRequestParams::new(tool.to_owned());
                params.request_state = asked.request_state.clone();
                params.input_responses = rounds.answer(asked)?;
                phase = Phase::default();
            }
        }
    }
}

/// Asks for the state of a task until it has ended.
async fn follow(
    client: &McpClient,
    mut task: TaskState,
    mut rounds: Rounds<'_>,
) -> Result<ToolCallResult, CallError> {
    let limits = client.rules().interim;
    let id = task.task_id.clone();
    let mut abandoned = client.abandoning(&id, client.phase());
    loop {
        match task.status {
            TaskStatus::Working => {}
            TaskStatus::InputRequired => {
                let asked = InputRequired { requests: task.requests.take(), request_state: None };
                if let Some(inputs) = rounds.answer(asked)? {
                    let mut request =
                        UpdateTaskRequest::new(UpdateTaskParams::new(id.clone(), inputs));
                    let wire = WireCall::new(Json::null(), Phase::default());
                    request.extensions.insert(wire.clone());
                    let request = ClientRequest::UpdateTaskRequest(request);
                    client.ask(request, wire).await.0.map_err(|error| about_task(&id, error))?;
                }
            }
            TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Cancelled => {
                abandoned.what = None;
                return conclude(task);
            }
        }
        let wanted = task.poll_interval();
        let pause = wanted.unwrap_or(limits.poll_interval);
        sleep(pause.clamp(limits.min_poll_interval, limits.max_poll_interval)).await;
        task = state(client, &id).await?;
    }
}

async fn state(client: &McpClient, id: &str) -> Result<TaskState, CallError> {
    let wire = WireCall::new(Json::null(), Phase::default());
    let mut request = GetTaskRequest::new(GetTaskParams::new(id));
    request.extensions.insert(wire.clone());
    let raw = client.ask(ClientRequest::GetTaskRequest(request), wire).await.0;
    let raw = raw.map_err(|error| about_task(id, error))?;
    convert::task_from_wire(&raw).map_err(CallError::OutcomeUnknown)
}

/// The error of a request about a task: whatever it is, the call itself was taken.
fn about_task(id: &str, error: CallError) -> CallError {
    match error {
        CallError::Rejected(error) => unknown(
            Cause::ProtocolViolation,
            format!(
                "the server refuses to talk of the task {id:?} that it made of the call: {error}"
            ),
        ),
        error => sent_before(error),
    }
}

/// The last word on a task that has ended.
fn conclude(task: TaskState) -> Result<ToolCallResult, CallError> {
    let lacks = |what: &str| {
        unknown(Cause::ProtocolViolation, format!("the server ended a task without its {what}"))
    };
    match task.status {
        TaskStatus::Failed => {
            let error = task.error.ok_or_else(|| lacks("error"))?;
            Err(convert::error_from_wire(&error)
                .map_or_else(CallError::OutcomeUnknown, CallError::Rejected))
        }
        TaskStatus::Completed => {
            let result: &RawValue = &task.result.ok_or_else(|| lacks("result"))?;
            match convert::answer_from_wire(result).map_err(CallError::OutcomeUnknown)? {
                Answer::Complete(result) => Ok(result),
                Answer::InputRequired(_) | Answer::Task(_) => Err(lacks("result")),
            }
        }
        TaskStatus::Cancelled => {
            Err(unknown(Cause::Cancelled, "the server cancelled the task that it made of the call"))
        }
        TaskStatus::Working | TaskStatus::InputRequired => Err(lacks("end")),
    }
}

/// How often the server has asked for input.
struct Rounds<'c> {
    client: &'c McpClient,
    over: u32,
}

impl<'c> Rounds<'c> {
    fn new(client: &'c McpClient) -> Self {
        Self { client, over: 0 }
    }

    /// What the policy answers. `None`: the server asks for nothing, and wants the call again all the same.
    fn answer(&mut self, asked: InputRequired) -> Result<Option<Inputs>, CallError> {
        self.over += 1;
        let limit = self.client.rules().interim.max_input_rounds;
        if self.over > limit {
            let detail = format!(
                "the server asked for input more than {limit} times (limit max_input_rounds)"
            );
            return Err(unknown(Cause::InputRequired, detail));
        }
        let policy = self.client.rules().elicitation;
        let Some(requests) = asked.requests else { return Ok(None) };
        let answers = requests.into_iter().map(|(key, request)| {
            match policy.answer(&request.method, &request.params) {
                Some(answer) => Ok((key, answer)),
                None => Err(unknown(
                    Cause::InputRequired,
                    format!("the server wants {} in the middle of the call, which nobody here can answer", request.method),
                )),
            }
        });
        answers.collect::<Result<_, _>>().map(Some)
    }
}

/// The error of a later request of a call: its first was sent.
fn sent_before(error: CallError) -> CallError {
    match error {
        CallError::NotSent(failure) => CallError::OutcomeUnknown(failure),
        error => error,
    }
}

fn unknown(cause: Cause, detail: impl Into<String>) -> CallError {
    CallError::OutcomeUnknown(Failure::new(cause, detail))
}
