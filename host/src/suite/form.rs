//! The form of a suite as it is written. The schema beside this file has checked it before.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::SuiteLayer;
use crate::{
    call::{
        CallError, Cause, Failure, Json, Outcome, Refusal, RefusalReason, RpcError, ToolCallResult,
    },
    run::VirtualWorld,
};

#[derive(Deserialize, Debug)]
pub(super) struct Form {
    pub(super) workflow: String,
    #[serde(default)]
    pub(super) with: Vec<Layer>,
    #[serde(flatten)]
    pub(super) world: World,
    pub(super) cases: Vec<Case>,
}

/// What runs see of chance and time, where it is said.
#[derive(Deserialize, Debug)]
pub(super) struct World {
    seed: Option<u64>,
    clock_ms: Option<u64>,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub(super) enum Layer {
    Named(String),
    Set { middleware: String, settings: Option<Value> },
}

#[derive(Deserialize, Debug)]
pub(super) struct Case {
    pub(super) name: String,
    #[serde(default)]
    pub(super) input: Value,
    #[serde(default)]
    pub(super) calls: Vec<Row>,
    #[serde(default)]
    pub(super) in_order: bool,
    pub(super) timeout_ms: Option<u64>,
    #[serde(flatten)]
    pub(super) world: World,
    pub(super) expect: Expected,
}

/// One row of the table: a call that is expected, and what it hears.
#[derive(Deserialize, Clone, Debug)]
pub(super) struct Row {
    pub(super) tool: String,
    pub(super) arguments: Option<Map<String, Value>>,
    pub(super) arguments_include: Option<Map<String, Value>>,
    #[serde(default)]
    pub(super) times: Times,
    #[serde(default)]
    pub(super) delay_ms: u64,
    pub(super) answer: Answer,
}

/// How often a row is used.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(untagged)]
pub(super) enum Times {
    Exactly(u64),
    Any(AnyNumber),
}

#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AnyNumber {
    Any,
}

impl Default for Times {
    fn default() -> Self {
        Self::Exactly(1)
    }
}

#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    Output(Value),
    ToolError(Value),
    Refused(RefusalForm),
    NotSent(FailureForm),
    Rejected(RpcErrorForm),
    OutcomeUnknown(FailureForm),
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct RefusalForm {
    reason: RefusalReason,
    #[serde(default)]
    detail: String,
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct FailureForm {
    cause: Cause,
    #[serde(default)]
    detail: String,
}

#[derive(Deserialize, Clone, Debug)]
pub(super) struct RpcErrorForm {
    code: i64,
    message: String,
    data: Option<Value>,
}

/// How a run should end.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub(super) enum Expected {
    Output(Value),
    OutputIncludes(Value),
    Failure(Value),
    Stopped(String),
}

impl World {
    /// What is said here, or else there, or else what every run sees.
    pub(super) fn or(&self, elsewhere: &Self) -> VirtualWorld {
        let usual = VirtualWorld::default();
        let clock = self.clock_ms.or(elsewhere.clock_ms).map(Duration::from_millis);
        VirtualWorld {
            seed: self.seed.or(elsewhere.seed).unwrap_or(usual.seed),
            clock: clock.unwrap_or(usual.clock),
        }
    }
}

impl Layer {
    pub(super) fn to_suite_layer(&self) -> SuiteLayer {
        let (middleware, settings) = match self {
            Self::Named(middleware) => (middleware, None),
            Self::Set { middleware, settings } => (middleware, settings.clone()),
        };
        SuiteLayer { middleware: middleware.clone(), settings }
    }
}

impl Row {
    /// Connection and tool.
    pub(super) fn names(&self) -> (&str, &str) {
        self.tool.split_once('/').unwrap_or((&self.tool, ""))
    }
}

impl Answer {
    pub(super) fn give(&self) -> Result<ToolCallResult, CallError> {
        match self.clone() {
            Self::Output(output) => Ok(result(Outcome::Ok, &output)),
            Self::ToolError(output) => Ok(result(Outcome::Error, &output)),
            Self::Refused(RefusalForm { reason, detail }) => {
                Err(CallError::Refused(Refusal { reason, detail }))
            }
            Self::NotSent(failure) => Err(CallError::NotSent(failure.into())),
            Self::OutcomeUnknown(failure) => Err(CallError::OutcomeUnknown(failure.into())),
            Self::Rejected(RpcErrorForm { code, message, data }) => {
                let data = data.as_ref().map(Json::from_value);
                Err(CallError::Rejected(RpcError { code, message, data }))
            }
        }
    }
}

fn result(outcome: Outcome, output: &Value) -> ToolCallResult {
    ToolCallResult { outcome, output: Json::from_value(output), content: Vec::new(), meta: None }
}

impl From<FailureForm> for Failure {
    fn from(FailureForm { cause, detail }: FailureForm) -> Self {
        Self { cause, detail }
    }
}

impl Expected {
    /// The end in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Output(_) | Self::OutputIncludes(_) => "the output",
            Self::Failure(_) => "the failure",
            Self::Stopped(_) => "the stop",
        }
    }
}
