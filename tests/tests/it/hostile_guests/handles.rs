//! Guests that misuse handles: of calls, of sets to wait on, of streams.

use callgate_tests::components::{Parts, workflow_of};

use super::{End, Guest, end_as_they_should};

fn run(body: &str) -> String {
    format!(
        r#"(func (export "run") (param i32 i32) (result i32) (local $set i32) (local $task i32)
            {body} (call $return-seven) (i32.const 0))"#
    )
}

/// Starts a call that nobody answers.
const STARTED: &str =
    "(local.set $task (i32.shr_u (call $call (i32.const 128) (i32.const 256)) (i32.const 4)))";

#[tokio::test(flavor = "multi_thread")]
async fn handles_without_end_end_at_their_limit() {
    let end = End::Limit("max_component_handles");
    let resource = workflow_of(Parts {
        definitions: "(type $thing (resource (rep i32))) (core func $new (canon resource.new $thing))",
        imports: r#"(export "new" (func $new))"#,
        code: r#"(import "host" "new" (func $new (param i32) (result i32)))
            (func (export "run") (param i32 i32) (result i32)
                (loop (drop (call $new (i32.const 1))) (br 0)) unreachable)"#,
        ..Parts::default()
    });
    let guests = vec![
        Guest::of("resources", resource, end),
        Guest::caller("sets", &run("(loop (drop (call $set-new)) (br 0))"), end),
        Guest::caller("streams", &run("(loop (drop (call $stream-new)) (br 0))"), end),
        Guest::caller("futures", &run("(loop (drop (call $future-new)) (br 0))"), end),
    ];

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn handles_that_are_none_trap() {
    let guests = [
        ("joins what is no call", "(call $join (i32.const 77) (call $set-new))"),
        ("joins handle 0", "(call $join (i32.const 0) (call $set-new))"),
        (
            "joins a set into itself",
            "(local.set $set (call $set-new)) (call $join (local.get $set) (local.get $set))",
        ),
        ("drops a call that isn't there", "(call $subtask-drop (i32.const 1))"),
        ("drops the largest handle", "(call $subtask-drop (i32.const -1))"),
        ("cancels a call that isn't there", "(drop (call $subtask-cancel (i32.const 5)))"),
        ("cancels a set", "(drop (call $subtask-cancel (call $set-new)))"),
        ("drops a set that isn't there", "(call $set-drop (i32.const 3))"),
        (
            "drops a set twice",
            "(local.set $set (call $set-new)) (call $set-drop (local.get $set)) (call $set-drop (local.get $set))",
        ),
        ("waits on what is no set", "(drop (call $set-wait (i32.const 4) (i32.const 256)))"),
        ("asks what is no set", "(drop (call $set-poll (i32.const 4) (i32.const 256)))"),
        (
            "reads a stream that isn't there",
            "(drop (call $stream-read (i32.const 2) (i32.const 256) (i32.const 1)))",
        ),
        (
            "an event beyond the memory",
            "(drop (call $set-poll (call $set-new) (i32.const 0x7fff0000)))",
        ),
    ];

    let guests =
        guests.iter().map(|(name, body)| Guest::caller(name, &run(body), End::Trap(""))).collect();

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_under_way_are_cancelled_or_kept_but_never_lost() {
    let guests = [
        ("drops a call under way", format!("{STARTED} (call $subtask-drop (local.get $task))"), End::Trap("not yet resolved")),
        (
            "cancels a call and drops it",
            format!("{STARTED} (drop (call $subtask-cancel (local.get $task))) (call $subtask-drop (local.get $task))"),
            End::Done("7"),
        ),
        (
            "cancels a call twice",
            format!("{STARTED} (drop (call $subtask-cancel (local.get $task))) (drop (call $subtask-cancel (local.get $task)))"),
            End::Trap("after terminal"),
        ),
        (
            "drops a call twice",
            format!(
                "{STARTED} (drop (call $subtask-cancel (local.get $task)))
                (call $subtask-drop (local.get $task)) (call $subtask-drop (local.get $task))"
            ),
            End::Trap(""),
        ),
        (
            "drops a set with a call in it",
            format!(
                "{STARTED} (local.set $set (call $set-new)) (call $join (local.get $task) (local.get $set))
                (call $set-drop (local.get $set))"
            ),
            End::Trap(""),
        ),
        (
            "moves a call from set to set",
            format!(
                "{STARTED} (local.set 0 (i32.const 900))
                (loop (local.set $set (call $set-new)) (call $join (local.get $task) (local.get $set))
                    (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))"
            ),
            End::Done("7"),
        ),
        (
            "tries every handle as a call",
            format!(
                "{STARTED} (local.set 0 (i32.const 1000))
                (loop (if (i32.ne (local.get 0) (local.get $task)) (then (drop (call $subtask-cancel (local.get 0)))))
                    (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))"
            ),
            End::Trap(""),
        ),
    ];

    let guests =
        guests.iter().map(|(name, body, end)| Guest::caller(name, &run(body), *end)).collect();

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_other_built_ins_are_no_way_out() {
    let streamed = |length: &str, then: &str| {
        format!(
            "(local $ends i64) (local.set $ends (call $stream-new))
            (drop (call $stream-write (i32.wrap_i64 (i64.shr_u (local.get $ends) (i64.const 32)))
                (i32.const 256) (i32.const {length}))) {then}"
        )
    };
    let plain = |body: &str| {
        format!(
            r#"(func (export "run") (param i32 i32) (result i32) {body} (call $return-seven) (i32.const 0))"#
        )
    };
    let guests = vec![
        Guest::caller(
            "any number in its own place",
            &run("(call $context-set (i32.const -1))
                (if (i32.ne (call $context-get) (i32.const -1)) (then unreachable))"),
            End::Done("7"),
        ),
        Guest::caller("no more calls, please, without end", &run("(loop (call $backpressure) (br 0))"), End::Trap("backpressure")),
        Guest::caller("writes more than a stream can hold", &plain(&streamed("0x7fffffff", "")), End::Trap("")),
        Guest::caller("writes from beyond the memory", &plain(&streamed("0xfffffff", "")), End::Trap("")),
        Guest::caller("writes into a stream that nobody reads", &plain(&streamed("1", "")), End::Done("7")),
        Guest::caller(
            "writes twice at once",
            &plain(&streamed(
                "1",
                "(drop (call $stream-write (i32.wrap_i64 (i64.shr_u (local.get $ends) (i64.const 32)))
                    (i32.const 256) (i32.const 1)))",
            )),
            End::Trap(""),
        ),
        Guest::caller(
            "reads what it wrote itself",
            &plain(&streamed(
                "1",
                "(drop (call $stream-read (i32.wrap_i64 (local.get $ends)) (i32.const 300) (i32.const 1)))",
            )),
            End::Done("7"),
        ),
    ];

    end_as_they_should(guests).await;
}
