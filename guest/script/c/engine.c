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

bool engine_is_function(JSValueConst code, size_t length) {
  if (JS_VALUE_GET_TAG(code) != JS_TAG_FUNCTION_BYTECODE) return false;
  const JSFunctionBytecode *outer = JS_VALUE_GET_PTR(code);
  if (outer->cpool_count < 1 || JS_VALUE_GET_TAG(outer->cpool[0]) != JS_TAG_FUNCTION_BYTECODE) return false;
  const JSFunctionBytecode *function = JS_VALUE_GET_PTR(outer->cpool[0]);
  return function->source && (size_t)function->source_len == length;
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

// More than an error tells (`Error.stackTraceLimit` is 10), with those of the prelude, which are left out of it. Protects the memory
// of a run with many calls under way.
#define MOST_FRAMES 16

struct engine_place {
  int count;
  // Of each only the function and where it is in its code.
  JSStackFrame frames[];
};

engine_place_t *engine_place(JSContext *context) {
  int count = 0;
  for (JSStackFrame *frame = context->rt->current_stack_frame; frame && count < MOST_FRAMES; frame = frame->prev_frame) count++;
  engine_place_t *place = js_mallocz_rt(context->rt, sizeof *place + (size_t)count * sizeof *place->frames);
  if (!place) return NULL;
  for (JSStackFrame *frame = context->rt->current_stack_frame; place->count < count; frame = frame->prev_frame) {
    JSStackFrame *copy = &place->frames[place->count++];
    copy->cur_func = js_dup(frame->cur_func);
    copy->cur_pc = frame->cur_pc;
    if (place->count < count) copy->prev_frame = copy + 1;
  }
  return place;
}

void engine_tell_place(JSContext *context, engine_place_t *place, JSValueConst object) {
  JSRuntime *runtime = context->rt;
  JSStackFrame *here = runtime->current_stack_frame;
  // The script's own way to write a stack is for its own errors, and would run now.
  JSValue prepare = context->error_prepare_stack;
  context->error_prepare_stack = JS_UNDEFINED;
  runtime->current_stack_frame = place->count ? place->frames : NULL;
  build_backtrace(context, object, JS_UNDEFINED, NULL, 0, 0, JS_BACKTRACE_FLAG_FILTER_FUNC);
  runtime->current_stack_frame = here;
  context->error_prepare_stack = prepare;
  engine_free_place(context, place);
}

void engine_free_place(JSContext *context, engine_place_t *place) {
  for (int at = 0; at < place->count; at++) JS_FreeValue(context, place->frames[at].cur_func);
  js_free_rt(context->rt, place);
}

bool engine_extend(JSContext *context, JSValueConst object, JSAtom key, JSValue value) {
  JSObject *extended = JS_VALUE_GET_OBJ(object);
  extended->extensible = true;
  int result = JS_DefinePropertyValue(context, object, key, value, JS_PROP_NO_EXOTIC);
  extended->extensible = false;
  return result >= 0;
}

JSValue engine_promise(JSContext *context) {
  JSValue promise = js_create_from_ctor(context, JS_UNDEFINED, JS_CLASS_PROMISE);
  if (JS_IsException(promise)) return promise;
  JSPromiseData *data = js_mallocz(context, sizeof *data);
  if (!data) {
    JS_FreeValue(context, promise);
    return JS_EXCEPTION;
  }
  init_list_head(&data->promise_reactions[0]);
  init_list_head(&data->promise_reactions[1]);
  data->promise_result = JS_UNDEFINED;
  JS_SetOpaqueInternal(promise, data);
  return promise;
}

void engine_settle(JSContext *context, JSValueConst promise, JSValue value, bool is_rejected) {
  fulfill_or_reject_promise(context, promise, value, is_rejected);
  JS_FreeValue(context, value);
}

#include "layout.inc"
