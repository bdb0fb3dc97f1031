//! `callgate componentize`: from the core module that a compiler makes to a component.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use wit_component::{ComponentEncoder, metadata};

use super::{Done, exit::Exit};

/// Make a component from a core module that was built with the guest SDK or wit-bindgen
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The core module, for example target/wasm32-unknown-unknown/release/flow.wasm
    #[arg(value_name = "MODULE")]
    module: PathBuf,
    /// Where to write the component
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
}

pub(super) fn componentize(arguments: &Arguments) -> Done {
    let Arguments { module, output } = arguments;
    let bytes =
        std::fs::read(module).with_context(|| format!("can't read {}", module.display()))?;
    let component = encode(&bytes)
        .with_context(|| format!("can't make a component of {}", module.display()))?;
    std::fs::write(output, component)
        .with_context(|| format!("can't write {}", output.display()))?;
    Ok(Exit::Done)
}

fn encode(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    // The encoder would make an empty component of it, and the mistake would show only when that is run.
    let (described, _) = metadata::decode(module)?;
    ensure!(described.is_some(), "it has no description of its world inside");
    ComponentEncoder::default().module(module)?.validate(true).encode()
}
