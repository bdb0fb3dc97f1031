//! A WASI without any power, for components of toolchains that insist on one: a virtual clock, seeded randomness, no files, no
//! environment, no network, and what is written to stdout and stderr kept as logs.
//!
//! The same run with the same answers of tools sees the same WASI each time.

mod clock;
mod output;

use std::time::Duration;

use rand::{SeedableRng, rngs::StdRng};
use serde::Serialize;
use wasmtime::{
    Result,
    component::{Linker, ResourceTable},
};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView, p2};

use self::{clock::VirtualClock, output::LogOutput};
use super::{Ctx, LogStream, LogWriter};
use crate::{gate::millis, limits::RunLimits};

/// What a run sees instead of the world, where it looks for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct VirtualWorld {
    /// All randomness follows from it.
    pub seed: u64,
    /// What the clock shows at the start of the run, counted from 1970-01-01T00:00:00Z.
    #[serde(rename = "clock_ms", serialize_with = "millis")]
    pub clock: Duration,
}

impl Default for VirtualWorld {
    /// The seed 0, and 2026-01-01T00:00:00Z.
    fn default() -> Self {
        Self { seed: 0, clock: Duration::from_secs(1_767_225_600) }
    }
}

/// One run's WASI.
pub(super) struct Wasi {
    ctx: WasiCtx,
    clock: VirtualClock,
    table: ResourceTable,
}

impl Wasi {
    pub(super) fn new(world: &VirtualWorld, limits: &RunLimits, logs: &LogWriter) -> Self {
        let clock = VirtualClock::new(world.clock);
        let mut ctx = WasiCtxBuilder::new();
        // Each source of randomness has a stream of its own, so that reading one doesn't move the other.
        ctx.secure_random(StdRng::seed_from_u64(world.seed))
            .insecure_random(StdRng::seed_from_u64(world.seed.wrapping_add(1)))
            .insecure_random_seed(world.seed.into())
            .max_random_size(limits.max_random_bytes)
            .wall_clock(clock.clone())
            .monotonic_clock(clock.clone())
            .stdout(LogOutput::new(logs, LogStream::Stdout))
            .stderr(LogOutput::new(logs, LogStream::Stderr))
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false);
        Self { ctx: ctx.build(), clock, table: ResourceTable::new() }
    }
}

/// Gives components a WASI; the store has to have one then.
pub(crate) fn add_to_linker(linker: &mut Linker<Ctx>) -> Result<()> {
    p2::add_to_linker_async(linker)?;
    // In place of the timers that wait on the clock of the machine.
    linker.allow_shadowing(true);
    clock::add_to_linker(linker)?;
    linker.allow_shadowing(false);
    Ok(())
}

impl WasiView for Ctx {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let wasi = self.wasi.as_mut().expect("a workflow that is linked with WASI runs with it");
        WasiCtxView { ctx: &mut wasi.ctx, table: &mut wasi.table }
    }
}
