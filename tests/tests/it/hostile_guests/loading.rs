//! Components that are hostile before they run: they ask for more than the door, are not to be compiled, or too large.

use std::time::{Duration, Instant};

use callgate::Allocation;
use callgate_tests::components::{Parts, SEVEN, workflow_of};

use super::{End, Guest, end_as_they_should, engine, load};

/// The good core code beside definitions of the component.
fn beside(name: &'static str, definitions: &str, ends: End) -> Guest {
    Guest::of(name, workflow_of(Parts { definitions, code: SEVEN, ..Parts::default() }), ends)
}

/// The good core code beside other fields of its module.
fn within(name: &'static str, fields: &str, ends: End) -> Guest {
    Guest::alone(name, &format!("{fields} {SEVEN}"), ends)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_asks_for_more_than_the_door_is_not_loaded() {
    let guests = vec![
        beside(
            "files",
            r#"(import "wasi:filesystem/preopens@0.2.0" (instance))"#,
            End::NotLoaded("wasi:filesystem/preopens@0.2.0"),
        ),
        beside(
            "a second function",
            r#"(import "callgate:mcp/tools@0.1.0" (instance (export "list-tools" (func))))"#,
            End::NotLoaded("list-tools"),
        ),
        beside(
            "the function with another signature",
            r#"(import "callgate:mcp/tools@0.1.0" (instance (export "call-tool" (func async (param "connection" string)))))"#,
            End::NotLoaded("call-tool"),
        ),
        beside(
            "another version",
            r#"(import "callgate:mcp/tools@0.2.0" (instance))"#,
            End::NotLoaded("callgate:mcp/tools@0.2.0"),
        ),
        beside("a function of its own", r#"(import "run" (func))"#, End::NotLoaded("`run`")),
        beside("a core module", r#"(import "code" (core module))"#, End::NotLoaded("`code`")),
        beside(
            "a component",
            r#"(import "other" (component))"#,
            End::NotLoaded("root-level component imports"),
        ),
        beside(
            "nothing but a name like it",
            r#"(import "callgate-mcp-tools" (instance))"#,
            End::NotLoaded("callgate-mcp-tools"),
        ),
    ];

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn features_that_are_off_are_not_loaded() {
    let invalid = End::NotLoaded("not a valid component");
    let guests = vec![
        within("shared memory", "(memory $shared 1 1 shared)", invalid),
        within("an atomic instruction", "(func (drop (i32.atomic.load (i32.const 0))))", invalid),
        within("structures", "(type (struct (field i32)))", invalid),
        within("exceptions", "(tag)", invalid),
        within("pages of one byte", "(memory $bytes 1 (pagesize 1))", invalid),
        within(
            "wide arithmetic",
            "(func (param i64 i64) (result i64 i64) (i64.mul_wide_s (local.get 0) (local.get 1)))",
            invalid,
        ),
        beside("contexts of errors", "(core func (canon error-context.drop))", invalid),
        beside("threads", "(core func (canon thread.index))", invalid),
        beside("values", r#"(import "v" (value string))"#, invalid),
    ];

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn demands_beyond_the_limits_end_the_run_before_it_begins() {
    let instances =
        format!("(core module $empty) {}", "(core instance (instantiate $empty))".repeat(30));
    let memories = "(memory 100)".repeat(3);
    let guests = vec![
        within("a memory over the limit", "(memory $large 257)", End::Limit("max_memory_bytes")),
        within("a memory of 4 GiB", "(memory $large 65536)", End::Limit("max_memory_bytes")),
        within("three memories over the limit together", &memories, End::Limit("max_memory_bytes")),
        within("a table over the limit", "(table 10001 funcref)", End::Limit("max_table_elements")),
        within(
            "two tables over it together",
            "(table 6000 funcref) (table 6000 funcref)",
            End::Limit("max_table_elements"),
        ),
        beside("instances over the limit", &instances, End::Limit("max_instances")),
    ];

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_data_and_many_segments_are_within_the_limits_or_not_loaded() {
    let data = "x".repeat(8 << 20);
    let elements = "(elem func $f)".repeat(20_000);
    let functions = "(func)".repeat(20_000);
    let guests = vec![
        within(
            "8 MiB of data",
            &format!(r#"(memory 200) (data (memory 1) (i32.const 0) "{data}")"#),
            End::Done("7"),
        ),
        within("20,000 segments of elements", &format!("(func $f) {elements}"), End::Done("7")),
        within("20,000 functions", &functions, End::Done("7")),
        within(
            "50,001 locals",
            &format!("(func (local {}))", "i32 ".repeat(50_001)),
            End::NotLoaded("too many locals"),
        ),
        within("101 memories", &"(memory 0)".repeat(101), End::NotLoaded("memories")),
        within("101 tables", &"(table 0 funcref)".repeat(101), End::NotLoaded("tables")),
        within(
            "1001 parameters",
            &format!("(func (param {}))", "i32 ".repeat(1001)),
            End::NotLoaded("params"),
        ),
    ];

    end_as_they_should(guests).await;
}

/// A component that instantiates the one before it twice, so often.
fn doubling(times: usize) -> String {
    let mut text = "(component $c0 (core module $m) (core instance (instantiate $m)))".to_owned();
    for level in 1..=times {
        let inner = level - 1;
        text += &format!(
            "(component $c{level} (alias outer 1 $c{inner} (component $c))
                (instance (instantiate $c)) (instance (instantiate $c)))"
        );
    }
    format!("{text} (instance (instantiate $c{times}))")
}

/// A type that holds the one before it twice, so often.
fn doubling_type(times: usize) -> String {
    let mut text = "(type $t0 (tuple string string))".to_owned();
    for level in 1..=times {
        let inner = level - 1;
        text += &format!("(type $t{level} (tuple $t{inner} $t{inner}))");
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn components_that_double_themselves_are_not_unfolded() {
    let guests = vec![
        beside("64 instances by doubling", &doubling(6), End::Limit("max_instances")),
        beside(
            "a million instances by doubling",
            &doubling(20),
            End::NotLoaded("max_unfolded_items"),
        ),
        beside(
            "more instances than there is room anywhere",
            &doubling(90),
            End::NotLoaded("max_unfolded_items"),
        ),
        beside("a million strings by doubling", &doubling_type(20), End::NotLoaded("type size")),
    ];

    end_as_they_should(guests).await;
}

/// A function that adds numbers up, so many times.
fn adds(times: usize) -> String {
    format!(
        "(func (param i64) (result i64) (local.get 0) {})",
        "(local.get 0) (i64.add)".repeat(times)
    )
}

/// A function of so many blocks in each other, with a table of branches to all of them.
fn nests(depth: usize) -> String {
    let targets: String = (0..depth).map(|depth| format!("{depth} ")).collect();
    format!(
        "(func (param i32) {} (local.get 0) (br_table {targets}) {})",
        "(block ".repeat(depth),
        ")".repeat(depth)
    )
}

/// A function of so many variables that are all alive in a loop.
fn keeps(variables: usize) -> String {
    let all: String = (1..variables)
        .map(|at| format!("(local.set {at} (i64.add (local.get {at}) (local.get {})))", at - 1))
        .collect();
    format!(
        "(func (param i64) (result i64) (local {}) (loop {all} (br_if 0 (i32.wrap_i64 (local.get 1)))) (local.get 2))",
        "i64 ".repeat(variables)
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn small_functions_that_are_hard_to_compile_take_seconds_at_most() {
    for (what, fields) in [
        ("20,000 additions", adds(20_000)),
        ("2,000 blocks", nests(2_000)),
        ("2,000 variables", keeps(2_000)),
    ] {
        let component =
            workflow_of(Parts { code: &format!("{fields} {SEVEN}"), ..Parts::default() });
        let bytes = component.len();
        let engine = engine(Allocation::OnDemand).await;
        let started = Instant::now();

        load(&engine, component).await.unwrap();

        let took = started.elapsed();
        println!("{what}: {bytes} bytes in {took:?}");
        assert!(took < Duration::from_secs(20), "{what}: {bytes} bytes took {took:?}");
    }
}
