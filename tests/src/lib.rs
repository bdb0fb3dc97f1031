//! What the tests of Callgate share.

pub mod servers;
