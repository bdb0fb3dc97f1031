//! The components that are measured, built for the benchmark that asks.
#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::{env, fs, process};

use callgate_guest_build::{Guests, build};

/// The tiny guests of the tests with these names, as components.
pub(crate) fn tiny<const N: usize>(names: [&str; N]) -> [Vec<u8>; N] {
    let folder = env::temp_dir().join(format!("callgate-bench-{}", process::id()));
    build(&[Guests::Examples("test-guests")], &folder).expect("the guests build");
    let components =
        names.map(|name| fs::read(folder.join(name).with_extension("wasm")).expect("it was built"));
    fs::remove_dir_all(&folder).expect("the folder can go");
    components
}
