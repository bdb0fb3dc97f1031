//! What the tests of Callgate share.
#![allow(clippy::unwrap_used, reason = "all of this crate is test code")]

pub mod browser;
pub mod components;
#[cfg_attr(not(unix), expect(dead_code, reason = "the soak, which draws more, is for Unix"))]
mod dice;
pub mod elsewhere;
pub mod fake;
pub mod guests;
#[cfg(unix)]
pub mod hostile;
#[cfg(unix)]
pub mod hostile_http;
mod installed;
pub mod servers;
pub mod smith;
#[cfg(unix)]
pub mod soak;
pub mod test262;
