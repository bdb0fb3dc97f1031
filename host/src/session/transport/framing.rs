//! MCP over a pair of byte streams, one JSON-RPC message a line: the host's own, under rmcp's client.
//!
//! What differs from rmcp's own transport is what happens when things go wrong. Every request that was written is
//! answered, or the connection ends:
//!
//! - The answer to a tool call never passes through rmcp's types. It is left in the call's [`WireCall`](super::WireCall) as the server
//!   wrote it, and rmcp gets an empty result to wake its caller.
//! - A frame that isn't MCP is the answer of the request whose id it carries, as a [`WireAnswer::Fault`](super::WireAnswer::Fault).
//! - An answer without a usable id belongs to the one request under way. If several are, it can't be said whose it was,
//!   so that all of them end with a fault: a caller that waits for nothing is worse than one that has to ask, and nobody
//!   is told that a certain call failed. An error without an id is passed on as an error only if no request has been
//!   given up before, as it may be for that one. One that isn't about reading the request may be the forbidden answer to
//!   a notification; after one, it is dropped.
//! - Lines that were never meant as messages (log lines, also structured ones) are skipped. Too many lines of nonsense
//!   without a message in between end the connection.
//! - A line over the bound is skipped without being kept, and the request it answers ends with a fault.
//! - Answers to ids that nobody waits for are dropped, also those that come before the request was written.
//! - The end is seen by the end of the stream, the end of the process or a pipe that takes nothing, whichever is first.
//!
//! No process is known here; [`stdio`](super::stdio) brings one along.

mod closing;
pub(super) mod encode;
pub(super) mod envelope;
mod inbox;
mod lines;
mod outbox;
mod salvage;
#[cfg(test)]
mod tests;
pub(super) mod traffic;
mod waiting;

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures::future::Either;
use rmcp::{
    RoleClient,
    model::{ClientNotification, JsonRpcMessage},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, Sleep, sleep_until, timeout},
};

use crate::{
    limits::SessionLimits,
    session::transport::{Ended, process::LastWords},
};

pub(super) use closing::{Closing, End};
pub(crate) use outbox::SendFailure;

use encode::Outgoing;
use inbox::Inbox;
use lines::{Cut, LineReader};
use outbox::Outbox;
use traffic::list_changed;
use waiting::Waiting;

/// One connection over a reader and a writer. See the [module](self) for what it promises.
#[derive(Debug)]
pub(crate) struct FramedTransport<R, W> {
    lines: LineReader<R>,
    inbox: Inbox<W>,
    outbox: Arc<Outbox<W>>,
    waiting: Arc<Waiting>,
    limits: SessionLimits,
    closing: Closing,
    /// From when on nothing more is read, once [`Closing`] was said.
    drain: Option<Pin<Box<Sleep>>>,
    /// How it ended, and until when the server's process may still explain itself.
    ending: Option<(End, Instant)>,
    last_words: Option<LastWords>,
    /// The owner of the session listens.
    ended: Ended,
}

/// Closes the stream to the server, also when the one who owns the transport hangs.
#[derive(Debug)]
pub(super) struct Closer<W>(Arc<Outbox<W>>);

impl<W> Closer<W> {
    pub(super) fn close(&self) {
        self.0.close();
    }
}

/// What `receive` waits for.
enum Event {
    Cut(Cut),
    ListChanged,
    Closing(End),
}

impl<R, W> FramedTransport<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    /// A connection over `reader` and `writer`. `ended` is told once why it ended.
    pub(crate) fn new(reader: R, writer: W, limits: &SessionLimits, ended: Ended) -> Self {
        Self::over(reader, writer, limits, ended, Closing::default(), None)
    }

    /// A connection to a process, which says its end through `closing` and gives reasons in `last_words`.
    pub(super) fn to_process(
        reader: R,
        writer: W,
        limits: &SessionLimits,
        ended: Ended,
        closing: Closing,
        last_words: LastWords,
    ) -> Self {
        Self::over(reader, writer, limits, ended, closing, Some(last_words))
    }

    fn over(
        reader: R,
        writer: W,
        limits: &SessionLimits,
        ended: Ended,
        closing: Closing,
        last_words: Option<LastWords>,
    ) -> Self {
        let waiting = Arc::<Waiting>::default();
        let outbox = Outbox::new(
            writer,
            Arc::clone(&waiting),
            closing.clone(),
            ended.clone(),
            limits.clone(),
        );
        let outbox = Arc::new(outbox);
        Self {
            lines: LineReader::new(reader, limits.max_message_bytes, limits.max_skipped_bytes),
            inbox: Inbox::new(Arc::clone(&outbox), Arc::clone(&waiting), limits),
            outbox,
            waiting,
            limits: limits.clone(),
            closing,
            drain: None,
            ending: None,
            last_words,
            ended,
        }
    }

    /// What closes the stream to the server from outside.
    pub(super) fn closer(&self) -> Closer<W> {
        Closer(Arc::clone(&self.outbox))
    }

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        self.inbox.poll_replies(cx);
        if self.inbox.traffic.poll_list_change(cx).is_ready() {
            return Poll::Ready(Event::ListChanged);
        }
        let end = self.closing.poll(cx);
        if let Poll::Ready(end) = &end
            && self.poll_drained(cx).is_ready()
        {
            return Poll::Ready(Event::Closing(end.clone()));
        }
        self.lines.poll_next(cx).map(Event::Cut)
    }

    /// After the end was announced, what is in the pipe already is still read, but not for ever.
    fn poll_drained(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let drain = self
            .drain
            .get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + self.limits.exit_drain)));
        drain.as_mut().poll(cx)
    }

    /// What an event comes to: nothing more, or the end.
    fn take_event(&mut self, event: Event) -> Result<(), End> {
        match event {
            Event::ListChanged => self.inbox.ready.push_back(list_changed()),
            Event::Closing(end) => return Err(end),
            Event::Cut(Cut::Line) => {
                let taken = self.inbox.take_line(self.lines.line());
                self.lines.consume();
                taken?;
            }
            Event::Cut(Cut::Oversized(scan)) => self.inbox.take_oversized(&scan)?,
            Event::Cut(Cut::Endless) => return Err(End::Endless),
            Event::Cut(Cut::Eof) => {
                self.inbox.take_last_words(self.lines.rest());
                return Err(End::Eof);
            }
            Event::Cut(Cut::Broken(error)) => return Err(End::ReadFailed(error.to_string())),
        }
        Ok(())
    }

    /// Says why it ended, with what the server's process said last.
    async fn announce(&mut self, end: End, until: Instant) {
        if self.ended.get().is_some() {
            return;
        }
        let last_words = match &mut self.last_words {
            Some(last_words) => last_words.hear(until).await,
            None => String::new(),
        };
        self.ended.set(end.failure(&self.limits, &last_words));
    }
}

impl<R, W> Transport<RoleClient> for FramedTransport<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = SendFailure;

    /// Queues the message now, and writes it when the future is polled.
    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inbox.traffic.note_sent(&message);
        if let JsonRpcMessage::Notification(notification) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(id) = &cancelled.params.request_id
        {
            self.waiting.give_up(id);
            if self.outbox.unqueue(id) {
                // The server never heard of the request.
                return Either::Left(std::future::ready(Ok(())));
            }
        }
        let sending = self.outbox.send(Outgoing::Message(Box::new(message)));
        let (ended, patience) = (self.ended.clone(), 2 * self.limits.exit_drain);
        Either::Right(async move {
            let sent = sending.await;
            if matches!(sent, Err(SendFailure::Broken(_))) {
                // The reading side finds out why, and whoever is told of the failure asks for that. Not for ever, because
                // nobody may be reading yet.
                let _it_may_stay_unknown = timeout(patience, ended.wait()).await;
            }
            sent
        })
    }

    /// # Cancel safety
    ///
    /// Everything read and everything pending is in `self`.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            if let Some(message) = self.inbox.ready.pop_front() {
                return Some(message);
            }
            if let Some((end, until)) = self.ending.clone() {
                self.announce(end, until).await;
                return None;
            }
            // A buffer full of frames is many messages and only one read, so each is counted here: rmcp's own tasks and
            // the callers get their turn in a flood.
            tokio::task::coop::consume_budget().await;
            let event = poll_fn(|cx| self.poll_event(cx)).await;
            if let Err(end) = self.take_event(event) {
                self.ending = Some((end, Instant::now() + self.limits.exit_drain));
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.outbox.close();
        Ok(())
    }
}
