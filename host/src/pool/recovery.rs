//! What becomes of calls and runs when a session ends: the settings of one connection, and the word for a loss.

use std::fmt;

use serde::Serialize;

use crate::{
    call::{CallError, ConnectionId, ToolCallResult},
    limits::RecoveryLimits,
};

/// What a pool does when a session of a connection ends.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Recovery {
    /// Which calls may be made again.
    pub replay: Replay,
    /// What a run is told.
    pub on_session_loss: OnSessionLoss,
    /// When the connection is opened again.
    pub limits: RecoveryLimits,
}

/// Which calls are made once more when the session stopped before their answer came, so that nobody knows whether they were
/// carried out. A call that is known not to have been carried out is made once more under each of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replay {
    /// None.
    Never,
    /// Those of tools that the server marks with `readOnlyHint` or `idempotentHint`.
    #[default]
    Annotated,
    /// All of them: something may happen twice.
    Always,
}

/// What happens to a run when a session that it used is replaced, so that what the server knew may be gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnSessionLoss {
    /// It ends before its next call over that connection is sent.
    Fail,
    /// It goes on, and its report says so.
    #[default]
    Continue,
}

/// A session that a run had used was replaced.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct SessionLoss {
    /// The connection.
    pub connection: ConnectionId,
    /// The epoch of the session that the run had used.
    pub from: u64,
    /// The epoch of the session that took its place.
    pub to: u64,
    /// The number of the call, within the run, that came upon it.
    pub call: u64,
}

impl fmt::Display for SessionLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { connection, from, to, call } = self;
        write!(
            f,
            "connection {connection} lost its session: call {call} would go over session {to}, the run has used session {from}"
        )
    }
}

/// Who makes a call hears how it goes, while it goes.
pub(crate) trait Witness: Send + Sync + 'static {
    /// The call is handed to a session, and may wait there.
    fn is_handed_over(&self) {}

    /// Whether arguments that don't fit the tool's input schema are refused before they are sent.
    fn checks_arguments(&self) -> bool {
        false
    }

    /// The call's turn has come in the session with this epoch, and nothing was sent yet.
    ///
    /// # Errors
    ///
    /// To forbid that it is sent.
    fn sees(&self, _epoch: u64) -> Result<(), SessionLoss> {
        Ok(())
    }

    /// It was not carried out there after all.
    fn did_not_use(&self) {}
}

/// For calls outside runs.
pub(crate) struct Nobody;

impl Witness for Nobody {}

/// Why a call has no answer.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// It failed.
    Failed(CallError),
    /// Its witness forbade it. `truth` is what is true of the call.
    SessionLost { loss: SessionLoss, truth: CallError },
}

/// What comes of carrying out one call.
pub(crate) type Carried = Result<ToolCallResult, Unanswered>;

impl From<Unanswered> for CallError {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Failed(error) | Unanswered::SessionLost { truth: error, .. } => error,
        }
    }
}
