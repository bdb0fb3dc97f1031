//! Which sessions a run has used, so that none is replaced without its knowing.

use std::collections::{BTreeSet, HashMap};

use crate::{
    call::ConnectionId,
    pool::{OnSessionLoss, SessionLoss},
};

/// The sessions of one run by connection, and those that it lost.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    used: HashMap<ConnectionId, Used>,
    losses: Vec<SessionLoss>,
}

/// The last session of one connection.
#[derive(Debug)]
struct Used {
    epoch: u64,
    /// The calls that went over it. As long as there is none, there is nothing to lose.
    calls: BTreeSet<u64>,
}

impl Sessions {
    /// A call is about to go over the session with this epoch.
    ///
    /// # Errors
    ///
    /// When the run had used an earlier one, and isn't to go on then.
    pub(super) fn see(
        &mut self,
        connection: &ConnectionId,
        epoch: u64,
        call: u64,
        on_loss: OnSessionLoss,
    ) -> Result<(), SessionLoss> {
        let used = self
            .used
            .entry(connection.clone())
            .or_insert_with(|| Used { epoch, calls: BTreeSet::new() });
        // A session that has been replaced may still look at its queue once; it sends nothing any more.
        if epoch < used.epoch {
            return Ok(());
        }
        let from = used.epoch;
        if epoch > from && !used.calls.is_empty() {
            let loss = SessionLoss { connection: connection.clone(), from, to: epoch, call };
            if on_loss == OnSessionLoss::Fail {
                self.record(loss.clone());
                return Err(loss);
            }
            used.calls.clear();
            self.losses.push(loss);
        }
        used.epoch = epoch;
        used.calls.insert(call);
        Ok(())
    }

    /// The call was not carried out there after all.
    pub(super) fn forget(&mut self, connection: &ConnectionId, call: u64) {
        if let Some(used) = self.used.get_mut(connection) {
            used.calls.remove(&call);
        }
    }

    pub(super) fn losses(&self) -> &[SessionLoss] {
        &self.losses
    }

    /// Calls that overlap may come upon one loss together before the run ends.
    fn record(&mut self, loss: SessionLoss) {
        let is_known = self.losses.iter().any(|known| {
            known.connection == loss.connection && (known.from, known.to) == (loss.from, loss.to)
        });
        if !is_known {
            self.losses.push(loss);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTINUE: OnSessionLoss = OnSessionLoss::Continue;

    fn epochs(sessions: &Sessions) -> Vec<(u64, u64, u64)> {
        sessions.losses().iter().map(|loss| (loss.from, loss.to, loss.call)).collect()
    }

    #[test]
    fn a_change_before_the_first_call_is_no_loss_and_each_later_one_is() {
        let (mut sessions, files) = (Sessions::default(), ConnectionId::from("files"));

        for (call, epoch) in [(1, 3), (2, 3), (3, 4), (4, 4), (5, 6)] {
            sessions.see(&files, epoch, call, CONTINUE).unwrap();
        }
        sessions.see(&ConnectionId::from("other"), 9, 6, CONTINUE).unwrap();

        assert_eq!(epochs(&sessions), [(3, 4, 3), (4, 6, 5)]);
    }

    #[test]
    fn a_session_that_carried_nothing_out_can_not_be_lost() {
        let (mut sessions, files) = (Sessions::default(), ConnectionId::from("files"));

        sessions.see(&files, 1, 1, OnSessionLoss::Fail).unwrap();
        sessions.forget(&files, 1);
        sessions.see(&files, 2, 1, OnSessionLoss::Fail).unwrap();

        assert_eq!(epochs(&sessions), []);
    }

    #[test]
    fn after_a_loss_that_ends_the_run_no_call_gets_through() {
        let (mut sessions, files) = (Sessions::default(), ConnectionId::from("files"));
        sessions.see(&files, 1, 1, OnSessionLoss::Fail).unwrap();

        for call in [2, 3] {
            sessions.see(&files, 2, call, OnSessionLoss::Fail).unwrap_err();
        }

        assert_eq!(epochs(&sessions), [(1, 2, 2)]);
    }
}
