//! From options to wasmtime's settings, and what is done where the machine lacks something.

use wasmtime::{
    Config, Enabled, Engine, Error, InstanceAllocationStrategy, PoolingAllocationConfig,
};

use super::{Allocation, EngineOptions};
use crate::limits::{EngineLimits, PoolLimits};

/// Makes the engine. Writes into the options what it had to do without.
pub(super) fn engine(options: &mut EngineOptions) -> Result<Engine, Error> {
    let mut config = config(options);
    if options.allocation == Allocation::Pooled {
        config.memory_reservation(options.limits.pool.reserve_memory_bytes);
        config.allocation_strategy(pool(&mut options.limits));
        match Engine::new(&config) {
            Ok(engine) => return Ok(engine),
            Err(error) => {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "the pool can't be reserved: runs get their memory from the system one by one"
                );
                options.allocation = Allocation::OnDemand;
                config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
            }
        }
    }
    Engine::new(&config)
}

/// What both allocations have in common, so that compiled code fits either.
fn config(options: &EngineOptions) -> Config {
    let limits = &options.limits;
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        .consume_fuel(options.counts_fuel)
        .max_wasm_stack(limits.max_stack_bytes)
        .async_stack_size(limits.max_stack_bytes.saturating_add(limits.host_stack_bytes))
        // An image is mapped, and copied page by page as the guest writes.
        .memory_init_cow(true);
    config
}

fn pool(limits: &mut EngineLimits) -> InstanceAllocationStrategy {
    let limits = &mut limits.pool;
    let mut pool = PoolingAllocationConfig::new();
    if PoolingAllocationConfig::is_pagemap_scan_available() {
        pool.pagemap_scan(Enabled::Yes);
    } else {
        tracing::info!(
            "the kernel doesn't tell which pages a run touched (PAGEMAP_SCAN, Linux 6.7): the pool gives all back after each"
        );
        // Zeroing what was never touched costs more than mapping it anew.
        limits.keep_memory_bytes = 0;
        limits.keep_table_bytes = 0;
    }
    let PoolLimits { max_places, max_per_module, max_warm_slots, .. } = *limits;
    pool.total_memories(max_places)
        .total_tables(max_places.saturating_mul(limits.tables_per_place))
        .total_stacks(max_places.saturating_mul(limits.stacks_per_place))
        .total_core_instances(max_places.saturating_mul(limits.instances_per_place))
        .total_component_instances(max_places)
        .max_unused_warm_slots(max_warm_slots)
        .max_memory_size(usize::try_from(limits.reserve_memory_bytes).unwrap_or(usize::MAX))
        .max_core_instance_size(limits.max_instance_bytes)
        .max_component_instance_size(limits.max_instance_bytes)
        .table_elements(limits.max_table_elements)
        .max_memories_per_module(max_per_module)
        .max_tables_per_module(max_per_module)
        .linear_memory_keep_resident(limits.keep_memory_bytes)
        .table_keep_resident(limits.keep_table_bytes);
    InstanceAllocationStrategy::Pooling(pool)
}
