//! Waking calls from another call. The calls of a component are tasks of their own, and a task sleeps until the host wakes
//! it; what only another task knows reaches it through a stream of the component model, which this wraps.

use std::cell::{Cell, RefCell};

use self::wire::{Receiver, Sender, pair};

/// Something that happens once, and that any number of calls wait for.
///
/// ```
/// use std::rc::Rc;
///
/// use callgate_guest::Signal;
///
/// async fn follow(leader_is_done: Rc<Signal>) {
///     leader_is_done.wait().await;
/// }
/// # use callgate_guest::futures::FutureExt;
/// # let signal = Rc::new(Signal::default());
/// # signal.fire();
/// # follow(signal).now_or_never().unwrap();
/// ```
#[derive(Default)]
pub struct Signal {
    has_fired: Cell<bool>,
    /// One for each call that waits; it wakes when this end is dropped.
    waiting: RefCell<Vec<Sender>>,
}

impl Signal {
    /// Wakes all that wait. Who waits later doesn't.
    pub fn fire(&self) {
        self.has_fired.set(true);
        // Taken out first, because a drop may run other code.
        drop(self.waiting.take());
    }

    /// Whether it has happened.
    pub fn has_fired(&self) -> bool {
        self.has_fired.get()
    }

    /// Waits until it happens.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future gives up waiting, and nothing else.
    pub async fn wait(&self) {
        if self.has_fired.get() {
            return;
        }
        let (sender, receiver): (Sender, Receiver) = pair();
        self.waiting.borrow_mut().push(sender);
        wire::until_dropped(receiver).await;
    }
}

impl std::fmt::Debug for Signal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signal").field("has_fired", &self.has_fired).finish_non_exhaustive()
    }
}

/// A stream without payload, of which only the end is of interest.
#[cfg(target_family = "wasm")]
mod wire {
    use std::alloc::Layout;

    use wit_bindgen::{RawStreamReader, RawStreamWriter, StreamOps};

    pub(super) type Sender = RawStreamWriter<Unit>;
    pub(super) type Receiver = RawStreamReader<Unit>;

    /// The stream intrinsics of the canonical ABI for `stream` without a payload.
    #[derive(Clone, Copy)]
    pub(crate) struct Unit;

    #[link(wasm_import_module = "$root")]
    unsafe extern "C" {
        #[link_name = "[stream-new-unit]"]
        fn new() -> u64;
        #[link_name = "[async-lower][stream-write-unit]"]
        fn write(stream: u32, from: *const u8, count: usize) -> u32;
        #[link_name = "[async-lower][stream-read-unit]"]
        fn read(stream: u32, into: *mut u8, count: usize) -> u32;
        #[link_name = "[stream-cancel-read-unit]"]
        fn cancel_read(stream: u32) -> u32;
        #[link_name = "[stream-cancel-write-unit]"]
        fn cancel_write(stream: u32) -> u32;
        #[link_name = "[stream-drop-readable-unit]"]
        fn drop_readable(stream: u32);
        #[link_name = "[stream-drop-writable-unit]"]
        fn drop_writable(stream: u32);
    }

    pub(super) fn pair() -> (Sender, Receiver) {
        // SAFETY: the intrinsics below are those of one stream type.
        unsafe { wit_bindgen::rt::async_support::raw_stream_new(Unit) }
    }

    pub(super) async fn until_dropped(mut receiver: Receiver) {
        receiver.next().await;
    }

    // SAFETY: the functions are the canonical ABI's own, and a payload of no bytes needs neither lifting nor lowering.
    unsafe impl StreamOps for Unit {
        type Payload = ();

        fn new(&mut self) -> u64 {
            unsafe { new() }
        }
        fn elem_layout(&self) -> Layout {
            Layout::new::<()>()
        }
        fn native_abi_matches_canonical_abi(&self) -> bool {
            true
        }
        fn contains_lists(&self) -> bool {
            false
        }
        unsafe fn lower(&mut self, (): (), _: *mut u8) {}
        unsafe fn dealloc_lists(&mut self, _: *mut u8) {}
        unsafe fn lift(&mut self, _: *mut u8) {}
        unsafe fn start_write(&mut self, stream: u32, from: *const u8, count: usize) -> u32 {
            unsafe { write(stream, from, count) }
        }
        unsafe fn start_read(&mut self, stream: u32, into: *mut u8, count: usize) -> u32 {
            unsafe { read(stream, into, count) }
        }
        unsafe fn cancel_read(&mut self, stream: u32) -> u32 {
            unsafe { cancel_read(stream) }
        }
        unsafe fn cancel_write(&mut self, stream: u32) -> u32 {
            unsafe { cancel_write(stream) }
        }
        unsafe fn drop_readable(&mut self, stream: u32) {
            unsafe { drop_readable(stream) }
        }
        unsafe fn drop_writable(&mut self, stream: u32) {
            unsafe { drop_writable(stream) }
        }
    }
}

/// The same on other targets, so that what waits can have ordinary unit tests.
#[cfg(not(target_family = "wasm"))]
mod wire {
    use futures::channel::oneshot;

    pub(super) type Sender = oneshot::Sender<()>;
    pub(super) type Receiver = oneshot::Receiver<()>;

    pub(super) fn pair() -> (Sender, Receiver) {
        oneshot::channel()
    }

    pub(super) async fn until_dropped(receiver: Receiver) {
        let _it_is_dropped_and_never_sent = receiver.await;
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn all_that_wait_are_woken_and_nobody_waits_afterwards() {
        let signal = Signal::default();
        let mut first = Box::pin(signal.wait());
        let mut second = Box::pin(signal.wait());
        assert!(
            first.as_mut().now_or_never().is_none() && second.as_mut().now_or_never().is_none()
        );

        signal.fire();

        assert!(first.now_or_never().is_some() && second.now_or_never().is_some());
        assert!(signal.wait().now_or_never().is_some() && signal.has_fired());
    }
}
