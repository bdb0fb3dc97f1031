//! Calls that are about to be made: one by one, or as the input of a run.

use callgate::Json;
use serde_json::{Value, json};

use super::{
    line::{LINES, Line, Server, Tool},
    register::Register,
};
use crate::dice::Dice;

/// One call, issued and not made yet.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) line: &'static Line,
    pub(super) tool: Tool,
    pub(super) token: u64,
    /// A JSON object.
    pub(super) arguments: String,
}

/// The calls of one run.
#[derive(Debug)]
pub(super) struct Plan(Vec<Step>);

/// Calls that are made at once. Those are given up that have no answer when `wanted` others have one.
#[derive(Debug)]
struct Step {
    calls: Vec<Planned>,
    wanted: usize,
}

/// Of a thousand calls, those over a connection that is no use.
const ASTRAY_PER_MILLE: u64 = 80;
/// Of a thousand calls, those with more arguments than a pipe holds.
const LARGE_PER_MILLE: u64 = 10;

impl Planned {
    pub(super) fn draw(dice: &mut Dice, register: &Register) -> Self {
        let goes_astray = dice.happens(ASTRAY_PER_MILLE);
        let is_no_use = |line: &&Line| matches!(line.server, Server::Broken | Server::Absent);
        let lines: Vec<&'static Line> =
            LINES.iter().filter(|line| is_no_use(line) == goes_astray).collect();
        let line = *dice.pick(&lines);
        let tool = *dice.pick(&Tool::DRAWN);
        let token = register.issue(line, tool);
        let hold = match tool {
            Tool::Slow => dice.between(5..400),
            _ if dice.happens(100) => dice.between(1..30),
            _ => 0,
        };
        let pad = match dice.happens(LARGE_PER_MILLE) {
            true => dice.between(70_000..300_000),
            false => dice.between(0..200),
        };
        let arguments =
            json!({"token": token, "hold_ms": hold, "pad": ".".repeat(pad as usize)}).to_string();
        Self { line, tool, token, arguments }
    }

    pub(super) fn json(&self) -> Json {
        Json::from_text(self.arguments.clone()).expect("it was made of JSON")
    }

    /// Whether an output is that of this call and of no other.
    pub(super) fn is_answered_by(&self, output: &Value) -> bool {
        output["token"].as_u64() == Some(self.token)
    }
}

impl Plan {
    pub(super) fn draw(dice: &mut Dice, register: &Register) -> Self {
        let steps = 0..dice.between(1..7);
        Self(steps.map(|_| Step::draw(dice, register)).collect())
    }

    /// For the guest `calls_in_steps`.
    pub(super) fn input(&self) -> Json {
        let steps: Vec<String> = self.0.iter().map(Step::json).collect();
        Json::from_text(format!("[{}]", steps.join(","))).expect("it was made of JSON")
    }

    /// In the order in which they are made.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Planned> {
        self.0.iter().flat_map(|step| &step.calls)
    }
}

impl Step {
    fn draw(dice: &mut Dice, register: &Register) -> Self {
        let calls = 0..dice.between(1..9);
        let calls: Vec<Planned> = calls.map(|_| Planned::draw(dice, register)).collect();
        let wanted = match dice.happens(200) {
            true => 1 + dice.index(calls.len()),
            false => calls.len(),
        };
        Self { calls, wanted }
    }

    fn json(&self) -> String {
        let call = |call: &Planned| {
            let (id, tool, arguments) = (call.line.id, call.tool.name(), &call.arguments);
            format!(r#"{{"connection":"{id}","tool":"{tool}","arguments":{arguments}}}"#)
        };
        let calls: Vec<String> = self.calls.iter().map(call).collect();
        format!(r#"{{"calls":[{}],"wanted":{}}}"#, calls.join(","), self.wanted)
    }
}
