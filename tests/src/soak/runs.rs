//! The load that comes from workflows: one run after the other, all of the same component.

use std::{sync::Arc, time::Duration};

use callgate::{Grants, OnSessionLoss, Run, RunLimits, RunOutcome, RunReport, Stopped, Workflow};
use tokio::time::{sleep, timeout};

use super::{
    plan::Plan,
    round::Round,
    run_report::{self, Terms},
    told::Told,
};
use crate::dice::Dice;

/// Longer than any plan takes.
const AMPLE: Duration = Duration::from_secs(60);

/// Of a thousand runs.
const HURRIED_PER_MILLE: u64 = 120;
const DROPPED_PER_MILLE: u64 = 80;
const LENIENT_PER_MILLE: u64 = 400;

/// Runs until the round is over.
pub(super) async fn keep_running(round: Arc<Round>, workflow: Workflow, mut dice: Dice) {
    while !round.is_over() {
        run(&round, &workflow, &mut dice).await;
        sleep(dice.millis(0..40) + round.calm()).await;
    }
}

async fn run(round: &Round, workflow: &Workflow, dice: &mut Dice) {
    let plan = Plan::draw(dice, &round.register);
    let is_hurried = dice.happens(HURRIED_PER_MILLE);
    let mut limits = RunLimits::default();
    limits.wall_clock = if is_hurried { dice.millis(50..1500) } else { AMPLE };
    let on_session_loss = dice.happens(LENIENT_PER_MILLE).then_some(OnSessionLoss::Continue);
    let slack = round.settings.slack;
    let terms = Terms { limits, is_hurried, on_session_loss, slack };

    let mut run =
        Run::new(workflow, &round.pool).limits(terms.limits.clone()).grants(Grants::all());
    if let Some(on_session_loss) = on_session_loss {
        run = run.on_session_loss(on_session_loss);
    }
    let running = Box::pin(run.start(plan.input()));
    let report = match dice.happens(DROPPED_PER_MILLE) {
        true => timeout(dice.millis(10..1500), running).await.ok(),
        false => Some(running.await),
    };
    match report {
        Some(report) => settle(round, &plan, &report, &terms),
        None => {
            // Nobody says which calls had been made.
            plan.calls().for_each(|call| round.register.settle(call.token, Told::GivenUp));
            round.figures().run("dropped by the one who started it");
        }
    }
}

fn settle(round: &Round, plan: &Plan, report: &RunReport, terms: &Terms) {
    let findings = run_report::read(plan, report, terms);
    round.faults.note_all(findings.faults);
    for (call, told) in plan.calls().zip(findings.told) {
        round.register.settle(call.token, told);
    }
    for (call, entry) in plan.calls().zip(&report.calls) {
        round.figures().highest_epoch(entry.session_epoch);
        if let Some(told) = Told::of_entry(entry.outcome)
            && told != Told::GivenUp
        {
            round.note_answer(call, told, entry.cause, entry.duration);
        }
    }
    round.figures().run(match report.outcome {
        RunOutcome::Done(_) => "came to their end",
        RunOutcome::Stopped(Stopped::SessionLost { .. }) => "ended for a session that was lost",
        RunOutcome::Stopped(Stopped::Limit(_)) => "out of time",
        _ => "ended in another way",
    });
}
