// What the prelude can do beside JavaScript: the functions of its argument `host`.
//
// No script gets this object. So the arguments are what the prelude passes, and are not checked again.
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "clock.h"
#include "memory.h"
#include "names.h"
#include "stack.h"
#include "value.h"

static JSModuleDef *module;

static JSValue refuse_import(JSContext *context, const char *name) {
  return JS_ThrowTypeError(context, "can't import '%s': a script is one file, without modules, packages and files beside it", name);
}

static char *normalise_import(JSContext *context, const char *base, const char *name, void *opaque) {
  (void)base, (void)opaque;
  refuse_import(context, name);
  return NULL;
}

static JSValue is_short_of_memory(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count, (void)arguments;
  return JS_NewBool(context, memory_is_short());
}

// Compiles head, source and tail as one text. The head has the line before the first one.
static JSValue compile_within(JSContext *context, const char *head, const char *source, size_t length, const char *tail, const char *file) {
  size_t before = strlen(head), after = strlen(tail), all = before + length + after;
  char *text = malloc(all + 1);
  if (!text) return JS_ThrowOutOfMemory(context);
  memcpy(text, head, before);
  memcpy(text + before, source, length);
  memcpy(text + before + length, tail, after + 1);
  JSValue code = engine_compile(context, text, all, file, 0);
  free(text);
  return code;
}

// The source as a function in parentheses.
static JSValue compile_function(JSContext *context, const char *source, size_t length, const char *file) {
  static const char HEAD[] = "(async function () {\n", TAIL[] = "\n})";
  JSValue code = compile_within(context, HEAD, source, length, TAIL, file);
  size_t function = sizeof HEAD - 1 + length + sizeof TAIL - 1 - 2;
  if (JS_IsException(code) || engine_is_function(code, function)) return code;
  JS_FreeValue(context, code);
  // A source that ends the function and begins something else, "}); f(function () {", is no body. A method can't be ended so,
  // and its error has the place.
  code = compile_within(context, "({async run() {\n", source, length, "\n}})", file);
  if (JS_IsException(code)) return code;
  JS_FreeValue(context, code);
  return JS_ThrowSyntaxError(context, "the script closes a brace that it did not open: '}'");
}

// compileBody(source, file): the source as the body of an async function.
static JSValue compile_body(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  size_t length;
  const char *source = JS_ToCStringLen(context, &length, arguments[0]);
  const char *file = JS_ToCString(context, arguments[1]);
  JSValue result = JS_EXCEPTION;
  if (source && file) result = compile_function(context, source, length, file);
  if (!JS_IsException(result)) result = JS_EvalFunction(context, result);
  JS_FreeCString(context, source);
  JS_FreeCString(context, file);
  return result;
}

// compileModule(source, file): keeps the module for evaluateModule.
static JSValue compile_module(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  size_t length;
  const char *source = JS_ToCStringLen(context, &length, arguments[0]);
  const char *file = JS_ToCString(context, arguments[1]);
  JSValue compiled = JS_EXCEPTION;
  if (source && file) compiled = JS_Eval(context, source, length, file, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
  JS_FreeCString(context, source);
  JS_FreeCString(context, file);
  if (JS_IsException(compiled)) return compiled;
  // The context owns its modules, so the definition outlives this value of it.
  module = JS_VALUE_GET_PTR(compiled);
  return JS_UNDEFINED;
}

// evaluateModule(): the promise of the evaluation.
static JSValue evaluate_module(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count, (void)arguments;
  return JS_EvalFunction(context, JS_MKPTR(JS_TAG_MODULE, module));
}

// moduleNamespace(): what the module exports.
static JSValue module_namespace(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count, (void)arguments;
  return JS_GetModuleNamespace(context, module);
}

// start(nowMs, seed, maxStackBytes): the clock, the random numbers and the depth of this run.
static JSValue start(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  double now, seed, stack;
  if (JS_ToFloat64(context, &now, arguments[0]) || JS_ToFloat64(context, &seed, arguments[1]) ||
      JS_ToFloat64(context, &stack, arguments[2])) {
    return JS_EXCEPTION;
  }
  clock_start(now);
  engine_seed(context, (uint64_t)seed);
  stack_fit(stack);
  return JS_UNDEFINED;
}

// now(): milliseconds of the virtual clock.
static JSValue now(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count, (void)arguments;
  return JS_NewFloat64(context, clock_now());
}

// advance(milliseconds): moves the clock.
static JSValue advance(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  double milliseconds;
  if (JS_ToFloat64(context, &milliseconds, arguments[0])) return JS_EXCEPTION;
  clock_advance(milliseconds);
  return JS_UNDEFINED;
}

// encode(text): its UTF-8 as a Uint8Array.
static JSValue encode(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  workflow_string_t text;
  if (!value_to_text(context, arguments[0], &text)) return JS_EXCEPTION;
  JSValue bytes = JS_NewUint8ArrayCopy(context, text.ptr, text.len);
  free(text.ptr);
  return bytes;
}

// bytesOf(text): how many bytes it has in UTF-8.
static JSValue bytes_of(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  size_t length;
  const char *bytes = JS_ToCStringLen(context, &length, arguments[0]);
  if (!bytes) return JS_EXCEPTION;
  JS_FreeCString(context, bytes);
  return JS_NewInt64(context, (int64_t)length);
}

// decode(bytes): valid UTF-8 as a string.
static JSValue decode(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  size_t length;
  uint8_t *bytes = JS_GetUint8Array(context, &length, arguments[0]);
  if (!bytes && JS_HasException(context)) return JS_EXCEPTION;
  return JS_NewStringLen(context, (const char *)bytes, length);
}

JSValue host_functions(JSContext *context) {
  static const JSCFunctionListEntry FUNCTIONS[] = {
      JS_CFUNC_DEF("call", 4, calls_begin),
      JS_CFUNC_DEF("named", 2, names_object),
      JS_CFUNC_DEF("compileBody", 2, compile_body),
      JS_CFUNC_DEF("compileModule", 2, compile_module),
      JS_CFUNC_DEF("evaluateModule", 0, evaluate_module),
      JS_CFUNC_DEF("moduleNamespace", 0, module_namespace),
      JS_CFUNC_DEF("start", 3, start),
      JS_CFUNC_DEF("isShortOfMemory", 0, is_short_of_memory),
      JS_CFUNC_DEF("now", 0, now),
      JS_CFUNC_DEF("advance", 1, advance),
      JS_CFUNC_DEF("bytesOf", 1, bytes_of),
      JS_CFUNC_DEF("encode", 1, encode),
      JS_CFUNC_DEF("decode", 1, decode),
  };
  JS_SetModuleLoaderFunc(JS_GetRuntime(context), normalise_import, NULL, NULL);
  JSValue functions = JS_NewObject(context);
  JS_SetPropertyFunctionList(context, functions, FUNCTIONS, sizeof FUNCTIONS / sizeof *FUNCTIONS);
  return functions;
}
