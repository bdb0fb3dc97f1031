//! Components that chance makes: whatever it is, it comes to an end that has a name.

use callgate_tests::smith::{Smith, Tally};

#[tokio::test(flavor = "multi_thread")]
async fn generated_components_come_to_an_end_that_has_a_name() {
    let smith = Smith::new();
    let mut tally = Tally::default();

    for seed in 0..SEEDS {
        tally.add(seed, smith.try_seed(seed).await);
    }

    assert!(tally.wrong.is_empty(), "{tally}");
    // If hardly any of them ran, this would prove little.
    for kind in ["a workflow around any module", "a good workflow with wrong bytes"] {
        assert!(tally.ran(kind) > SEEDS / 10, "{tally}");
    }
}

/// A few seconds; `cargo xtask smith` tries as many as are wanted.
const SEEDS: u64 = 200;
