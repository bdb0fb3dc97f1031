//! The report of a run against what the run was given and what its workflow says: all three have to agree.

use std::{collections::BTreeSet, time::Duration};

use callgate::{Ending, Entry, OnSessionLoss, RunLimits, RunOutcome, RunReport, Stopped};
use serde_json::Value;

use super::{
    line::{LINES, Line},
    plan::{Plan, Planned},
    told::Told,
};

/// How often a call is handed to a session at most: again because it was not sent, and again because that is harmless.
const MOST_ATTEMPTS: u32 = 3;

/// What was asked of a run.
#[derive(Debug)]
pub(super) struct Terms {
    pub(super) limits: RunLimits,
    /// Whether the time may be too short for the run.
    pub(super) is_hurried: bool,
    pub(super) on_session_loss: Option<OnSessionLoss>,
    pub(super) slack: Duration,
}

/// What comes of reading a report.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// In the order of the plan.
    pub(super) told: Vec<Told>,
    pub(super) faults: Vec<String>,
}

/// Reads a report. Faults in it are found here; whether the calls were carried out is for the accounts.
pub(super) fn read(plan: &Plan, report: &RunReport, terms: &Terms) -> Findings {
    let mut findings = Findings::default();
    let planned: Vec<&Planned> = plan.calls().collect();
    let heard = heard(report, planned.len(), &mut findings.faults);
    if report.calls.len() > planned.len() {
        findings.faults.push("a run made more calls than it was told to".to_owned());
    }
    for (at, call) in planned.iter().enumerate() {
        let told = match report.calls.get(at) {
            None => Told::NeverMade,
            Some(entry) => {
                findings.faults.extend(entry_faults(at, call, entry));
                what_was_told(call, entry, heard.get(at), &mut findings.faults)
            }
        };
        findings.told.push(told);
    }
    findings.faults.extend(LINES.iter().filter_map(|line| session_fault(line, report, terms)));
    findings.faults.extend(end_fault(report, terms));
    findings
}

/// What the workflow says that each of its calls heard; `null` where it gave one up. Empty if it didn't come to its end.
fn heard(report: &RunReport, planned: usize, faults: &mut Vec<String>) -> Vec<Value> {
    let RunOutcome::Done(output) = &report.outcome else { return Vec::new() };
    let steps: Vec<Vec<Value>> = serde_json::from_str(output.as_str()).unwrap_or_default();
    let heard = steps.concat();
    if heard.len() != planned || report.calls.len() != planned {
        faults.push(format!(
            "a run had {planned} calls to make, its report has {}, its workflow {}",
            report.calls.len(),
            heard.len()
        ));
    }
    heard
}

fn entry_faults(at: usize, call: &Planned, entry: &Entry) -> Option<String> {
    let Planned { line, tool, arguments, .. } = call;
    let is_same = entry.sequence == at as u64 + 1
        && entry.connection == line.id
        && entry.tool == tool.name()
        && entry.argument_bytes == arguments.len();
    let is_tried = match entry.outcome {
        Ending::Ok | Ending::Error | Ending::Rejected => {
            (1..=MOST_ATTEMPTS).contains(&entry.attempts)
        }
        Ending::Refused => entry.attempts == 0,
        _ => entry.attempts <= MOST_ATTEMPTS,
    };
    (!is_same || !is_tried).then(|| format!("call {} has the entry {entry:?}", call.token))
}

fn what_was_told(
    call: &Planned,
    entry: &Entry,
    heard: Option<&Value>,
    faults: &mut Vec<String>,
) -> Told {
    let written = Told::of_entry(entry.outcome);
    let said = heard.filter(|heard| !heard.is_null());
    let told = match said {
        None => written,
        Some(said) => {
            Told::of_guest(said).filter(|said| written.is_some_and(|it| it.is_like(*said)))
        }
    };
    if let Some(output) = said.and_then(|said| said.get("Ok"))
        && !call.is_answered_by(output)
    {
        faults.push(format!("call {} was answered with {output}", call.token));
    }
    told.unwrap_or_else(|| {
        faults.push(format!("call {} heard {said:?}, and its entry is {entry:?}", call.token));
        Told::GivenUp
    })
}

/// A run learns of each session that it lost, or ends.
fn session_fault(line: &Line, report: &RunReport, terms: &Terms) -> Option<String> {
    let answered = report.calls.iter().filter(|entry| {
        entry.connection == line.id
            && matches!(entry.outcome, Ending::Ok | Ending::Error | Ending::Rejected)
    });
    let epochs: BTreeSet<u64> = answered.filter_map(|entry| entry.session_epoch).collect();
    let mut losses =
        report.session_losses.iter().filter(|loss| loss.connection.as_str() == line.id);
    let is_told = match terms.on_session_loss.unwrap_or(line.on_session_loss) {
        OnSessionLoss::Fail => epochs.len() <= 1,
        OnSessionLoss::Continue => epochs.len() <= 1 || losses.clone().next().is_some(),
    };
    let is_forward = losses.all(|loss| loss.from < loss.to);
    (!is_told || !is_forward).then(|| {
        format!(
            "over {} a run went through the sessions {epochs:?}, and its losses are {:?}",
            line.id, report.session_losses
        )
    })
}

/// A run ends as it says itself, or for a reason that there was.
fn end_fault(report: &RunReport, terms: &Terms) -> Option<String> {
    let may_fail = |id: &str| {
        let line = LINES.iter().find(|line| line.id == id);
        let configured = line.is_some_and(|line| line.on_session_loss == OnSessionLoss::Fail);
        terms.on_session_loss.map_or(configured, |policy| policy == OnSessionLoss::Fail)
    };
    let is_possible = match &report.outcome {
        RunOutcome::Done(_) => true,
        RunOutcome::Stopped(Stopped::Limit(limit)) => {
            terms.is_hurried && limit.limit == "wall_clock"
        }
        RunOutcome::Stopped(Stopped::SessionLost { loss, .. }) => {
            may_fail(loss.connection.as_str())
        }
        _ => false,
    };
    if !is_possible {
        return Some(format!("a run ended with {:?}", report.outcome));
    }
    let over = report.duration.saturating_sub(terms.limits.wall_clock);
    (over > terms.slack).then(|| format!("a run ended {over:?} after its time"))
}
