;; The smallest workflow: it calls nothing, and its result is the JSON text `7`.
;;
;; Nobody writes workflows like this; guest/README.md says how they are written. This one is here so that the example of
;; the library runs without building a guest first.
(component
  (type $failure (record (field "kind" string) (field "message" string) (field "details" (option string))))
  (type $answer (result string (error $failure)))
  (core module $libc
    (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
  (core instance $libc (instantiate $libc))
  (core func $return (canon task.return (result $answer) (memory (core memory $libc "memory")) string-encoding=utf8))
  (core module $code
    (import "libc" "memory" (memory 1))
    (import "host" "return" (func $return (param i32 i32 i32 i32 i32 i32 i32 i32)))
    (data (i32.const 16) "7")
    (func (export "run") (param i32 i32) (result i32)
      ;; Case 0 of `result`, the text's address and length; the others belong to case 1.
      (call $return (i32.const 0) (i32.const 16) (i32.const 1)
        (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
      ;; Done.
      (i32.const 0))
    (func (export "resumed") (param i32 i32 i32) (result i32) unreachable))
  (core instance $host (export "return" (func $return)))
  (core instance $code (instantiate $code (with "libc" (instance $libc)) (with "host" (instance $host))))
  (func $run async (param "input" string) (result $answer)
    (canon lift (core func $code "run") async (callback (core func $code "resumed"))
      (memory (core memory $libc "memory")) (realloc (core func $libc "realloc")) string-encoding=utf8))
  (component $interface
    (type $inner (record (field "kind" string) (field "message" string) (field "details" (option string))))
    (import "import-type-failure" (type $failure (eq $inner)))
    (type $answer (result string (error $failure)))
    (import "import-func-run" (func $run async (param "input" string) (result $answer)))
    (export $failure-out "failure" (type $inner))
    (type $answer-out (result string (error $failure-out)))
    (export "run" (func $run) (func async (param "input" string) (result $answer-out))))
  (instance $interface (instantiate $interface
    (with "import-type-failure" (type $failure)) (with "import-func-run" (func $run))))
  (export "callgate:mcp/run@0.1.0" (instance $interface)))
