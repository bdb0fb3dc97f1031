//! The load that doesn't come from workflows: callers who go to the pool, and some of whom don't wait for the answer.

use std::sync::Arc;

use callgate::{CallError, ConnectionId, Outcome};
use tokio::time::{Instant, sleep, timeout};

use super::{plan::Planned, round::Round, settings::Spoil, told::Told};
use crate::dice::Dice;

/// Of a thousand calls, those whose callers leave.
const LEFT_PER_MILLE: u64 = 150;
/// Of a thousand calls, those that are spoilt.
const SPOILT_PER_MILLE: u64 = 20;

/// Calls until the round is over.
pub(super) async fn keep_calling(round: Arc<Round>, mut dice: Dice) {
    while !round.is_over() {
        call(&round, &mut dice).await;
        sleep(dice.millis(0..25) + round.calm()).await;
    }
}

async fn call(round: &Round, dice: &mut Dice) {
    let planned = Planned::draw(dice, &round.register);
    let id = ConnectionId::from(planned.line.id);
    let started_at = Instant::now();
    let calling = round.pool.call_tool(&id, planned.tool.name(), planned.json());
    let answer = match dice.happens(LEFT_PER_MILLE) {
        true => timeout(dice.millis(0..1000), calling).await.ok(),
        false => Some(calling.await),
    };
    let Some(answer) = answer else {
        return round.register.settle(planned.token, Told::GivenUp);
    };
    let told = Told::of(&answer);
    let cause = answer.as_ref().err().and_then(CallError::cause);
    round.note_answer(&planned, told, cause, started_at.elapsed());
    if let Ok(result) = &answer
        && result.outcome == Outcome::Ok
        && !planned
            .is_answered_by(&serde_json::from_str(result.output.as_str()).unwrap_or_default())
    {
        round.faults.note(format!("call {} was answered with {:?}", planned.token, result.output));
    }
    if round.settings.spoil == Some(Spoil::Silence) && dice.happens(SPOILT_PER_MILLE) {
        return;
    }
    round.register.settle(planned.token, told);
}
