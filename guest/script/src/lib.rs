//! The runner of scripts: a component of the world `workflow` with a JavaScript engine and a prelude inside.
//!
//! Its input has the script in it, and its output what the script says: see `docs/scripts.md`. This crate only carries the bytes,
//! which `build.rs` makes of the sources in `c` and `js`.

/// The component.
pub const RUNNER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runner.wasm"));
