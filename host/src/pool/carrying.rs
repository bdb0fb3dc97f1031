//! The carrying out of one call: a few attempts under one deadline, and one true answer.
//!
//! A call is made again at most once because it was not sent, and at most once because its outcome was unknown. So it is sent
//! to a server twice at most.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{
    Key, PooledConnection, SessionPool,
    recovery::{Carried, Replay, Unanswered, Witness},
};
use crate::{
    call::{CallError, Cause, Failure, ToolCall},
    session::{ArgumentCheck, Session, Trace},
};

/// One call on its way.
pub(super) struct Carrying<'p, W> {
    pool: &'p SessionPool,
    connection: &'p PooledConnection,
    key: Key,
    call: ToolCall,
    deadline: Instant,
    witness: Arc<W>,
    /// Over all attempts.
    queue_wait: Duration,
}

/// Why a call may be made again.
#[derive(Clone, Copy, PartialEq)]
enum Reason {
    /// Nothing was done, and there is another session to be had.
    NotSent,
    /// It may have been done, and may be done again.
    Replay,
}

/// One attempt and what came of it.
struct Attempt {
    answer: Carried,
    /// None: there was no session to be had.
    over: Option<(Session, Trace)>,
}

impl<'p, W: Witness> Carrying<'p, W> {
    pub(super) fn new(
        pool: &'p SessionPool,
        connection: &'p PooledConnection,
        key: Key,
        call: ToolCall,
        witness: Arc<W>,
    ) -> Self {
        let deadline = Instant::now() + connection.options.limits.call_timeout;
        Self { pool, connection, key, call, deadline, witness, queue_wait: Duration::ZERO }
    }

    /// Makes the call, and makes it again where that is allowed.
    pub(super) async fn run(mut self) -> (Carried, Option<Trace>) {
        let mut attempt = self.attempt().await;
        let mut reason = self.reason_to_repeat(&attempt);
        let mut used = Vec::new();
        while let Some(now) = reason.filter(|reason| !used.contains(reason)) {
            used.push(now);
            let next = self.attempt().await;
            reason = self.reason_to_repeat(&next);
            attempt = conclude(attempt, next);
        }
        let trace = attempt.over.map(|(_, trace)| Trace { queue_wait: self.queue_wait, ..trace });
        (attempt.answer, trace)
    }

    async fn attempt(&mut self) -> Attempt {
        let waiting_since = Instant::now();
        let session = self.pool.session_until(&self.key, self.connection, self.deadline).await;
        self.queue_wait += waiting_since.elapsed();
        let session = match session {
            Ok(session) => session,
            Err(error) => return Attempt { answer: Err(Unanswered::Failed(error)), over: None },
        };
        self.witness.is_handed_over();
        let (witness, check) = (self.witness.clone(), self.argument_check());
        let ToolCall { tool, arguments, .. } = self.call.clone();
        let (answer, trace) = session
            .call_tool_traced(tool, arguments, check, self.deadline, move |epoch| {
                witness.sees(epoch)
            })
            .await;
        self.queue_wait += trace.queue_wait;
        if matches!(answer, Err(CallError::NotSent(_) | CallError::Refused(_))) {
            self.witness.did_not_use();
        }
        let answer = match answer {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(loss)) => {
                let failure = Failure::new(Cause::SessionStopped, loss.to_string());
                Err(Unanswered::SessionLost { loss, truth: CallError::NotSent(failure) })
            }
            Err(error) => Err(Unanswered::Failed(error)),
        };
        Attempt { answer, over: Some((session, trace)) }
    }

    /// What the maker of the call and the configuration both want.
    fn argument_check(&self) -> ArgumentCheck {
        match self.witness.checks_arguments() && self.connection.options.checks_arguments {
            true => ArgumentCheck::Made,
            false => ArgumentCheck::Skipped,
        }
    }

    /// The safety rule of the whole host: what may have happened happens again only if it may.
    fn reason_to_repeat(&self, attempt: &Attempt) -> Option<Reason> {
        let Attempt { answer: Err(Unanswered::Failed(error)), over: Some((session, _)) } = attempt
        else {
            return None;
        };
        if Instant::now() >= self.deadline {
            return None;
        }
        let end = session.end();
        match error {
            CallError::NotSent(_) => {
                end.is_some_and(|end| end.is_loss()).then_some(Reason::NotSent)
            }
            // Over HTTP an exchange may break and its session live on: then there is no end.
            CallError::OutcomeUnknown(failure) if failure.cause == Cause::SessionStopped => {
                let may = end.is_none_or(|end| end.is_loss()) && self.may_happen_twice(session);
                may.then_some(Reason::Replay)
            }
            CallError::OutcomeUnknown(_) | CallError::Refused(_) | CallError::Rejected(_) => None,
        }
    }

    fn may_happen_twice(&self, session: &Session) -> bool {
        match self.connection.recovery.replay {
            Replay::Never => false,
            // The word of the server that may have carried it out.
            Replay::Annotated => session.catalogue().is_repeatable(&self.call.tool),
            Replay::Always => true,
        }
    }
}

/// What is true after another attempt. A result of it counts; without one, nobody may say less than that an earlier attempt
/// may have been carried out.
fn conclude(first: Attempt, second: Attempt) -> Attempt {
    let Err(Unanswered::Failed(CallError::OutcomeUnknown(unknown))) = &first.answer else {
        return second;
    };
    let still_unknown = |again: &CallError| {
        let detail = format!("{}; made once more: {again}", unknown.detail);
        CallError::OutcomeUnknown(Failure::new(unknown.cause, detail))
    };
    let answer = match second.answer {
        Ok(result) => return Attempt { answer: Ok(result), over: second.over },
        Err(Unanswered::Failed(error)) => Err(Unanswered::Failed(still_unknown(&error))),
        Err(Unanswered::SessionLost { loss, truth }) => {
            let truth = still_unknown(&truth);
            Err(Unanswered::SessionLost { loss, truth })
        }
    };
    Attempt { answer, over: first.over }
}
