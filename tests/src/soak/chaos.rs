//! What befalls the servers of a round from outside: they are killed, stalled and started again.

use std::{sync::Arc, time::Duration};

use rustix::process::Signal;
use tokio::{task::JoinSet, time::sleep};

use super::{
    http_host::HttpHost,
    processes::{Process, marked},
    round::Round,
};
use crate::dice::Dice;

/// Goes on until the round is over, and gives the HTTP servers back.
pub(super) async fn rage(
    round: Arc<Round>,
    mut dice: Dice,
    mut hosts: Vec<HttpHost>,
) -> Vec<HttpHost> {
    // Those that are still stalled at the end stay so: closing has to cope with it.
    let mut stalled = JoinSet::new();
    while !round.is_over() {
        sleep(dice.millis(50..600)).await;
        match dice.between(0..10) {
            0..5 => kill(&round, &mut dice, &hosts),
            5..8 => stall(&round, &mut dice, &mut stalled),
            _ => restart(&round, &mut dice, &mut hosts).await,
        }
    }
    hosts
}

fn kill(round: &Round, dice: &mut Dice, hosts: &[HttpHost]) {
    let is_host = |process: &Process| {
        hosts.iter().filter_map(HttpHost::process).any(|host| host.pid == process.pid)
    };
    let mut servers = servers(round);
    servers.retain(|process| !is_host(process));
    if !servers.is_empty() && dice.pick(&servers).signal(Signal::KILL) {
        round.figures().kills += 1;
    }
}

fn stall(round: &Arc<Round>, dice: &mut Dice, stalled: &mut JoinSet<()>) {
    let mut servers = servers(round);
    if servers.is_empty() {
        return;
    }
    let process = servers.swap_remove(dice.index(servers.len()));
    if !process.signal(Signal::STOP) {
        return;
    }
    round.figures().stalls += 1;
    let pause = dice.millis(50..2500);
    let mark = round.mark.clone();
    stalled.spawn(async move {
        sleep(pause).await;
        // It may have been killed meanwhile, and its number given to somebody else.
        if marked(&mark).any(|other| other.pid == process.pid) {
            process.signal(Signal::CONT);
        }
    });
}

async fn restart(round: &Round, dice: &mut Dice, hosts: &mut [HttpHost]) {
    let at = dice.index(hosts.len());
    let pause = if dice.happens(500) { Duration::ZERO } else { dice.millis(0..500) };
    match hosts[at].restart(pause).await {
        Ok(()) => round.figures().restarts += 1,
        Err(error) => round.faults.note(format!("the soak's own HTTP server: {error}")),
    }
}

/// The servers, without shells and helpers.
fn servers(round: &Round) -> Vec<Process> {
    marked(&round.mark).filter(|process| process.name == "soak-server").collect()
}
