//! What happens in a run, told to whoever listens while it goes on. Telling never waits: a slow listener misses some, and
//! learns how many.

use std::time::Duration;

use futures::{Stream, stream};
use tokio::sync::broadcast::{self, error::RecvError};

use super::Ending;
use crate::pool::SessionLoss;

/// One thing that happened in a run.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The workflow made a call.
    Issued {
        /// The number of the call.
        sequence: u64,
        /// The connection that it named; cut off where it is over [`max_name_bytes`](crate::RunLimits::max_name_bytes).
        connection: String,
        /// The tool that it named, likewise.
        tool: String,
    },
    /// A call came to its end.
    Finished {
        /// The number of the call.
        sequence: u64,
        /// What became of it.
        outcome: Ending,
        /// From the making of the call to this.
        duration: Duration,
    },
    /// A session that the run had used was replaced.
    SessionLost(SessionLoss),
    /// The run came to its end. A run whose future is dropped ends without it.
    Ended(RunEnding),
    /// So many events went by while nobody read. The entries of the report have what they said.
    Missed(u64),
}

/// In which way a run ended; its report says more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RunEnding {
    /// With a result.
    Done,
    /// With the workflow's own failure.
    Failed,
    /// The sandbox stopped it.
    Stopped,
}

/// The events of one run, in their order. Ends with the run.
#[derive(Debug)]
pub struct Events(broadcast::Receiver<Event>);

impl Events {
    /// The next event; none after the last.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Event> {
        match self.0.recv().await {
            Ok(event) => Some(event),
            Err(RecvError::Lagged(missed)) => Some(Event::Missed(missed)),
            Err(RecvError::Closed) => None,
        }
    }

    /// The same as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Event> + Send {
        stream::unfold(self, async |mut events| events.next().await.map(|event| (event, events)))
    }
}

/// Where the events of one run are told: nowhere, until somebody asks for them.
#[derive(Debug, Default)]
pub(crate) struct Teller(Option<broadcast::Sender<Event>>);

impl Teller {
    /// Events from now on.
    pub(crate) fn listen(&mut self, max_unread: usize) -> Events {
        // A channel without room can't be made.
        let teller = self.0.get_or_insert_with(|| broadcast::channel(max_unread.max(1)).0);
        Events(teller.subscribe())
    }

    /// Tells what `event` says, if somebody listens.
    pub(crate) fn tell(&self, event: impl FnOnce() -> Event) {
        if let Some(teller) = &self.0 {
            let _nobody_listens_any_more = teller.send(event());
        }
    }
}
