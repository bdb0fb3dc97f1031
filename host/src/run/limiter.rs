//! The memory of one run: counted over all its instances, and refused beyond its limits.

use wasmtime::{Error, ResourceLimiter};

use crate::{
    engine::{Allocation, Engine},
    limits::{LimitReached, PoolLimits, RunLimits},
};

/// Counts what the instances of one store grow by.
pub(super) struct Limiter {
    limits: RunLimits,
    /// The places of a pool have a size.
    pool: Option<PoolLimits>,
    memory_bytes: usize,
    table_elements: usize,
    /// The first growth that was refused; the guest may have lived with it.
    refused: Option<LimitReached>,
}

impl Limiter {
    pub(super) fn new(limits: &RunLimits, engine: &Engine) -> Self {
        let pool = match engine.options().allocation {
            Allocation::OnDemand => None,
            Allocation::Pooled => Some(engine.limits().pool.clone()),
        };
        Self { limits: limits.clone(), pool, memory_bytes: 0, table_elements: 0, refused: None }
    }

    pub(super) fn refused(&self) -> Option<&LimitReached> {
        self.refused.as_ref()
    }

    /// Linear memory never shrinks, so what there is now is the peak.
    pub(super) fn peak_memory_bytes(&self) -> usize {
        self.memory_bytes
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, Error> {
        let total = self.memory_bytes.saturating_add(desired - current);
        if total > self.limits.max_memory_bytes {
            self.refused.get_or_insert_with(|| LimitReached::memory(&self.limits, total));
            return Ok(false);
        }
        if let Some(pool) = &self.pool
            && desired as u64 > pool.reserve_memory_bytes
        {
            self.refused.get_or_insert_with(|| LimitReached::reserved(pool, desired));
            return Ok(false);
        }
        self.memory_bytes = total;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, Error> {
        let total = self.table_elements.saturating_add(desired - current);
        if total > self.limits.max_table_elements {
            self.refused.get_or_insert_with(|| LimitReached::table(&self.limits, total));
            return Ok(false);
        }
        self.table_elements = total;
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.limits.max_instances
    }
}
