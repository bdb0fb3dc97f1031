//! What the tests of Callgate share.
#![allow(clippy::unwrap_used, reason = "all of this crate is test code")]

pub mod browser;
pub mod components;
pub mod fake;
pub mod guests;
#[cfg(unix)]
pub mod hostile;
#[cfg(unix)]
pub mod hostile_http;
pub mod servers;
#[cfg(unix)]
pub mod soak;
