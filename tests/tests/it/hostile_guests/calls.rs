//! Guests that call tools without measure.

use callgate::{Allocation, Ending};
use callgate_tests::components::{self, Parts};

use super::{End, Guest, Host, end_as_they_should, load, tight};

/// Room for answers that is used over and over: what storms are told doesn't matter to them.
const SAME_PLACE: &str = "(i32.const 4096)";

/// Calls without waiting: `count` times that described at `call`.
fn flood(call: u32, count: u32, then: &str) -> String {
    format!(
        r#"(func (export "run") (param i32 i32) (result i32)
            (local.set 0 (i32.const {count}))
            (loop
                (drop (call $call (i32.const {call}) (i32.const 256)))
                (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
            {then})"#
    )
}

/// One call after the other, without end.
const SEQUENCE: &str = r#"(func (export "run") (param i32 i32) (result i32)
    (loop
        (call $block (i32.const 32) (i32.const 4) (i32.const 48) (i32.const 4)
            (i32.const 64) (i32.const 2) (i32.const 256))
        (br 0))
    unreachable)"#;

fn with(code: &str) -> Parts<'_> {
    Parts { code, realloc: SAME_PLACE, ..Parts::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn storms_of_calls_end_at_a_limit() {
    let waits_for_all = r"(local $set i32)
        (local.set $set (call $set-new))
        (local.set 0 (i32.const 100))
        (loop
            (call $join
                (i32.shr_u (call $call (i32.const 128) (i32.const 256)) (i32.const 4)) (local.get $set))
            (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (drop (call $set-wait (local.get $set) (i32.const 512)))
        unreachable";
    let starts_and_cancels = r#"(func (export "run") (param i32 i32) (result i32)
        (loop
            (local.set 0 (i32.shr_u (call $call (i32.const 128) (i32.const 256)) (i32.const 4)))
            (drop (call $subtask-cancel (local.get 0)))
            (call $subtask-drop (local.get 0))
            (br 0))
        unreachable)"#;
    let at_start = format!(
        r#"(func $start (loop (drop (call $call (i32.const 128) (i32.const 256))) (br 0)))
            (start $start) {}"#,
        flood(96, 1, "unreachable")
    );
    let short = |limits: &mut callgate::RunLimits| {
        limits.wall_clock = std::time::Duration::from_millis(300);
    };
    let guests = vec![
        Guest::caller_of("one after the other", with(SEQUENCE), End::Limit("max_calls")),
        Guest::caller(
            "all at once, none awaited",
            &flood(128, 100_000, "unreachable"),
            End::Limit("max_calls"),
        ),
        Guest::caller(
            "more at once than there may be handles",
            &flood(128, 100_000, "unreachable"),
            End::Limit("max_component_handles"),
        )
        .within(|limits| limits.max_calls = u64::MAX),
        Guest::caller(
            "a flood, and the result",
            &flood(128, 400, "(call $return-seven) (i32.const 0)"),
            End::Done("7"),
        ),
        Guest::caller(
            "a flood, and a trap",
            &flood(128, 400, "unreachable"),
            End::Trap("unreachable"),
        ),
        Guest::caller(
            "a flood, and a loop",
            &flood(128, 400, "(loop (br 0)) unreachable"),
            End::Limit("cpu_time"),
        ),
        Guest::caller(
            "a flood, and no result",
            &flood(128, 400, "(i32.const 0)"),
            End::Trap("result"),
        ),
        Guest::caller(
            "a flood, and a wait for all of it",
            &format!(r#"(func (export "run") (param i32 i32) (result i32) {waits_for_all})"#),
            End::Limit("wall_clock"),
        )
        .within(short),
        Guest::caller_of(
            "starts and cancels without end",
            with(starts_and_cancels),
            End::Limit("max_calls"),
        ),
        Guest::caller("a storm before the run function", &at_start, End::Limit("max_calls")),
    ];

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_nobody_awaits_are_cancelled_with_the_run() {
    let host = Host::new(Allocation::OnDemand).await;
    let flood = flood(128, 200, "(call $return-seven) (i32.const 0)");
    let workflow = load(&host.engine, components::caller(&flood)).await.unwrap();

    let report = host.run(&workflow, tight()).await;

    assert_eq!(report.calls.len(), 200);
    assert!(report.calls.iter().all(|call| call.outcome == Ending::Cancelled), "{report:?}");
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_beyond_measure_are_refused_or_end_the_run() {
    // The memory grows to 16 MiB of spaces, which the call takes so much of.
    let code = |bytes: u32| {
        format!(
            r#"(func (export "run") (param i32 i32) (result i32)
                (drop (memory.grow (i32.const 200)))
                (memory.fill (i32.const 65536) (i32.const 32) (i32.const {bytes}))
                (call $block (i32.const 32) (i32.const 4) (i32.const 48) (i32.const 4)
                    (i32.const 65536) (i32.const {bytes}) (i32.const 256))
                (if (i32.eqz (i32.load8_u (i32.const 256))) (then unreachable))
                (call $return-seven) (i32.const 0))"#
        )
    };
    let guests = vec![
        Guest::caller("over the limit of arguments", &code(2 << 20), End::Done("7")),
        Guest::caller(
            "over the limit of transfer",
            &code(5 << 20),
            End::Limit("max_transfer_bytes"),
        ),
        Guest::caller("within both, and no JSON", &code(1 << 20), End::Done("7")),
    ];

    end_as_they_should(guests).await;
}
