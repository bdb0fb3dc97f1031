//! Workflows in WebAssembly text, for what no compiler would write: each is a few lines of core code in a frame that makes a
//! component of the world `workflow` of them.

/// What a component is made of, beside the frame.
#[derive(Clone, Copy, Default)]
pub struct Parts<'a> {
    /// Definitions of the component itself, before the core code is instantiated.
    pub definitions: &'a str,
    /// What the core code imports from `host`, as exports of an instance: `(export "f" (func $f))`.
    pub imports: &'a str,
    /// Fields of the core module. It has the memory `$memory`, and `$return` for the end: eight numbers, the first of which is 0
    /// for a result, whose text starts at the second and is as long as the third. It has to export `run`, from address and
    /// length of the input to 0 for "done".
    pub code: &'a str,
}

/// The workflow whose core code is `code`; see [`Parts::code`].
pub fn workflow(code: &str) -> Vec<u8> {
    workflow_of(Parts { code, ..Parts::default() })
}

/// The workflow that the parts make.
pub fn workflow_of(parts: Parts<'_>) -> Vec<u8> {
    let Parts { definitions, imports, code } = parts;
    let text = FRAME
        .replace("{definitions}", definitions)
        .replace("{imports}", imports)
        .replace("{code}", code);
    wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Core code that returns the result `7`.
pub const SEVEN: &str = r#"
    (data (i32.const 16) "7")
    (func (export "run") (param i32 i32) (result i32)
        (call $return (i32.const 0) (i32.const 16) (i32.const 1)
            (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
        (i32.const 0))"#;

const FRAME: &str = r#"(component
    (type $failure (record (field "kind" string) (field "message" string) (field "details" (option string))))
    (type $answer (result string (error $failure)))
    (core module $libc
        (memory (export "memory") 1)
        (global $next (mut i32) (i32.const 1024))
        (func (export "realloc") (param i32 i32 i32 i32) (result i32)
            (local $at i32)
            (local.set $at (global.get $next))
            (global.set $next (i32.add (local.get $at)
                (i32.and (i32.add (local.get 3) (i32.const 7)) (i32.const -8))))
            (local.get $at)))
    (core instance $libc (instantiate $libc))
    (core func $return
        (canon task.return (result $answer) (memory (core memory $libc "memory")) string-encoding=utf8))
    {definitions}
    (core module $code
        (import "libc" "memory" (memory $memory 1))
        (import "frame" "return"
            (func $return (param i32 i32 i32 i32 i32 i32 i32 i32)))
        {code}
        (func (export "resumed") (param i32 i32 i32) (result i32) unreachable))
    (core instance $frame (export "return" (func $return)))
    (core instance $host {imports})
    (core instance $code (instantiate $code
        (with "libc" (instance $libc)) (with "frame" (instance $frame)) (with "host" (instance $host))))
    (func $run async (param "input" string) (result $answer)
        (canon lift (core func $code "run") async (callback (core func $code "resumed"))
            (memory (core memory $libc "memory")) (realloc (core func $libc "realloc")) string-encoding=utf8))
    (component $shim
        (type $inner (record (field "kind" string) (field "message" string) (field "details" (option string))))
        (import "import-type-failure" (type $failure (eq $inner)))
        (type $answer (result string (error $failure)))
        (import "import-func-run" (func $run async (param "input" string) (result $answer)))
        (export $failure-out "failure" (type $inner))
        (type $answer-out (result string (error $failure-out)))
        (export "run" (func $run) (func async (param "input" string) (result $answer-out))))
    (instance $out (instantiate $shim
        (with "import-type-failure" (type $failure)) (with "import-func-run" (func $run))))
    (export "callgate:mcp/run@0.1.0" (instance $out)))"#;
