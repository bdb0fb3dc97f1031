//! The bounds of the sandbox engine and of its pool: what all runs of one engine have in common.

use std::time::Duration;

use super::CacheLimits;

/// The bounds of one engine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EngineLimits {
    /// How often a guest that computes gives way to others. Shorter is fairer and costs switches. Protects runs from each other.
    pub tick: Duration,
    /// How long no run has to be there before the ticks pause. Protects the batteries of idle hosts.
    pub idle_after: Duration,
    /// Bytes of stack of a guest. Deeper recursion ends the run. Protects the host from guests.
    pub max_stack_bytes: usize,
    /// Bytes of stack that are left for the host beneath a guest that has used up its own. Untouched pages cost nothing.
    /// Protects the host from guests.
    pub host_stack_bytes: usize,
    /// Bytes of a component, which take a millisecond of compiling per KiB. Protects the processor from whoever gives it.
    pub max_component_bytes: usize,
    /// Definitions of a component, with those of what it instantiates each time it does: functions, aliases, instances. The
    /// compiler writes them all out. Protects the processor and memory from whoever gives the component.
    pub max_unfolded_items: usize,
    /// The bounds of the pool, where there is one.
    pub pool: PoolLimits,
    /// The bounds of the cache of compiled components, where there is one.
    pub cache: CacheLimits,
}

impl Default for EngineLimits {
    fn default() -> Self {
        Self {
            tick: Duration::from_micros(500),
            idle_after: Duration::from_secs(1),
            max_stack_bytes: 512 << 10,
            host_stack_bytes: 1536 << 10,
            max_component_bytes: 64 << 20,
            max_unfolded_items: 100_000,
            pool: PoolLimits::default(),
            cache: CacheLimits::default(),
        }
    }
}

/// The bounds of the pool of one engine. A place is what a workflow of one module needs; one that is composed of several
/// takes as many. Reserving costs address space and 2 us a place, and no memory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PoolLimits {
    /// Places: runs at once, more wait. 20,000 fit into the address space, and fewer into the system's `vm.max_map_count`.
    pub max_places: u32,
    /// Tables of one place. The usual component has one of its own and one that adapts its calls.
    pub tables_per_place: u32,
    /// Stacks of one place. A run takes more than one where a component in it blocks in several calls at once. Each is two of
    /// the system's mappings from the start, so with 1 it is 10,000 places that fit into `vm.max_map_count`, with 2 it is 8,000.
    pub stacks_per_place: u32,
    /// Core instances of one place; they are counted and cost nothing before they are there.
    pub instances_per_place: u32,
    /// Elements of one table, for which the pool keeps address space.
    pub max_table_elements: usize,
    /// Bytes of what the host keeps for one instance, which grows with its functions. Protects the host's memory from guests.
    pub max_instance_bytes: usize,
    /// Memories, and tables, that one core module may declare.
    pub max_per_module: u32,
    /// Places that stay prepared for the workflow that used them last. Protects the host's memory from workflows that are gone.
    pub max_warm_slots: u32,
    /// Bytes of address space that are set aside for one memory, which can't grow beyond. With less than 4 GiB more places fit,
    /// and guests check their bounds themselves, which costs a sixth.
    pub reserve_memory_bytes: u64,
    /// Bytes of a memory that stay with the pool after a run, where the kernel tells which pages were touched. Zeroing them
    /// is cheaper than giving them back, up to what a short run touches. Where it doesn't tell, none stay. All places that were
    /// ever in use at once keep as much as they touched, up to this.
    pub keep_memory_bytes: usize,
    /// Bytes of a table that stay with the pool after a run, on the same condition.
    pub keep_table_bytes: usize,
}

impl Default for PoolLimits {
    fn default() -> Self {
        Self {
            max_places: 1_000,
            tables_per_place: 2,
            stacks_per_place: 2,
            instances_per_place: 64,
            max_table_elements: 100_000,
            max_instance_bytes: 8 << 20,
            max_per_module: 4,
            max_warm_slots: 100,
            reserve_memory_bytes: 4 << 30,
            keep_memory_bytes: 512 << 10,
            keep_table_bytes: 160 << 10,
        }
    }
}
