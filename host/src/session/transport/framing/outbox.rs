//! The writing side: frames in the order in which they were sent, written by whichever send is polled.
//!
//! There is no writer task: a send that has to be polled anyway writes everything that is queued, so that many small
//! frames are one write. The bytes belong to the outbox and not to the send, so that a dropped send leaves no half frame
//! behind: what was begun is finished by the next one. [`Phase`] turns to "sent" when the first byte of a frame is
//! offered to the pipe, and back when the pipe took none of it.
//!
//! [`Phase`]: crate::session::transport::Phase

mod sending;

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use rmcp::model::RequestId;
use tokio::{io::AsyncWrite, time::Instant};

use crate::{
    limits::SessionLimits,
    session::transport::{
        Ended,
        framing::{
            closing::{Closing, End},
            encode::Outgoing,
            waiting::Waiting,
        },
    },
};

pub(super) use sending::Sending;

/// Bytes that are written at once as long as several frames wait: what a pipe holds on Linux.
const BATCH: usize = 64 << 10;

/// Why a frame was not written, or not wholly.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum SendFailure {
    /// Nothing was written, because nobody waits for an answer any more.
    #[error("the caller gave up before the frame was written")]
    CallerLeft,
    /// Nothing was written, because too many frames wait already.
    #[error("too many frames wait to be written")]
    Full,
    /// Nothing was written, because the message has no JSON form.
    #[error("the message has no JSON form")]
    Unwritable(#[source] Arc<serde_json::Error>),
    /// The server took too long; the frame's phase says whether it took a part.
    #[error("the server stopped reading")]
    Stalled,
    /// The pipe broke; the frame's phase says whether it took a part.
    #[error("the connection to the server broke")]
    Broken(#[source] Arc<io::Error>),
    /// The connection was closed.
    #[error("the connection is closed")]
    Closed,
}

/// The writing side of one connection.
#[derive(Debug)]
pub(super) struct Outbox<W> {
    /// Held while bytes are handed to the pipe, which doesn't block; never across an await.
    state: Mutex<State<W>>,
    waiting: Arc<Waiting>,
    closing: Closing,
    /// The owner of the session listens.
    ended: Ended,
    limits: SessionLimits,
}

#[derive(Debug)]
struct State<W> {
    /// `None` when nothing can be written any more.
    writer: Option<W>,
    queue: VecDeque<Frame>,
    /// Frames whose lines are in `bytes`.
    batch: Vec<Offered>,
    bytes: Vec<u8>,
    written: usize,
    /// Since when the pipe has been taking the batch.
    pending_since: Option<Instant>,
    next_ticket: u64,
    /// Frames before this one are settled: written, unless `refused` knows better.
    settled: u64,
    refused: Vec<(u64, SendFailure)>,
    broken: Option<SendFailure>,
    /// The send that is polled when the pipe takes bytes again.
    driver: Option<u64>,
    /// The other sends that were polled.
    others: Vec<(u64, Waker)>,
}

#[derive(Debug)]
struct Frame {
    ticket: u64,
    outgoing: Outgoing,
}

#[derive(Debug)]
struct Offered {
    frame: Frame,
    /// Where its line starts in the bytes of the batch.
    start: usize,
}

impl<W> Outbox<W> {
    pub(super) fn new(
        writer: W,
        waiting: Arc<Waiting>,
        closing: Closing,
        ended: Ended,
        limits: SessionLimits,
    ) -> Self {
        let state = State {
            writer: Some(writer),
            queue: VecDeque::new(),
            batch: Vec::new(),
            bytes: Vec::new(),
            written: 0,
            pending_since: None,
            next_ticket: 0,
            settled: 0,
            refused: Vec::new(),
            broken: None,
            driver: None,
            others: Vec::new(),
        };
        Self { state: Mutex::new(state), waiting, closing, ended, limits }
    }

    /// Queues a frame. Its place is decided here; the future that is returned writes it.
    pub(super) fn send(self: &Arc<Self>, outgoing: Outgoing) -> Sending<W> {
        let mut state = self.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        if state.queue.is_empty() && state.batch.is_empty() {
            state.pending_since = None;
        }
        if state.broken.is_some() {
            // The cause is the answer.
        } else if state.queue.len() >= self.limits.max_unsent_frames {
            state.refused.push((ticket, SendFailure::Full));
        } else {
            state.queue.push_back(Frame { ticket, outgoing });
        }
        Sending::new(Arc::clone(self), ticket)
    }

    /// Takes a request out of the queue whose caller doesn't want it any more. `false`: it isn't there.
    pub(super) fn unqueue(&self, id: &RequestId) -> bool {
        let mut state = self.lock();
        let is_it = |frame: &Frame| frame.outgoing.request().is_some_and(|(it, _)| it == id);
        let Some(at) = state.queue.iter().position(is_it) else { return false };
        if let Some(frame) = state.queue.remove(at) {
            state.refuse(frame.ticket, SendFailure::CallerLeft);
        }
        true
    }

    /// Closes the stream to the server, whatever waits to be written.
    pub(super) fn close(&self) {
        self.lock().break_off(SendFailure::Closed, &self.waiting);
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        // A panic while it is held can only come from the writer; then the connection is as good as broken.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: AsyncWrite + Unpin> Outbox<W> {
    /// Writes what is queued, as far as the pipe takes it.
    fn poll_drive(&self, state: &mut State<W>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if state.batch.is_empty() {
                state.fill_batch(&self.waiting);
            }
            if state.batch.is_empty() || state.broken.is_some() {
                return Poll::Ready(());
            }
            match state.poll_write_batch(cx) {
                Poll::Ready(Ok(())) => state.settle_batch(),
                Poll::Ready(Err(error)) => {
                    self.closing.set(End::WriteFailed(error.to_string()));
                    state.break_off(SendFailure::Broken(Arc::new(error)), &self.waiting);
                }
                Poll::Pending => {
                    state.retract_unbegun(&self.waiting);
                    state.pending_since.get_or_insert_with(Instant::now);
                    return Poll::Pending;
                }
            }
        }
    }

    /// The pipe took too long.
    fn stall(&self, state: &mut State<W>) {
        // Before the sends fail, because whoever learns of that asks why.
        self.ended.set(End::WriteStalled.failure(&self.limits, ""));
        self.closing.set(End::WriteStalled);
        state.break_off(SendFailure::Stalled, &self.waiting);
    }
}

impl<W: AsyncWrite + Unpin> State<W> {
    fn poll_write_batch(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(writer) = &mut self.writer else {
            return Poll::Ready(Err(io::ErrorKind::NotConnected.into()));
        };
        while self.written < self.bytes.len() {
            match Pin::new(&mut *writer).poll_write(cx, &self.bytes[self.written..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(written)) => self.written += written,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
        }
        Pin::new(writer).poll_flush(cx)
    }
}

impl<W> State<W> {
    /// What became of a frame; `None` while it waits.
    fn outcome(&mut self, ticket: u64) -> Option<Result<(), SendFailure>> {
        if let Some(at) = self.refused.iter().position(|(refused, _)| *refused == ticket) {
            return Some(Err(self.refused.swap_remove(at).1));
        }
        if ticket < self.settled {
            return Some(Ok(()));
        }
        self.broken.clone().map(Err)
    }

    fn fill_batch(&mut self, waiting: &Waiting) {
        while self.bytes.len() < BATCH {
            let Some(frame) = self.queue.pop_front() else { break };
            let start = self.bytes.len();
            if let Err(error) = frame.outgoing.write_line(&mut self.bytes) {
                self.bytes.truncate(start);
                self.refuse(frame.ticket, SendFailure::Unwritable(Arc::new(error)));
                continue;
            }
            if let Some((id, call)) = frame.outgoing.request() {
                // Before the first byte is offered: from there on nobody may say "not sent".
                if call.is_some_and(|call| !call.phase().begin_sending()) {
                    self.bytes.truncate(start);
                    self.refuse(frame.ticket, SendFailure::CallerLeft);
                    continue;
                }
                waiting.add(id.clone(), call.cloned());
            } else if frame.outgoing.is_notification() {
                waiting.note_notification();
            }
            self.batch.push(Offered { frame, start });
        }
    }

    /// The frames of which the pipe took nothing go back to the queue.
    fn retract_unbegun(&mut self, waiting: &Waiting) {
        while let Some(offered) = self.batch.pop_if(|offered| offered.start >= self.written) {
            if let Some((id, call)) = offered.frame.outgoing.request() {
                waiting.retract(id);
                if let Some(call) = call {
                    call.phase().retract();
                }
            }
            self.bytes.truncate(offered.start);
            self.queue.push_front(offered.frame);
        }
        if self.batch.is_empty() {
            self.clear_batch();
        }
    }

    fn settle_batch(&mut self) {
        if let Some(last) = self.batch.last() {
            self.settled = last.frame.ticket + 1;
        }
        self.pending_since = None;
        self.clear_batch();
        self.wake_settled();
    }

    fn clear_batch(&mut self) {
        self.batch.clear();
        self.bytes.clear();
        self.written = 0;
        // One big frame shall not hold its memory for the life of the session.
        if self.bytes.capacity() > 4 * BATCH {
            self.bytes = Vec::new();
        }
    }

    fn refuse(&mut self, ticket: u64, why: SendFailure) {
        self.refused.push((ticket, why));
        if let Some(at) = self.others.iter().position(|(other, _)| *other == ticket) {
            self.others.swap_remove(at).1.wake();
        }
    }

    /// Nothing can be written any more. The frames that were not begun are not sent.
    fn break_off(&mut self, why: SendFailure, waiting: &Waiting) {
        if self.broken.is_none() {
            self.retract_unbegun(waiting);
            self.broken = Some(why);
        }
        self.queue.clear();
        self.clear_batch();
        // Closes the pipe.
        self.writer = None;
        for (_, waker) in self.others.drain(..) {
            waker.wake();
        }
    }

    fn wake_settled(&mut self) {
        let settled = self.settled;
        self.others.retain(|(ticket, waker)| {
            if *ticket < settled {
                waker.wake_by_ref();
            }
            *ticket >= settled
        });
    }

    /// The driver leaves: another send that waits takes over.
    fn hand_over(&mut self) {
        self.driver = None;
        if let Some((_, waker)) = self.others.pop() {
            waker.wake();
        }
    }
}
