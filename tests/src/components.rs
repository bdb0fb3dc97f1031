//! Workflows in WebAssembly text, for what no compiler would write: each is a few lines of core code in a frame that makes a
//! component of the world `workflow` of them.

mod tools;

pub use self::tools::{RETURNS_AN_ANSWER, caller, caller_of, caller_of_module, imports_of_callers};

/// What a component is made of, beside the frame.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// Definitions of the component itself, before the core code is instantiated.
    pub definitions: &'a str,
    /// What the core code imports from `host`, as exports of an instance: `(export "f" (func $f))`.
    pub imports: &'a str,
    /// Fields of the core module. It has the memory `$memory`, and `$return` for the end: eight numbers, the first of which is 0
    /// for a result, whose text starts at the second and is as long as the third. It has to export `run`, from address and
    /// length of the input to 0 for "done".
    pub code: &'a str,
    /// The body of the callback, from event, waitable and its state (locals 0 to 2) to what is to be done next: 0 for
    /// nothing, 1 for another turn, 2 and 16 times the number of a waitable set for a wait. Without more it traps.
    pub resumed: &'a str,
    /// The body of the function that gives the host room in `$memory`, from the parameters of `realloc` (locals 0 to 3) to an
    /// address. Without more it hands out what is left of 64 KiB.
    pub realloc: &'a str,
}

impl Default for Parts<'_> {
    fn default() -> Self {
        Self { definitions: "", imports: "", code: "", resumed: "unreachable", realloc: HANDS_OUT }
    }
}

/// The workflow whose core code is `code`; see [`Parts::code`].
pub fn workflow(code: &str) -> Vec<u8> {
    workflow_of(Parts { code, ..Parts::default() })
}

/// The workflow that the parts make.
pub fn workflow_of(parts: Parts<'_>) -> Vec<u8> {
    let module = MODULE.replace("{resumed}", parts.resumed).replace("{code}", parts.code);
    framed(&parts, &module)
}

/// The workflow whose core module is this binary one, in place of `parts.code`. It may import what core code finds in the
/// frame, and has to export `run` and `resumed`.
fn workflow_of_module(parts: &Parts<'_>, module: &[u8]) -> Vec<u8> {
    let framed = framed(parts, "(core module $code)");
    // The text has no way to hold a binary module, so it takes the place of an empty one: the second, whose length is the
    // byte before it.
    let magic = b"\0asm\x01\0\0\0";
    let mut modules = (0..framed.len()).filter(|at| framed[*at..].starts_with(magic));
    let at = modules.nth(1).expect("the code is the second module");
    let end = at + usize::from(framed[at - 1]);
    let mut workflow = framed[..at - 1].to_vec();
    let mut length = module.len();
    while length > 0x7f {
        workflow.push(length as u8 | 0x80);
        length >>= 7;
    }
    workflow.push(length as u8);
    workflow.extend_from_slice(module);
    workflow.extend_from_slice(&framed[end..]);
    workflow
}

fn framed(parts: &Parts<'_>, module: &str) -> Vec<u8> {
    let text = FRAME
        .replace("{realloc}", parts.realloc)
        .replace("{definitions}", parts.definitions)
        .replace("{imports}", parts.imports)
        .replace("{module}", module);
    wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text:.20000}"))
}

/// Core code that returns the result `7`.
pub const SEVEN: &str = r#"
    (data (i32.const 16) "7")
    (func (export "run") (param i32 i32) (result i32)
        (call $return (i32.const 0) (i32.const 16) (i32.const 1)
            (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
        (i32.const 0))"#;

const HANDS_OUT: &str = r"
    (local.set $at (global.get $next))
    (global.set $next (i32.add (local.get $at)
        (i32.and (i32.add (local.get 3) (i32.const 7)) (i32.const -8))))
    (local.get $at)";

const MODULE: &str = r#"(core module $code
        (import "libc" "memory" (memory $memory 1))
        (import "frame" "return"
            (func $return (param i32 i32 i32 i32 i32 i32 i32 i32)))
        {code}
        (func (export "resumed") (param i32 i32 i32) (result i32) {resumed}))"#;

const FRAME: &str = r#"(component
    (type $failure (record (field "kind" string) (field "message" string) (field "details" (option string))))
    (type $answer (result string (error $failure)))
    (core module $libc
        (memory (export "memory") 1)
        (global $next (mut i32) (i32.const 1024))
        (func (export "realloc") (param i32 i32 i32 i32) (result i32)
            (local $at i32)
            {realloc}))
    (core instance $libc (instantiate $libc))
    (core func $return
        (canon task.return (result $answer) (memory (core memory $libc "memory")) string-encoding=utf8))
    {definitions}
    {module}
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
