//! A guest that waits for nothing: it would wait until the end of its time, so it is stopped when it begins to.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures::task::AtomicWaker;
use wasmtime::{Result, Trap};

use crate::gate::Gate;

/// A guest's future that ends in [`Trap::AsyncDeadlock`] when it is pending and nothing will poll it again: it has no call
/// under way, and did not ask for another turn.
pub(super) struct Watched<'f, F> {
    guest: Pin<&'f mut F>,
    gate: &'f Gate,
    turn: Arc<Turn>,
    /// Of `turn`.
    waker: Waker,
}

/// Whether somebody asked for another turn, and who has to hear of it.
#[derive(Default)]
struct Turn {
    is_wanted: AtomicBool,
    task: AtomicWaker,
}

impl<'f, F> Watched<'f, F> {
    pub(super) fn new(guest: Pin<&'f mut F>, gate: &'f Gate) -> Self {
        let turn = Arc::<Turn>::default();
        let waker = Waker::from(turn.clone());
        Self { guest, gate, turn, waker }
    }
}

impl<T, F: Future<Output = Result<T>>> Future for Watched<'_, F> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        let Self { guest, gate, turn, waker } = &mut *self;
        turn.task.register(cx.waker());
        turn.is_wanted.store(false, Ordering::Relaxed);
        let polled = guest.as_mut().poll(&mut Context::from_waker(waker));
        // The calls are futures within this one, so none of them can have ended since.
        let is_idle = || gate.calls_under_way() == 0 && !turn.is_wanted.load(Ordering::Relaxed);
        if polled.is_pending() && is_idle() {
            return Poll::Ready(Err(Trap::AsyncDeadlock.into()));
        }
        polled
    }
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_wanted.store(true, Ordering::Relaxed);
        self.task.wake();
    }
}
