//! What passes between the MCP client and the wire under it, beside the messages themselves.
//!
//! rmcp parses every answer into its own types, which loses what it doesn't know, and drops frames that it can't parse,
//! which leaves the caller waiting. So a tool call travels with a [`WireCall`]: the transport takes the arguments from it
//! as they were written, says through it whether anything was sent, and leaves the answer in it as the server wrote it.
//! How a transport moves bytes is in [`stdio`] and [`http`].

pub(crate) mod framing;
pub(crate) mod http;
pub(crate) mod process;
pub(crate) mod stdio;

use std::sync::{
    Arc, Mutex, OnceLock, PoisonError,
    atomic::{AtomicU8, Ordering},
};

use rmcp::model::ProgressToken;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    call::{Failure, Json, RpcError},
    session::story::Obstacle,
};

/// How far one operation has come, seen from the wire: the one place where "was it sent?" is decided.
///
/// The transport and the caller race for it when a deadline passes; whoever changes it first is right.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phase(Arc<AtomicU8>);

const QUEUED: u8 = 0;
const SENT: u8 = 1;
const ABANDONED: u8 = 2;

impl Phase {
    /// Before the first byte is written, because from there on nobody may say "not sent". `false`: the caller has gone,
    /// don't write.
    pub(crate) fn begin_sending(&self) -> bool {
        match self.0.compare_exchange(QUEUED, SENT, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(phase) => phase == SENT,
        }
    }

    /// Not a byte of the frame was taken after all, so "not sent" is true again. Only the transport may say so.
    pub(crate) fn retract(&self) {
        let _nothing_to_take_back_otherwise =
            self.0.compare_exchange(SENT, QUEUED, Ordering::AcqRel, Ordering::Acquire);
    }

    /// The caller gives up. `true`: nothing was sent, and nothing will be.
    pub(crate) fn abandon(&self) -> bool {
        match self.0.compare_exchange(QUEUED, ABANDONED, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => true,
            Err(phase) => phase == ABANDONED,
        }
    }

    /// The server says that it refused the request before it executed anything: from here on "not sent" is the truth.
    pub(crate) fn refuse(&self) {
        self.0.store(ABANDONED, Ordering::Release);
    }

    pub(crate) fn is_sent(&self) -> bool {
        self.0.load(Ordering::Acquire) == SENT
    }

    pub(crate) fn is_abandoned(&self) -> bool {
        self.0.load(Ordering::Acquire) == ABANDONED
    }
}

/// The answer to one request, as the wire brought it.
#[derive(Debug)]
pub(crate) enum WireAnswer {
    /// The member `result`, byte for byte.
    Result(Box<RawValue>),
    /// The member `error`.
    Error(RpcError),
    /// An answer came or the exchange ended, and there is no result in it: what was wrong. The request was sent.
    Fault(Failure),
    /// Nothing was executed: the request never left, or the server refused it before it looked at the call.
    NotSent(Failure),
}

/// What travels with a `tools/call` request in its extensions, out to the transport and back.
#[derive(Clone, Debug)]
pub(crate) struct WireCall(Arc<WireCallInner>);

#[derive(Debug)]
struct WireCallInner {
    arguments: Json,
    phase: Phase,
    /// What the server's notifications of progress are about, once that is known.
    progress_token: OnceLock<ProgressToken>,
    /// The transport wakes the caller through it: the server works on the call.
    progress: Notify,
    answer: OnceLock<WireAnswer>,
}

/// A notification of progress, read no further than what it is about.
#[derive(Deserialize)]
struct Progress {
    params: ProgressParams,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProgressParams {
    progress_token: ProgressToken,
}

impl WireCall {
    pub(crate) fn new(arguments: Json, phase: Phase) -> Self {
        Self(Arc::new(WireCallInner {
            arguments,
            phase,
            progress_token: OnceLock::new(),
            progress: Notify::new(),
            answer: OnceLock::new(),
        }))
    }

    /// The token that was sent with the call. Progress that comes before this is known counts for nothing.
    pub(crate) fn expect_progress(&self, token: ProgressToken) {
        let _set_once_because_a_call_is_sent_once = self.0.progress_token.set(token);
    }

    /// A notification of progress came, perhaps about this call.
    pub(crate) fn hear_progress(&self, token: &ProgressToken) {
        if self.0.progress_token.get() == Some(token) {
            self.0.progress.notify_one();
        }
    }

    /// Waits until the server has told of progress since the last time.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn progressed(&self) {
        self.0.progress.notified().await;
    }

    /// To be written in place of the member `arguments` of the request.
    pub(crate) fn arguments(&self) -> &Json {
        &self.0.arguments
    }

    pub(crate) fn phase(&self) -> &Phase {
        &self.0.phase
    }

    /// Leaves the answer. Only the first one counts: a second answer to the same id is the server's error.
    pub(crate) fn answer(&self, answer: WireAnswer) {
        let _a_second_answer_changes_nothing = self.0.answer.set(answer);
    }

    /// The answer, once the client has been woken for it, and the arguments, should the call have to be made again.
    pub(crate) fn finish(self) -> (Option<WireAnswer>, Json) {
        match Arc::try_unwrap(self.0) {
            Ok(inner) => (inner.answer.into_inner(), inner.arguments),
            Err(shared) => (shared.copy_answer(), shared.arguments.clone()),
        }
    }
}

impl WireCallInner {
    fn copy_answer(&self) -> Option<WireAnswer> {
        self.answer.get().map(|answer| match answer {
            WireAnswer::Result(raw) => WireAnswer::Result(raw.clone()),
            WireAnswer::Error(error) => WireAnswer::Error(error.clone()),
            WireAnswer::Fault(failure) => WireAnswer::Fault(failure.clone()),
            WireAnswer::NotSent(failure) => WireAnswer::NotSent(failure.clone()),
        })
    }
}

/// What a notification of progress is about.
pub(crate) fn progress_token(notification: &[u8]) -> Option<ProgressToken> {
    let progress: Progress = serde_json::from_slice(notification).ok()?;
    Some(progress.params.progress_token)
}

/// That a connection has ended, and why. The transport says it once; the owner task waits for it. And what stood in the way
/// of a connection that didn't come about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ended {
    /// Cancelled by [`Ended::set`]; the owner task waits on it.
    token: CancellationToken,
    why: Arc<OnceLock<Failure>>,
    /// With a sentence for people. Locked to copy it, never across an await.
    obstacle: Arc<Mutex<Option<(Obstacle, String)>>>,
}

impl Ended {
    /// Says what stands in the way, whether the connection ends for it or not. The last word counts.
    pub(crate) fn note(&self, obstacle: Obstacle, detail: &str) {
        *self.obstacle.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((obstacle, detail.to_owned()));
    }

    /// What was noted doesn't stand in the way any more.
    pub(crate) fn forget_obstacle(&self) {
        *self.obstacle.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn obstacle(&self) -> Option<(Obstacle, String)> {
        self.obstacle.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says that the connection has ended. The first cause stays.
    pub(crate) fn set(&self, why: Failure) {
        let _the_first_cause_stays = self.why.set(why);
        self.token.cancel();
    }

    /// Waits for the end.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn wait(&self) -> Failure {
        self.token.cancelled().await;
        self.why.get().expect("the cause is set before the token is cancelled").clone()
    }

    pub(crate) fn get(&self) -> Option<&Failure> {
        self.why.get()
    }
}
