//! Guests that trap, in each phase of a run, and guests that break the rules of returning.

use callgate_tests::components::{Parts, workflow_of};

use super::{End, Guest, end_as_they_should};

fn run(body: &str) -> String {
    format!(r#"(func (export "run") (param i32 i32) (result i32) {body})"#)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trap_in_any_phase_is_a_trap() {
    let unreachable = End::Trap("unreachable");
    let in_flight = "(drop (call $call (i32.const 128) (i32.const 256)))";
    let yields = run("(i32.const 1)");
    // An answer may be there at once; then there is nothing to wait for, but the callback's turn.
    let joined = run("(local $set i32) (local.set $set (call $set-new))
        (local.set 0 (i32.shr_u (call $call (i32.const 96) (i32.const 256)) (i32.const 4)))
        (if (i32.eqz (local.get 0)) (then (return (i32.const 1))))
        (call $join (local.get 0) (local.get $set))
        (i32.or (i32.const 2) (i32.shl (local.get $set) (i32.const 4)))");
    let guests = vec![
        Guest::alone(
            "in the start function",
            &format!("(func $start unreachable) (start $start) {}", run("unreachable")),
            unreachable,
        ),
        Guest::caller(
            "in the start function, with a handle that is none",
            &format!(
                "(func $start (call $subtask-drop (i32.const 0))) (start $start) {}",
                run("unreachable")
            ),
            End::Trap("unknown handle"),
        ),
        Guest::alone(
            "a data segment beyond the memory",
            &format!(r#"(data (i32.const 65535) "xx") {}"#, run("unreachable")),
            End::Trap("out of bounds memory"),
        ),
        Guest::alone(
            "elements beyond the table",
            &format!("(table 1 funcref) (func $f) (elem (i32.const 1) $f) {}", run("unreachable")),
            End::Trap("out of bounds table"),
        ),
        Guest::alone("before any call", &run("unreachable"), unreachable),
        Guest::caller(
            "with a call under way",
            &run(&format!("{in_flight} unreachable")),
            unreachable,
        ),
        Guest::caller_of(
            "in the callback, on another turn",
            Parts { code: &yields, ..Parts::default() },
            unreachable,
        ),
        Guest::caller_of(
            "in the callback, with an answer",
            Parts { code: &joined, ..Parts::default() },
            unreachable,
        ),
    ];

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_trap_says_what_it_was() {
    let traps = [
        ("(i32.div_u (i32.const 1) (i32.const 0))", "divide by zero"),
        ("(i32.div_s (i32.const 0x80000000) (i32.const -1))", "integer overflow"),
        ("(i32.trunc_f32_u (f32.const nan))", "invalid conversion"),
        ("(i32.load (i32.const -1))", "out of bounds memory"),
        ("(i32.load offset=0xffffffff (i32.const -1))", "out of bounds memory"),
        (
            "(memory.fill (i32.const 0) (i32.const 0) (i32.const -1)) (i32.const 0)",
            "out of bounds memory",
        ),
        (
            "(memory.copy (i32.const -1) (i32.const 0) (i32.const 2)) (i32.const 0)",
            "out of bounds memory",
        ),
        ("(call_indirect (type $run) (i32.const 0) (i32.const 0) (i32.const 0))", "uninitialized"),
        ("(call_indirect (type $run) (i32.const 0) (i32.const 0) (i32.const 1))", "mismatch"),
        (
            "(call_indirect (type $run) (i32.const 0) (i32.const 0) (i32.const 9))",
            "out of bounds table",
        ),
    ];

    let guests = traps
        .iter()
        .map(|(body, why)| {
            let code = format!(
                "(type $run (func (param i32 i32) (result i32))) (func $other)
                (table 2 funcref) (elem (i32.const 1) $other) {}",
                run(body)
            );
            Guest::alone(why, &code, End::Trap(why))
        })
        .collect();

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_given_once_and_in_time() {
    let guests = vec![
        Guest::caller("no result", &run("(i32.const 0)"), End::Trap("failed to produce a result")),
        Guest::caller(
            "two results",
            &run("(call $return-seven) (call $return-seven) (i32.const 0)"),
            End::Trap("more than once"),
        ),
        Guest::caller(
            "a result before the run",
            &format!("(func $start (call $return-seven)) (start $start) {}", run("(i32.const 0)")),
            End::Trap(""),
        ),
        Guest::caller(
            "cancels itself, unasked",
            &run("(call $task-cancel) (i32.const 0)"),
            End::Trap("not been cancelled"),
        ),
        Guest::caller(
            "a next step that is none",
            &run("(i32.const 9)"),
            End::Trap("callback code"),
        ),
        Guest::caller(
            "the most of a next step",
            &run("(i32.const -1)"),
            End::Trap("callback code"),
        ),
        Guest::caller("a wait on a set that isn't one", &run("(i32.const 0x4002)"), End::Trap("")),
        // The result is there once the guest gives way; until then it may still spoil it.
        Guest::caller(
            "a trap after the result",
            &run("(call $return-seven) unreachable"),
            End::Trap("unreachable"),
        ),
        Guest::caller(
            "a loop after the result",
            &run("(call $return-seven) (loop (br 0)) unreachable"),
            End::Limit("cpu_time"),
        ),
        Guest::caller_of(
            "another turn for ever after the result",
            Parts {
                code: &run("(call $return-seven) (i32.const 1)"),
                resumed: "(i32.const 1)",
                ..Parts::default()
            },
            End::Done("7"),
        ),
    ];

    end_as_they_should(guests).await;
}

/// Lifts a function of the component and lowers it for the same component again.
const REENTERS: &str = r#"
    (core module $inner (func (export "enter")))
    (core instance $inner (instantiate $inner))
    (func $enter (canon lift (core func $inner "enter")))
    (core func $enter-again (canon lower (func $enter)))"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_enters_itself_traps() {
    let reenters = workflow_of(Parts {
        definitions: REENTERS,
        imports: r#"(export "enter" (func $enter-again))"#,
        code: &format!(
            r#"(import "host" "enter" (func $enter)) {}"#,
            run("(call $enter) unreachable")
        ),
        ..Parts::default()
    });

    end_as_they_should(vec![Guest::of("enters itself", reenters, End::Trap("cannot enter"))]).await;
}
