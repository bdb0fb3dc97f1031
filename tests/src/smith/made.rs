//! What a seed makes.

use arbitrary::Unstructured;
use wasm_smith::{Component, Config, Module};

use crate::{
    components::{self, Parts, RETURNS_AN_ANSWER},
    dice::Dice,
};

/// Bytes that chance is read from. What they are used up on is half of what they were, so this is a few functions.
const BYTES: usize = 4096;

/// One component of a seed.
pub(super) struct Made {
    pub(super) kind: &'static str,
    /// None where chance ran out of bytes before it made one.
    pub(super) bytes: Option<Vec<u8>>,
}

/// All that the seed makes; the same each time.
pub(super) fn of_seed(seed: u64) -> [Made; 3] {
    let mut dice = Dice::new(seed);
    let chance = bytes(&mut dice);
    [
        Made { kind: "any component", bytes: component(&chance) },
        Made { kind: "a workflow around any module", bytes: around_a_module(&mut dice, &chance) },
        Made { kind: "a good workflow with wrong bytes", bytes: Some(spoiled(&mut dice)) },
    ]
}

fn bytes(dice: &mut Dice) -> Vec<u8> {
    (0..BYTES / 8).flat_map(|_| dice.draw().to_le_bytes()).collect()
}

fn component(chance: &[u8]) -> Option<Vec<u8>> {
    let component = Component::new(Config::default(), &mut Unstructured::new(chance)).ok()?;
    Some(component.to_bytes())
}

/// A module that has `run` and the callback, and imports of the frame what it likes.
fn around_a_module(dice: &mut Dice, chance: &[u8]) -> Option<Vec<u8>> {
    let shape = |fields: &str| Some(wat::parse_str(format!("(module {fields})")).unwrap());
    let mut config = Config {
        available_imports: shape(&format!(
            r#"(import "libc" "memory" (memory 1))
            (import "frame" "return" (func (param i32 i32 i32 i32 i32 i32 i32 i32))) {}"#,
            components::imports_of_callers()
        )),
        exports: shape(
            r#"(func (export "run") (param i32 i32) (result i32) unreachable)
            (func (export "resumed") (param i32 i32 i32) (result i32) unreachable)"#,
        ),
        max_memories: 3,
        max_tables: 3,
        max_instructions: 300,
        ..Config::default()
    };
    // Most modules keep to what the engine has on, and half of them to what doesn't trap, so that they come further.
    if dice.happens(800) {
        config.gc_enabled = false;
        // With the types of references come some that only a collector has.
        config.reference_types_enabled = false;
        config.exceptions_enabled = false;
        config.custom_page_sizes_enabled = false;
        config.threads_enabled = false;
        config.shared_everything_threads_enabled = false;
        config.wide_arithmetic_enabled = false;
        config.memory64_enabled = false;
    }
    config.disallow_traps = dice.happens(500);
    config.allow_start_export = dice.happens(300);
    let module = Module::new(config, &mut Unstructured::new(chance)).ok()?;
    Some(components::caller_of_module(&module.to_bytes()))
}

/// A good workflow of which up to eight bytes are others, or a piece is missing.
fn spoiled(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = components::caller_of(Parts { code: RETURNS_AN_ANSWER, ..Parts::default() });
    // One wrong byte is often one that nobody looks at before the run.
    let wrong = if dice.happens(700) { 1 } else { dice.between(2..9) };
    for _ in 0..wrong {
        let at = dice.index(bytes.len());
        bytes[at] ^= 1 << dice.between(0..8);
    }
    if dice.happens(100) {
        let from = dice.index(bytes.len());
        let length = dice.index(bytes.len() - from).min(20);
        bytes.drain(from..from + length);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_each_time_and_another_one_something_else() {
        let bytes = |seed| of_seed(seed).map(|made| made.bytes);

        assert!(bytes(7) == bytes(7));
        assert!(bytes(7) != bytes(8));
    }
}
