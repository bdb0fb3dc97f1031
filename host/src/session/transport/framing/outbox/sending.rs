//! One frame on its way out.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use tokio::{
    io::AsyncWrite,
    time::{Sleep, sleep_until},
};

use super::{Outbox, SendFailure};

/// Done when the frame is written, or never will be.
///
/// # Cancel safety
///
/// Dropped before the first byte, the frame is never written; dropped later, it is written by the sends that follow.
#[derive(Debug)]
#[must_use = "a frame is written by the one who awaits it"]
pub(in crate::session::transport::framing) struct Sending<W> {
    outbox: Arc<Outbox<W>>,
    ticket: u64,
    /// Only while this one drives and the pipe takes nothing.
    stall: Option<Pin<Box<Sleep>>>,
    is_done: Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Yes,
    No,
}

impl<W> Sending<W> {
    pub(super) fn new(outbox: Arc<Outbox<W>>, ticket: u64) -> Self {
        Self { outbox, ticket, stall: None, is_done: Done::No }
    }
}

impl<W: AsyncWrite + Unpin> Future for Sending<W> {
    type Output = Result<(), SendFailure>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let polled = this.poll_frame(cx);
        if polled.is_ready() {
            this.is_done = Done::Yes;
        }
        polled
    }
}

impl<W: AsyncWrite + Unpin> Sending<W> {
    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), SendFailure>> {
        let outbox = Arc::clone(&self.outbox);
        let mut state = outbox.lock();
        if state.driver.is_some_and(|driver| driver != self.ticket) {
            if let Some(outcome) = state.outcome(self.ticket) {
                return Poll::Ready(outcome);
            }
            wait_in(&mut state.others, self.ticket, cx.waker());
            return Poll::Pending;
        }
        let driven = match outbox.poll_drive(&mut state, cx) {
            Poll::Pending if self.poll_stalled(cx, &state, &outbox).is_ready() => {
                outbox.stall(&mut state);
                Poll::Ready(())
            }
            driven => driven,
        };
        match (driven, state.outcome(self.ticket)) {
            (Poll::Ready(()), outcome) => {
                state.driver = None;
                // Everything is settled, so this one is; a frame that is nowhere was closed away.
                Poll::Ready(outcome.unwrap_or(Err(SendFailure::Closed)))
            }
            (Poll::Pending, Some(outcome)) => {
                state.hand_over();
                Poll::Ready(outcome)
            }
            (Poll::Pending, None) => {
                state.driver = Some(self.ticket);
                state.others.retain(|(other, _)| *other != self.ticket);
                Poll::Pending
            }
        }
    }

    /// Whether the pipe has been taking the frame at its head for too long.
    fn poll_stalled(
        &mut self,
        cx: &mut Context<'_>,
        state: &super::State<W>,
        outbox: &Outbox<W>,
    ) -> Poll<()> {
        let Some(since) = state.pending_since else { return Poll::Pending };
        let deadline = since + outbox.limits.write_timeout;
        let stall = self.stall.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if stall.deadline() != deadline {
            stall.as_mut().reset(deadline);
        }
        stall.as_mut().poll(cx)
    }
}

impl<W> Drop for Sending<W> {
    fn drop(&mut self) {
        if self.is_done == Done::Yes {
            return;
        }
        let mut state = self.outbox.lock();
        let ticket = self.ticket;
        let _nobody_asks_any_more = state.outcome(ticket);
        state.queue.retain(|frame| frame.ticket != ticket);
        state.others.retain(|(other, _)| *other != ticket);
        if state.driver == Some(ticket) {
            state.hand_over();
        }
    }
}

fn wait_in(others: &mut Vec<(u64, Waker)>, ticket: u64, waker: &Waker) {
    match others.iter_mut().find(|(other, _)| *other == ticket) {
        Some((_, known)) => known.clone_from(waker),
        None => others.push((ticket, waker.clone())),
    }
}
