//! Bindings as `callgate bindings rust` writes them. They are golden files: that they compile without a warning is checked by
//! building this crate, and that they are what is written, by the tests of the command.

pub mod files;
pub mod hostile;
pub mod tricky;
