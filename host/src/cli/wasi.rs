//! `--wasi`, `--seed` and `--clock`: what becomes of components that need WASI, and what they and scripts see instead of a world.

use std::time::Duration;

use crate::{engine::WasiPolicy, run::VirtualWorld};

/// What a component that needs WASI gets.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    policy: Policy,
    /// What all randomness follows from that a script, or a component with WASI, sees
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// What the clock that it sees shows at the start, in seconds since 1970 [default: 2026-01-01T00:00:00Z]
    #[arg(long, value_name = "SECONDS")]
    clock: Option<u64>,
}

/// Whether components may need WASI.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Policy {
    /// What becomes of a component that needs WASI [default: what the configuration says, or refuse]
    #[arg(long, value_name = "WHAT", value_enum)]
    wasi: Option<Wasi>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Wasi {
    /// It is refused
    Refuse,
    /// It gets one without power: a virtual clock, seeded randomness, no files, environment or network
    Deterministic,
}

impl Policy {
    /// The option, or else what is said elsewhere.
    pub(super) fn or(&self, elsewhere: WasiPolicy) -> WasiPolicy {
        match self.wasi {
            None => elsewhere,
            Some(Wasi::Refuse) => WasiPolicy::Refuse,
            Some(Wasi::Deterministic) => WasiPolicy::Deterministic,
        }
    }
}

impl Arguments {
    pub(super) fn policy(&self, configured: WasiPolicy) -> WasiPolicy {
        self.policy.or(configured)
    }

    pub(super) fn world(&self) -> VirtualWorld {
        let clock = self.clock.map_or(VirtualWorld::default().clock, Duration::from_secs);
        VirtualWorld { seed: self.seed, clock }
    }
}
