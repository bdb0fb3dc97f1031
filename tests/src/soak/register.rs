//! Every call of a round: issued once, and its end written down once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{
    faults::Faults,
    line::{Line, Tool},
    told::Told,
};

/// The calls of one round. The number of a call is its token.
#[derive(Debug)]
pub(super) struct Register {
    calls: Mutex<Vec<Issued>>,
    faults: Arc<Faults>,
}

/// One call.
#[derive(Clone, Debug)]
pub(super) struct Issued {
    pub(super) line: &'static Line,
    pub(super) tool: Tool,
    pub(super) told: Option<Told>,
}

impl Register {
    pub(super) fn new(faults: Arc<Faults>) -> Self {
        Self { calls: Mutex::default(), faults }
    }

    /// Gives a call its token, before it is made.
    pub(super) fn issue(&self, line: &'static Line, tool: Tool) -> u64 {
        let mut calls = self.calls();
        calls.push(Issued { line, tool, told: None });
        calls.len() as u64 - 1
    }

    /// Writes down what its caller was told.
    pub(super) fn settle(&self, token: u64, told: Told) {
        let before = self.calls()[token as usize].told.replace(told);
        if let Some(before) = before {
            self.faults.note(format!("call {token} was answered twice: {before:?}, {told:?}"));
        }
    }

    pub(super) fn take(&self) -> Vec<Issued> {
        std::mem::take(&mut self.calls())
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Issued>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
