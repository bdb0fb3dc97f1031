//! How long threads work on one run, and the end of it when that is too long.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::Instant;

/// A future that is polled for so long altogether and no longer. A guest that computes returns from a poll at each tick, so
/// it ends within a tick of its budget.
pub(super) struct Metered<'f, F> {
    guest: Pin<&'f mut F>,
    used: Duration,
    budget: Duration,
}

/// The budget is used up: so long was it polled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UsedUp(pub(super) Duration);

impl<'f, F> Metered<'f, F> {
    pub(super) fn new(guest: Pin<&'f mut F>, budget: Duration) -> Self {
        Self { guest, used: Duration::ZERO, budget }
    }

    /// How long it was polled so far.
    pub(super) fn used(&self) -> Duration {
        self.used
    }
}

impl<F: Future> Future for Metered<'_, F> {
    type Output = Result<F::Output, UsedUp>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // What was done is done: a guest that finished late has its result.
        let before = Instant::now();
        let polled = self.guest.as_mut().poll(cx);
        self.used += before.elapsed();
        match polled {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending if self.used >= self.budget => Poll::Ready(Err(UsedUp(self.used))),
            Poll::Pending => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, pin::pin};

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[tokio::test(start_paused = true)]
    async fn work_counts_and_waiting_does_not() {
        let mut turns = 0;
        let worker = pin!(poll_fn(|cx| {
            // The paused clock moves within a poll only by hand.
            let work = pin!(tokio::time::advance(3 * MS));
            assert!(work.poll(cx).is_pending());
            turns += 1;
            cx.waker().wake_by_ref();
            Poll::<()>::Pending
        }));
        let mut metered = Metered::new(worker, 10 * MS);

        let UsedUp(used) = (&mut metered).await.unwrap_err();

        assert_eq!((used, metered.used()), (12 * MS, 12 * MS));
        assert_eq!(turns, 4);

        let waiter = pin!(tokio::time::sleep(1000 * MS));
        let mut metered = Metered::new(waiter, 10 * MS);
        assert_eq!((&mut metered).await, Ok(()));
        assert_eq!(metered.used(), Duration::ZERO);
    }
}
