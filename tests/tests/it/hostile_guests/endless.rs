//! Guests that never come to an end by themselves.

use std::time::Duration;

use callgate_tests::components::{Parts, RETURNS_AN_ANSWER};

use super::{End, Guest, end_as_they_should};

/// Core code whose `run` is this body.
fn run(body: &str) -> String {
    format!(r#"(func (export "run") (param i32 i32) (result i32) {body} unreachable)"#)
}

#[tokio::test(flavor = "multi_thread")]
async fn loops_of_every_form_end_at_their_processor_time() {
    let end = End::Limit("cpu_time");
    let loops = [
        ("an empty loop", run("(loop (br 0))")),
        ("a loop by a table of branches", run("(loop (br_table 0 0 0 (i32.const 1)))")),
        (
            "a loop that computes",
            run("(loop (local.set 0 (i32.add (local.get 0) (i32.const 1))) (br 0))"),
        ),
        (
            "a loop of loads and stores",
            run("(loop (i32.store (i32.const 8) (i32.load (i32.const 16))) (br 0))"),
        ),
        (
            "a loop of divisions",
            run("(loop (local.set 0 (i32.div_u (local.get 0) (i32.const 3))) (br 0))"),
        ),
        ("two loops in each other", run("(loop (loop (br_if 0 (i32.eqz (local.get 1)))) (br 0))")),
        ("a loop that asks for no memory", run("(loop (drop (memory.grow (i32.const 0))) (br 0))")),
        (
            "a loop that asks for too much memory",
            run("(loop (drop (memory.grow (i32.const 60000))) (br 0))"),
        ),
        (
            "a loop of calls",
            format!("(func $callee (nop)) {}", run("(loop (call $callee) (br 0))")),
        ),
        (
            "two functions that take turns for ever",
            format!(
                "(func $one (return_call $other)) (func $other (return_call $one)) {}",
                run("(call $one)")
            ),
        ),
        (
            "a tail call through a table",
            format!(
                "(type $f (func)) (table 1 funcref) (elem (i32.const 0) $f)
                (func $f (return_call_indirect (type $f) (i32.const 0))) {}",
                run("(call $f)")
            ),
        ),
    ];

    let guests = loops.iter().map(|(name, code)| Guest::alone(name, code, end)).collect();

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hogs_of_bulk_instructions_end_at_their_processor_time() {
    let end = End::Limit("cpu_time");
    let all = "(drop (memory.grow (i32.const 255)))";
    let hogs = [
        (
            "fills all its memory for ever",
            run(&format!(
                "{all} (loop (memory.fill (i32.const 0) (i32.const 1) (i32.const 0x1000000)) (br 0))"
            )),
        ),
        (
            "copies all its memory for ever",
            run(&format!(
                "{all} (loop (memory.copy (i32.const 0) (i32.const 1) (i32.const 0xffffff)) (br 0))"
            )),
        ),
        (
            "writes a data segment for ever",
            format!(
                r#"(data $text "some text") {}"#,
                run("(loop (memory.init $text (i32.const 0) (i32.const 0) (i32.const 9)) (br 0))")
            ),
        ),
        (
            "fills a table for ever",
            format!(
                "(table $t 9000 funcref) {}",
                run("(loop (table.fill $t (i32.const 0) (ref.null func) (i32.const 9000)) (br 0))")
            ),
        ),
        (
            "copies a table for ever",
            format!(
                "(table $t 9000 funcref) {}",
                run(
                    "(loop (table.copy $t $t (i32.const 0) (i32.const 1) (i32.const 8999)) (br 0))"
                )
            ),
        ),
    ];

    let guests = hogs.iter().map(|(name, code)| Guest::alone(name, code, end)).collect();

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn recursion_and_growth_end_at_their_own_limits() {
    let recursion = [
        ("calls itself", "(func $f (call $f) (nop)) (func $g)".to_owned()),
        (
            "two that call each other",
            "(func $f (call $g) (nop)) (func $g (call $f) (nop))".to_owned(),
        ),
        (
            "calls itself through a table",
            "(type $t (func)) (table 1 funcref) (elem (i32.const 0) $f)
            (func $f (call_indirect (type $t) (i32.const 0)) (nop))"
                .to_owned(),
        ),
        (
            "a frame of a thousand numbers",
            format!(
                "(func $f (local {}) (call $f) (local.set 999 (i64.const 1)))",
                "i64 ".repeat(1000)
            ),
        ),
    ];
    let mut guests: Vec<Guest> = recursion
        .iter()
        .map(|(name, code)| {
            Guest::alone(
                name,
                &format!("{code} {}", run("(call $f)")),
                End::Limit("max_stack_bytes"),
            )
        })
        .collect();
    guests.extend([
        Guest::alone(
            "memory without end",
            &run("(loop (br_if 0 (i32.ne (i32.const -1) (memory.grow (i32.const 1)))))"),
            End::Limit("max_memory_bytes"),
        ),
        Guest::alone(
            "memory without end, in a memory of its own",
            &format!(
                "(memory $mine 1) {}",
                run("(loop (br_if 0 (i32.ne (i32.const -1) (memory.grow $mine (i32.const 10)))))")
            ),
            End::Limit("max_memory_bytes"),
        ),
        Guest::alone(
            "a table without end",
            &format!(
                "(table $t 0 funcref) {}",
                run("(loop (br_if 0 (i32.ne (i32.const -1) (table.grow $t (ref.null func) (i32.const 100)))))")
            ),
            End::Limit("max_table_elements"),
        ),
        Guest::alone(
            "all the elements of a table at once",
            &format!(
                "(table $t 0 funcref) {}",
                run("(drop (table.grow $t (ref.null func) (i32.const -1)))")
            ),
            End::Limit("max_table_elements"),
        ),
    ]);

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_work_outside_of_the_run_function_is_no_way_around() {
    let end = End::Limit("cpu_time");
    let spin = "(loop (br 0)) unreachable";
    let yields = r#"(func (export "run") (param i32 i32) (result i32) (i32.const 1))"#;
    let guests = vec![
        Guest::alone(
            "a start function that loops",
            &format!("(func $start (loop (br 0))) (start $start) {}", run("")),
            end,
        ),
        Guest::caller_of(
            "giving room for the input loops",
            Parts { code: &run(""), realloc: spin, ..Parts::default() },
            end,
        ),
        Guest::caller_of(
            "giving room for an answer loops",
            Parts {
                code: RETURNS_AN_ANSWER,
                // The input takes the first turn.
                realloc: "(if (i32.gt_u (global.get $next) (i32.const 1024)) (then (loop (br 0))))
                    (global.set $next (i32.const 2048)) (i32.const 1024)",
                ..Parts::default()
            },
            end,
        ),
        Guest::caller_of(
            "a callback that loops",
            Parts { code: yields, resumed: spin, ..Parts::default() },
            end,
        ),
        Guest::caller_of(
            "another turn for ever",
            Parts { code: yields, resumed: "(i32.const 1)", ..Parts::default() },
            end,
        ),
        Guest::caller("gives way for ever", &run("(loop (drop (call $yield)) (br 0))"), end),
        Guest::caller(
            "asks an empty set for ever",
            &run("(local $set i32) (local.set $set (call $set-new))
                (loop (drop (call $set-poll (local.get $set) (i32.const 256))) (br 0))"),
            end,
        ),
        Guest::caller(
            "waits for nothing",
            &run("(drop (call $set-wait (call $set-new) (i32.const 256)))"),
            End::Trap("deadlock"),
        ),
        Guest::caller(
            "returns to wait for nothing",
            r#"(func (export "run") (param i32 i32) (result i32)
                (i32.or (i32.const 2) (i32.shl (call $set-new) (i32.const 4))))"#,
            End::Trap("deadlock"),
        ),
        Guest::caller(
            "waits for a call that nobody answers",
            &run("(local $set i32) (local.set $set (call $set-new))
                (call $join (i32.shr_u (call $call (i32.const 128) (i32.const 256)) (i32.const 4)) (local.get $set))
                (drop (call $set-wait (local.get $set) (i32.const 512)))"),
            End::Limit("wall_clock"),
        )
        .within(|limits| limits.wall_clock = Duration::from_millis(200)),
        Guest::caller(
            "blocks in a call that nobody answers",
            &run("(call $block (i32.const 32) (i32.const 4) (i32.const 52) (i32.const 4)
                (i32.const 64) (i32.const 2) (i32.const 256))"),
            End::Limit("wall_clock"),
        )
        .within(|limits| limits.wall_clock = Duration::from_millis(200)),
    ];

    end_as_they_should(guests).await;
}
