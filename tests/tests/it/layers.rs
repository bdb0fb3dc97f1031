//! The library of middleware: each layer alone and in stacks, between a real workflow and answers without a server.

mod alone;
mod c;
mod javascript;
mod python;
mod refused;
mod stacks;
mod transparent;
mod wac;

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use callgate::{
    CallError, Cause, CompositionLimits, Engine, EngineOptions, Failure, Grants, Json, Layer,
    Outcome, Run, RunOutcome, RunReport, SessionPool, SettingsText, Stack, ToolCall,
    ToolCallResult, Workflow,
};
use futures::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};
use wit_parser::decoding::{DecodedWasm, decode};

use crate::run::input;

/// What a call is answered with.
type Answer = Result<ToolCallResult, CallError>;

/// What reached the end of the stack, in the order in which it came.
#[derive(Clone, Default)]
struct Reached(Arc<Mutex<Vec<ToolCall>>>);

impl Reached {
    /// Each call as `CONNECTION/TOOL ARGUMENTS`.
    fn calls(&self) -> Vec<String> {
        let calls = self.0.lock().unwrap();
        let told = |call: &ToolCall| {
            format!("{}/{} {}", call.connection, call.tool, call.arguments.as_str())
        };
        calls.iter().map(told).collect()
    }

    fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

fn done(output: &Value) -> Answer {
    let output = Json::from_text(output.to_string()).unwrap();
    Ok(ToolCallResult { outcome: Outcome::Ok, output, content: Vec::new(), meta: None })
}

fn not_sent() -> Answer {
    Err(CallError::NotSent(Failure::new(Cause::SessionStopped, "it went away")))
}

/// A layer of the component at `path`, named after its file.
/// After a while: the first call is lost, the others are answered with their own arguments.
fn echoed_but_first(wait: Duration, number: usize, call: &ToolCall) -> BoxFuture<'static, Answer> {
    let arguments: Value = serde_json::from_str(call.arguments.as_str()).unwrap();
    async move {
        tokio::time::sleep(wait).await;
        if number == 1 { not_sent() } else { done(&arguments) }
    }
    .boxed()
}

fn layer(path: &str, settings: Value) -> Layer {
    try_layer(path, Some(settings)).unwrap()
}

fn plain_layer(path: &str) -> Layer {
    try_layer(path, None).unwrap()
}

fn try_layer(path: &str, settings: Option<Value>) -> Result<Layer, callgate::ComposeError> {
    let name = Path::new(path).file_stem().unwrap().to_str().unwrap();
    let settings = settings.map(|settings| SettingsText::from_value("settings.json", &settings));
    Layer::new(name, fs::read(path).unwrap(), settings, &CompositionLimits::default())
}

fn stack(flow: &str, layers: Vec<Layer>) -> Vec<u8> {
    let stack = Stack::new(fs::read(flow).unwrap(), layers, &CompositionLimits::default());
    stack.unwrap().compose().unwrap()
}

/// The names of what a component imports. Without `Workflow::check`, which compiles it: that is slow with a whole interpreter inside.
fn imports(component: &[u8]) -> Vec<String> {
    let DecodedWasm::Component(resolve, world) = decode(component).unwrap() else {
        panic!("it isn't a component")
    };
    resolve.worlds[world].imports.keys().map(|key| resolve.name_world_key(key)).collect()
}

fn compiled(component: &[u8]) -> Workflow {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    Workflow::from_bytes(ENGINE.get_or_init(|| Engine::new().unwrap()), component).unwrap()
}

/// As [`compiled`], for one with an interpreter inside, which takes a debug build long: it is compiled once for all runs of the tests.
fn compiled_once(component: &[u8]) -> Workflow {
    let mut options = EngineOptions::default();
    options.cache = Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled"));
    Workflow::from_bytes(&Engine::with(options).unwrap(), component).unwrap()
}

/// Runs a workflow whose calls are answered by `answer`, which gets the number of the call, from 1, and the call.
async fn run_answered<F>(workflow: &Workflow, given: &Value, answer: F) -> (RunReport, Reached)
where
    F: Fn(usize, &ToolCall) -> BoxFuture<'static, Answer> + Send + Sync + 'static,
{
    let reached = Reached::default();
    let noted = reached.clone();
    let pool = SessionPool::answered_by(move |call| {
        let number = {
            let mut calls = noted.0.lock().unwrap();
            calls.push(call.clone());
            calls.len()
        };
        answer(number, &call)
    });
    let report = Run::new(workflow, &pool).grants(Grants::all()).start(input(given)).await;
    (report, reached)
}

/// As [`run_answered`], with layers, and answers that come at once.
async fn run_through<F>(flow: &str, layers: Vec<Layer>, given: Value, answer: F) -> (Value, Reached)
where
    F: Fn(usize, &ToolCall) -> Answer + Send + Sync + 'static,
{
    let workflow = compiled(&stack(flow, layers));
    let answer = move |number, call: &ToolCall| {
        let answer = answer(number, call);
        async { answer }.boxed()
    };
    let (report, reached) = run_answered(&workflow, &given, answer).await;
    (output(&report), reached)
}

fn output(report: &RunReport) -> Value {
    let RunOutcome::Done(output) = &report.outcome else { panic!("{report:?}") };
    serde_json::from_str(output.as_str()).unwrap()
}

/// The input of `many_calls`: this many of one call.
fn many(tool: &str, count: usize, at_once: bool) -> Value {
    let (connection, tool) = tool.split_once('/').unwrap();
    json!({"connection": connection, "tool": tool, "arguments": {"n": 1}, "count": count, "at_once": at_once})
}

/// The input of `one_call`, and one element of that of `calls_at_once`.
fn one(tool: &str, arguments: Value) -> Value {
    let (connection, tool) = tool.split_once('/').unwrap();
    json!({"connection": connection, "tool": tool, "arguments": arguments})
}

/// The kind of what each call of a workflow heard: `ok`, or the case of the error.
fn kinds(heard: &Value) -> Vec<String> {
    let kind = |heard: &Value| match heard.get("Err") {
        Some(Value::Object(error)) => error.keys().next().unwrap().clone(),
        Some(other) => other.to_string(),
        None => "ok".to_owned(),
    };
    heard.as_array().unwrap().iter().map(kind).collect()
}
