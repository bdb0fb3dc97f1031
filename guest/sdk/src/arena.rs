//! The global allocator of a guest: dlmalloc over a static arena, and over `memory.grow` when that is used up.
//!
//! A short run lives in the arena alone, and its memory never grows. That matters to the host, not to the guest: growing a
//! memory changes the mapping of the whole process, which every run on every thread pays for.

use core::{
    alloc::{GlobalAlloc, Layout},
    arch::wasm32::memory_grow,
    cell::{Cell, UnsafeCell},
    ptr,
};

use dlmalloc::Dlmalloc;

/// The arena's size in bytes. It holds what a run with a few dozen calls in flight needs, and it is zero pages that cost
/// nothing until they are touched.
const ARENA_BYTES: usize = 256 << 10;

/// The unit of `memory.grow` in bytes, given by the WebAssembly specification.
const PAGE_BYTES: usize = 64 << 10;

/// What a free-standing `memory.grow` says when there is no more; the specification's -1.
const CANNOT_GROW: usize = usize::MAX;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator(UnsafeCell::new(Dlmalloc::new_with_allocator(Segments)));

static ARENA: Arena =
    Arena { is_taken: Cell::new(false), bytes: UnsafeCell::new([0; ARENA_BYTES]) };

struct Allocator(UnsafeCell<Dlmalloc<Segments>>);

// SAFETY: this target has one thread, and no allocator call re-enters another.
unsafe impl Sync for Allocator {}

// SAFETY: dlmalloc gives out blocks of at least the size and alignment asked for, each until it is freed. The exclusive
// reference lives for one call, and calls don't overlap (above).
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { (*self.0.get()).malloc(layout.size(), layout.align()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe { (*self.0.get()).calloc(layout.size(), layout.align()) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { (*self.0.get()).free(block, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe { (*self.0.get()).realloc(block, layout.size(), layout.align(), size) }
    }
}

/// Bytes of the initial memory that dlmalloc gets as its first segment.
#[repr(align(16))]
struct Arena {
    is_taken: Cell<bool>,
    bytes: UnsafeCell<[u8; ARENA_BYTES]>,
}

// SAFETY: this target has one thread.
unsafe impl Sync for Arena {}

/// Where dlmalloc's segments come from. They are never given back: a WebAssembly memory doesn't shrink.
struct Segments;

// SAFETY: the arena is handed out once, and grown pages are fresh each time; both are zero, and nobody else uses them.
unsafe impl dlmalloc::Allocator for Segments {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        if size <= ARENA_BYTES && !ARENA.is_taken.replace(true) {
            return (ARENA.bytes.get().cast(), ARENA_BYTES, 0);
        }
        let pages = size.div_ceil(PAGE_BYTES);
        match memory_grow::<0>(pages) {
            CANNOT_GROW => (ptr::null_mut(), 0, 0),
            first => (ptr::with_exposed_provenance_mut(first * PAGE_BYTES), pages * PAGE_BYTES, 0),
        }
    }

    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        ptr::null_mut()
    }

    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool {
        false
    }

    fn free(&self, _: *mut u8, _: usize) -> bool {
        false
    }

    fn can_release_part(&self, _: u32) -> bool {
        false
    }

    fn allocates_zeros(&self) -> bool {
        true
    }

    fn page_size(&self) -> usize {
        PAGE_BYTES
    }
}
