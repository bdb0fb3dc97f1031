// QuickJS-NG as one unit, and what the runner sets inside it.
//
// Its own functions for it don't serve: a context seeds itself from the clock, no text can start before line 1, and on this
// target the stack has no limit, so that a recursion without end would be a trap in place of an exception.
#include "quickjs.c"

#include "engine.h"

void engine_seed(JSContext *context, uint64_t seed) {
  // splitmix64, so that seeds that are near each other start far from each other. Its result must not be 0, where the
  // generator would stay for ever.
  seed += 0x9e3779b97f4a7c15u;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
  seed ^= seed >> 31;
  context->random_state = seed ? seed : 1;
}

JSValue engine_evaluate(JSContext *context, const char *text, size_t length, const char *file, int first_line) {
  int flags = JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT;
  return JS_EvalInternal(context, context->global_obj, text, length, file, first_line, flags, -1);
}

JSValue engine_compile(JSContext *context, const char *text, size_t length, const char *file, int first_line) {
  int flags = JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT | JS_EVAL_FLAG_COMPILE_ONLY;
  return JS_EvalInternal(context, context->global_obj, text, length, file, first_line, flags, -1);
}

void engine_forget_text(JSRuntime *runtime) {
  struct list_head *link;
  list_for_each(link, &runtime->gc_obj_list) {
    JSGCObjectHeader *header = list_entry(link, JSGCObjectHeader, link);
    if (JS_GC_TYPE(header) != JS_GC_OBJ_TYPE_FUNCTION_BYTECODE) continue;
    JSFunctionBytecode *code = (JSFunctionBytecode *)header;
    js_free_rt(runtime, code->source);
    code->source = NULL;
    code->source_len = 0;
    js_free_rt(runtime, code->pc2line_buf);
    code->pc2line_buf = NULL;
    code->pc2line_len = 0;
  }
}

void engine_clean(JSRuntime *runtime) {
  for (int size = 0; size < JS_ARENA_BLOCK_SIZE_COUNT; size++) {
    unsigned int block_bytes = arena_block_sizes[size];
    struct list_head *link;
    list_for_each(link, &runtime->arena_state.free_arena_list[size]) {
      JSArena *arena = list_entry(link, JSArena, free_link);
      for (unsigned int at = arena->first_free_block; at != JS_ARENA_FREE_NIL;) {
        JSMallocBlockHeader *block = arena_get_block(arena, at, block_bytes);
        memset(block->user_data, 0, block_bytes - sizeof *block);
        at = block->u.free_next;
      }
    }
  }
}

void engine_limit_stack(JSRuntime *runtime, size_t bytes) {
  JS_UpdateStackTop(runtime);
  runtime->stack_limit = runtime->stack_top - bytes;
}

#include "layout.inc"
