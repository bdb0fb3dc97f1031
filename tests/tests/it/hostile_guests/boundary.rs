//! Guests that hand over addresses, lengths and texts that aren't any.

use callgate_tests::components::{Parts, RETURNS_AN_ANSWER};

use super::{End, Guest, end_as_they_should};

/// Returns with these eight numbers.
fn returns(numbers: [i64; 8]) -> String {
    let numbers: String = numbers.iter().map(|number| format!("(i32.const {number})")).collect();
    format!(
        r#"(data (i32.const 200) "\c3\28\ff\fe\80")
        (func (export "run") (param i32 i32) (result i32) (call $return {numbers}) (i32.const 0))"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn results_that_are_not_there_trap() {
    let guests = [
        ("a result beyond the memory", [0, 0x7fff_0000, 10, 0, 0, 0, 0, 0], "out of bounds"),
        ("a result that ends beyond the memory", [0, 65_530, 10, 0, 0, 0, 0, 0], "out of bounds"),
        ("a result of 4 GiB", [0, 16, 0xffff_ffff, 0, 0, 0, 0, 0], "out of bounds"),
        ("a result of 2 GiB", [0, 16, 0x7fff_ffff, 0, 0, 0, 0, 0], "out of bounds"),
        ("a result whose end overflows", [0, 0xffff_fff0, 0x20, 0, 0, 0, 0, 0], "out of bounds"),
        ("a result that isn't UTF-8", [0, 200, 5, 0, 0, 0, 0, 0], "utf-8"),
        ("half a letter", [0, 200, 1, 0, 0, 0, 0, 0], "utf-8"),
        ("neither result nor failure", [2, 16, 1, 0, 0, 0, 0, 0], "discriminant"),
        ("the four-billionth kind of result", [0xffff_ffff, 16, 1, 0, 0, 0, 0, 0], "discriminant"),
        ("a failure beyond the memory", [1, 0x7fff_0000, 10, 16, 1, 0, 0, 0], "out of bounds"),
        ("a failure without UTF-8", [1, 16, 1, 200, 5, 0, 0, 0], "utf-8"),
        ("details that are neither there nor not", [1, 16, 1, 16, 1, 2, 0, 0], "discriminant"),
        ("details of 4 GiB", [1, 16, 1, 16, 1, 1, 0, 0xffff_ffff], "out of bounds"),
    ];

    let guests = guests
        .into_iter()
        .map(|(name, numbers, why)| Guest::alone(name, &returns(numbers), End::Trap(why)))
        .collect();

    end_as_they_should(guests).await;
}

/// Makes one call whose six numbers are these, and returns the result 7.
fn calls(numbers: [u32; 6]) -> String {
    let stores: String = numbers
        .iter()
        .enumerate()
        .map(|(at, number)| {
            format!("(i32.store (i32.const {}) (i32.const {number}))", 600 + 4 * at)
        })
        .collect();
    format!(
        r#"(data (i32.const 200) "\c3\28\ff\fe\80")
        (func (export "run") (param i32 i32) (result i32)
            {stores}
            (drop (call $call (i32.const 600) (i32.const 256)))
            (call $return-seven) (i32.const 0))"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_whose_texts_are_not_there_trap() {
    let guests = [
        ("a connection beyond the memory", [0x7fff_0000, 4, 48, 4, 64, 2], "out of bounds"),
        ("a tool beyond the memory", [32, 4, 65_536, 1, 64, 2], "out of bounds"),
        ("arguments of 4 GiB", [32, 4, 48, 4, 64, 0xffff_ffff], "out of bounds"),
        ("arguments whose end overflows", [32, 4, 48, 4, 0xffff_ffff, 2], "out of bounds"),
        ("a connection without UTF-8", [200, 5, 48, 4, 64, 2], "utf-8"),
        ("a tool without UTF-8", [32, 4, 200, 5, 64, 2], "utf-8"),
        ("arguments without UTF-8", [32, 4, 48, 4, 200, 5], "utf-8"),
    ];
    let call = |call: &str| {
        format!(
            r#"(func (export "run") (param i32 i32) (result i32)
                (drop (call $call {call})) (call $return-seven) (i32.const 0))"#
        )
    };
    let addresses = [
        (
            "a call described beyond the memory",
            call("(i32.const 0x7fff0000) (i32.const 256)"),
            "bounds",
        ),
        ("a call described at the last byte", call("(i32.const 65532) (i32.const 256)"), "bounds"),
        ("a call described at an odd address", call("(i32.const 97) (i32.const 256)"), "aligned"),
    ];

    let guests = guests
        .into_iter()
        .map(|(name, numbers, why)| Guest::caller(name, &calls(numbers), End::Trap(why)))
        .chain(addresses.iter().map(|(name, code, why)| Guest::caller(name, code, End::Trap(why))))
        .collect();

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn room_for_an_answer_that_is_no_room_traps() {
    let block = |answer: &str| {
        format!(
            r#"(func (export "run") (param i32 i32) (result i32)
                (call $block (i32.const 32) (i32.const 4) (i32.const 48) (i32.const 4)
                    (i32.const 64) (i32.const 2) (i32.const {answer}))
                (call $return-seven) (i32.const 0))"#
        )
    };
    let guests = vec![
        Guest::caller("an answer beyond the memory", &block("0x7fff0000"), End::Trap("bounds")),
        Guest::caller("an answer at the last bytes", &block("65528"), End::Trap("bounds")),
        Guest::caller("an answer at an odd address", &block("257"), End::Trap("aligned")),
    ];

    end_as_they_should(guests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_that_gives_wrong_room_harms_itself_alone() {
    let gives = |name, realloc, end| {
        let parts = Parts { code: RETURNS_AN_ANSWER, realloc, ..Parts::default() };
        Guest::caller_of(name, parts, end)
    };
    let guests = vec![
        gives(
            "room beyond the memory",
            "(i32.const 0x7fff0000)",
            End::Trap("beyond end of memory"),
        ),
        gives(
            "room at the end of the address space",
            "(i32.const -1)",
            End::Trap("beyond end of memory"),
        ),
        gives("room at the last byte", "(i32.const 65535)", End::Trap("beyond end of memory")),
        gives("no room, and a trap", "unreachable", End::Trap("unreachable")),
        gives("the same room for everything", "(i32.const 2048)", End::Done("\"x\"")),
        gives("room at address 0", "(i32.const 0)", End::Done("\"x\"")),
        gives("room at an odd address", "(i32.const 2049)", End::Trap("not aligned")),
        gives("room where the answer itself is", "(i32.const 256)", End::Done("\"x\"")),
        gives(
            "room by growing without end",
            "(loop (br_if 0 (i32.ne (i32.const -1) (memory.grow (i32.const 1))))) unreachable",
            End::Limit("max_memory_bytes"),
        ),
    ];

    end_as_they_should(guests).await;
}
