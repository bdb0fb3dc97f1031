//! The frame's other half: the import `call-tool` and the built-in functions of asynchronous guests, for core code that calls
//! tools, or misuses what it takes to call them.

use super::{Parts, workflow_of, workflow_of_module};

/// The workflow whose core code is `code`, which may call `$call` and the other functions of `IMPORTS`.
///
/// A call is described by six numbers: address and length of the connection, the tool and the arguments. At 96 is that of
/// `read` of the connection `fake` with `{}`, at 128 that of `hang`, which no server answers. `$call` takes the address of
/// one, and an address of 64 bytes for the answer, and gives the number of the subtask times 16, plus its state. Addresses
/// from 256 to 1023 are free for answers and events.
pub fn caller(code: &str) -> Vec<u8> {
    caller_of(Parts { code, ..Parts::default() })
}

/// As [`caller`], from parts.
pub fn caller_of(parts: Parts<'_>) -> Vec<u8> {
    workflow_of(Parts {
        definitions: &format!("{IMPORT}{BUILT_INS}{}", parts.definitions),
        imports: &format!("{EXPORTS}{}", parts.imports),
        code: &format!("{IMPORTS}{PREPARED}{}", parts.code),
        ..parts
    })
}

/// The workflow whose core module is this binary one. It may import from the frame and from [`imports_of_callers`], and has
/// to export `run` and `resumed`.
pub fn caller_of_module(module: &[u8]) -> Vec<u8> {
    let definitions = &format!("{IMPORT}{BUILT_INS}");
    workflow_of_module(&Parts { definitions, imports: EXPORTS, ..Parts::default() }, module)
}

/// What core code may import from `host`, as WebAssembly text.
pub fn imports_of_callers() -> &'static str {
    IMPORTS
}

/// Core code that calls the tool `read` of the connection `fake`, waits and returns the `output` of the answer.
pub const RETURNS_AN_ANSWER: &str = r#"
    (func (export "run") (param i32 i32) (result i32)
        (call $block (i32.const 32) (i32.const 4) (i32.const 48) (i32.const 4)
            (i32.const 64) (i32.const 2) (i32.const 256))
        (call $return (i32.const 0) (i32.load (i32.const 268)) (i32.load (i32.const 272))
            (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
        (i32.const 0))"#;

/// What core code may call, beside `$return`.
const IMPORTS: &str = r#"
    (import "host" "call" (func $call (param i32 i32) (result i32)))
    (import "host" "block" (func $block (param i32 i32 i32 i32 i32 i32 i32)))
    (import "host" "set-new" (func $set-new (result i32)))
    (import "host" "set-wait" (func $set-wait (param i32 i32) (result i32)))
    (import "host" "set-poll" (func $set-poll (param i32 i32) (result i32)))
    (import "host" "set-drop" (func $set-drop (param i32)))
    (import "host" "join" (func $join (param i32 i32)))
    (import "host" "subtask-drop" (func $subtask-drop (param i32)))
    (import "host" "subtask-cancel" (func $subtask-cancel (param i32) (result i32)))
    (import "host" "yield" (func $yield (result i32)))
    (import "host" "context-get" (func $context-get (result i32)))
    (import "host" "context-set" (func $context-set (param i32)))
    (import "host" "backpressure" (func $backpressure))
    (import "host" "task-cancel" (func $task-cancel))
    (import "host" "stream-new" (func $stream-new (result i64)))
    (import "host" "stream-read" (func $stream-read (param i32 i32 i32) (result i32)))
    (import "host" "stream-write" (func $stream-write (param i32 i32 i32) (result i32)))
    (import "host" "future-new" (func $future-new (result i64)))"#;

/// What stands in the memory before anything runs, and a way to say that all is well.
const PREPARED: &str = r#"
    (data (i32.const 16) "7")
    (data (i32.const 32) "fake")
    (data (i32.const 48) "readhang")
    (data (i32.const 64) "{}")
    (data (i32.const 96) "\20\00\00\00\04\00\00\00\30\00\00\00\04\00\00\00\40\00\00\00\02\00\00\00")
    (data (i32.const 128) "\20\00\00\00\04\00\00\00\34\00\00\00\04\00\00\00\40\00\00\00\02\00\00\00")
    (func $return-seven
        (call $return (i32.const 0) (i32.const 16) (i32.const 1)
            (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)))"#;

/// The interface `tools`, type by type.
const IMPORT: &str = r#"
    (import "callgate:mcp/tools@0.1.0" (instance $tools
        (type $outcome' (enum "ok" "error"))
        (export "outcome" (type $outcome (eq $outcome')))
        (type $media' (record (field "mime-type" string) (field "data" (list u8))))
        (export "media" (type $media (eq $media')))
        (type $link' (record (field "uri" string) (field "name" string) (field "title" (option string))
            (field "description" (option string)) (field "mime-type" (option string)) (field "size" (option u64))))
        (export "resource-link" (type $link (eq $link')))
        (type $body' (variant (case "text" string) (case "blob" (list u8))))
        (export "body" (type $body (eq $body')))
        (type $embedded' (record (field "uri" string) (field "mime-type" (option string)) (field "body" $body)))
        (export "embedded" (type $embedded (eq $embedded')))
        (type $content' (variant (case "text" string) (case "image" $media) (case "audio" $media)
            (case "resource-link" $link) (case "resource" $embedded) (case "other" string)))
        (export "content" (type $content (eq $content')))
        (type $result' (record (field "outcome" $outcome) (field "output" string)
            (field "content" (list $content)) (field "meta" (option string))))
        (export "tool-call-result" (type $result (eq $result')))
        (type $reason' (enum "unknown-connection" "invalid-arguments" "denied" "limit-reached"))
        (export "refusal-reason" (type $reason (eq $reason')))
        (type $refusal' (record (field "reason" $reason) (field "detail" string)))
        (export "refusal" (type $refusal (eq $refusal')))
        (type $cause' (enum "timeout" "cancelled" "session-stopped" "connect-failed" "too-large"
            "protocol-violation" "input-required" "internal"))
        (export "cause" (type $cause (eq $cause')))
        (type $failure' (record (field "cause" $cause) (field "detail" string)))
        (export "failure" (type $failure (eq $failure')))
        (type $rpc-error' (record (field "code" s64) (field "message" string) (field "data" (option string))))
        (export "rpc-error" (type $rpc-error (eq $rpc-error')))
        (type $call-error' (variant (case "refused" $refusal) (case "not-sent" $failure)
            (case "rejected" $rpc-error) (case "outcome-unknown" $failure)))
        (export "call-error" (type $call-error (eq $call-error')))
        (export "call-tool" (func async (param "connection" string) (param "tool" string)
            (param "arguments" string) (result (result $result (error $call-error)))))))
    (alias export $tools "call-tool" (func $call-tool))"#;

const BUILT_INS: &str = r#"
    (type $bytes (stream u8))
    (type $byte (future u8))
    (core func $call (canon lower (func $call-tool) async
        (memory (core memory $libc "memory")) (realloc (core func $libc "realloc")) string-encoding=utf8))
    (core func $block (canon lower (func $call-tool)
        (memory (core memory $libc "memory")) (realloc (core func $libc "realloc")) string-encoding=utf8))
    (core func $set-new (canon waitable-set.new))
    (core func $set-wait (canon waitable-set.wait (memory (core memory $libc "memory"))))
    (core func $set-poll (canon waitable-set.poll (memory (core memory $libc "memory"))))
    (core func $set-drop (canon waitable-set.drop))
    (core func $join (canon waitable.join))
    (core func $subtask-drop (canon subtask.drop))
    (core func $subtask-cancel (canon subtask.cancel))
    (core func $yield (canon thread.yield))
    (core func $context-get (canon context.get i32 0))
    (core func $context-set (canon context.set i32 0))
    (core func $backpressure (canon backpressure.inc))
    (core func $task-cancel (canon task.cancel))
    (core func $stream-new (canon stream.new $bytes))
    (core func $stream-read (canon stream.read $bytes async (memory (core memory $libc "memory"))))
    (core func $stream-write (canon stream.write $bytes async (memory (core memory $libc "memory"))))
    (core func $future-new (canon future.new $byte))"#;

const EXPORTS: &str = r#"
    (export "call" (func $call)) (export "block" (func $block))
    (export "set-new" (func $set-new)) (export "set-wait" (func $set-wait))
    (export "set-poll" (func $set-poll)) (export "set-drop" (func $set-drop))
    (export "join" (func $join))
    (export "subtask-drop" (func $subtask-drop)) (export "subtask-cancel" (func $subtask-cancel))
    (export "yield" (func $yield))
    (export "context-get" (func $context-get)) (export "context-set" (func $context-set))
    (export "backpressure" (func $backpressure)) (export "task-cancel" (func $task-cancel))
    (export "stream-new" (func $stream-new)) (export "stream-read" (func $stream-read))
    (export "stream-write" (func $stream-write)) (export "future-new" (func $future-new))"#;
