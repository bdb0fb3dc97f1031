//! A clock that only the guest moves: each look at it is a microsecond, and a wait for a timer is over at once.
//!
//! Of several timers that are waited for, the earliest is the one that comes.

use std::{
    collections::BTreeSet,
    future::poll_fn,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use wasmtime::{
    Result,
    component::{HasData, Linker, Resource, ResourceTable},
};
use wasmtime_wasi::{
    HostMonotonicClock, HostWallClock, async_trait,
    p2::{DynPollable, Pollable, bindings::clocks::monotonic_clock, subscribe},
};

use crate::run::Ctx;

/// What a look at the clock takes, in nanoseconds. A guest that looks until it is late enough gets there.
const LOOK_NANOS: u64 = 1000;

/// One run's clock. Clones show the same time.
#[derive(Clone)]
pub(super) struct VirtualClock(Arc<Mutex<State>>);

struct State {
    /// From 1970.
    start: Duration,
    /// From the start, in nanoseconds.
    now: u64,
    /// The timers that somebody waits for: when they are due, in nanoseconds from the start, and which of them it is.
    waited_for: BTreeSet<(u64, u64)>,
    next_timer: u64,
}

impl VirtualClock {
    pub(super) fn new(start: Duration) -> Self {
        let state = State { start, now: 0, waited_for: BTreeSet::new(), next_timer: 0 };
        Self(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time from the start, in nanoseconds.
    fn look(&self) -> u64 {
        let mut state = self.state();
        state.now = state.now.saturating_add(LOOK_NANOS);
        state.now
    }

    fn timer(&self, due: u64) -> Timer {
        let mut state = self.state();
        let number = state.next_timer;
        state.next_timer += 1;
        Timer { clock: self.clone(), due, number }
    }
}

impl HostMonotonicClock for VirtualClock {
    fn resolution(&self) -> u64 {
        LOOK_NANOS
    }

    fn now(&self) -> u64 {
        self.look()
    }
}

impl HostWallClock for VirtualClock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(LOOK_NANOS)
    }

    fn now(&self) -> Duration {
        let nanos = self.look();
        self.state().start.saturating_add(Duration::from_nanos(nanos))
    }
}

/// A moment that a guest may wait for.
struct Timer {
    clock: VirtualClock,
    due: u64,
    number: u64,
}

impl Timer {
    /// `seen` is what the clock showed when this wait was polled last.
    fn poll(&self, seen: &mut Option<u64>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.clock.state();
        let this = (self.due, self.number);
        state.waited_for.insert(this);
        if state.now >= self.due {
            return Poll::Ready(());
        }
        // Only when all that are waited for together had their turn at this time is it known which is the earliest.
        if seen.replace(state.now) == Some(state.now) && state.waited_for.first() == Some(&this) {
            state.now = self.due;
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[async_trait]
impl Pollable for Timer {
    async fn ready(&mut self) {
        let waiting = Waiting(self);
        let mut seen = None;
        poll_fn(|cx| waiting.0.poll(&mut seen, cx)).await;
    }
}

/// Somebody waits for a timer, until this is dropped.
struct Waiting<'t>(&'t Timer);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Timer { clock, due, number } = self.0;
        clock.state().waited_for.remove(&(*due, *number));
    }
}

/// What the functions of WASI's clock work on.
pub(super) struct Timers<'s> {
    clock: &'s VirtualClock,
    table: &'s mut ResourceTable,
}

impl HasData for VirtualClock {
    type Data<'a> = Timers<'a>;
}

pub(super) fn add_to_linker(linker: &mut Linker<Ctx>) -> Result<()> {
    monotonic_clock::add_to_linker::<Ctx, VirtualClock>(linker, |ctx| {
        let wasi = ctx.wasi.as_mut().expect("a workflow that is linked with WASI runs with it");
        Timers { clock: &wasi.clock, table: &mut wasi.table }
    })
}

impl monotonic_clock::Host for Timers<'_> {
    fn now(&mut self) -> Result<u64> {
        Ok(self.clock.look())
    }

    fn resolution(&mut self) -> Result<u64> {
        Ok(LOOK_NANOS)
    }

    fn subscribe_instant(&mut self, when: u64) -> Result<Resource<DynPollable>> {
        let timer = self.table.push(self.clock.timer(when))?;
        subscribe(self.table, timer)
    }

    fn subscribe_duration(&mut self, duration: u64) -> Result<Resource<DynPollable>> {
        let due = self.clock.state().now.saturating_add(duration);
        self.subscribe_instant(due)
    }
}

#[cfg(test)]
mod tests {
    use futures::future::{Either, select};

    use super::*;

    fn clock() -> VirtualClock {
        VirtualClock::new(Duration::from_secs(100))
    }

    #[tokio::test]
    async fn a_look_takes_a_microsecond_and_a_timer_comes_when_it_is_waited_for() {
        let clock = clock();

        assert_eq!(HostMonotonicClock::now(&clock), 1000);
        assert_eq!(HostWallClock::now(&clock), Duration::from_nanos(100_000_002_000));
        clock.timer(3_600_000_000_000).ready().await;
        assert_eq!(HostMonotonicClock::now(&clock), 3_600_000_001_000);
        assert_eq!(HostWallClock::now(&clock), Duration::from_nanos(3_700_000_002_000));
    }

    #[tokio::test]
    async fn of_several_timers_the_earliest_comes_and_the_others_are_still_to_come() {
        let clock = clock();
        let (mut late, mut early) = (clock.timer(50_000), clock.timer(20_000));

        let first = select(late.ready(), early.ready()).await;
        assert!(matches!(first, Either::Right(_)));
        drop(first);

        assert_eq!(clock.state().now, 20_000);
        assert!(clock.state().waited_for.is_empty());
        late.ready().await;
        assert_eq!(clock.state().now, 50_000);
        clock.timer(10).ready().await;
        assert_eq!(clock.state().now, 50_000);
    }
}
