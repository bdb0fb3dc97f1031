// The component: one script, from its input to its end.
//
// The export `run` starts the script and then turns a loop: jobs of promises, answers of calls, timers. Only when nothing but
// a call is left does it give way to the host, which comes back with the event of an answer.
#include <stdlib.h>

#include "calls.h"
#include "engine.h"
#include "layout.h"
#include "memory.h"
#include "names.h"
#include "prelude.h"
#include "rejections.h"
#include "stack.h"
#include "value.h"

static JSRuntime *runtime;
static JSContext *context;
static JSValue script;

// Makes the engine and loads the prelude. When the component is built, this is done once and kept as a snapshot.
__attribute__((__export_name__("boot"))) void boot(void) {
  if (runtime) return;
  memory_start_booting();
  runtime = JS_NewRuntime2(&MEMORY, NULL);
  layout_start(runtime);
  stack_start(runtime);
  names_start(runtime);
  context = JS_NewContext(runtime);
  prelude_load(context);
  rejections_watch(runtime);
  engine_forget_text(runtime);
  JS_RunGC(runtime);
  engine_clean(runtime);
  layout_end(runtime);
  memory_end_booting();
}

static workflow_callback_code_t end_run(exports_callgate_mcp_run_result_string_failure_t result) {
  exports_callgate_mcp_run_run_return(result);
  // The store goes with the run, so nothing is freed.
  return WORKFLOW_CALLBACK_CODE_EXIT;
}

static bool text_at(JSValueConst array, int64_t at, workflow_string_t *text) {
  JSValue value = JS_GetPropertyInt64(context, array, at);
  bool is_done = !JS_IsException(value) && value_to_text(context, value, text);
  JS_FreeValue(context, value);
  return is_done;
}

// Ends the run with what the prelude makes of `error`.
static workflow_callback_code_t fail(const char *kind, JSValue error) {
  exports_callgate_mcp_run_result_string_failure_t result = {.is_err = true};
  exports_callgate_mcp_run_failure_t *failure = &result.val.err;
  JSValue told = prelude_failure(context, kind, error);
  if (JS_IsException(told) || !text_at(told, 0, &failure->kind) || !text_at(told, 1, &failure->message) ||
      !text_at(told, 2, &failure->details.val)) {
    // Not even the report can be made, most likely because there is no memory left.
    const char *why = memory_is_short()
                          ? "the script failed, and has no memory left to tell its error (the run has the limit max_memory_bytes; raise it with --max-memory)"
                          : "the script failed, and its error can't be told";
    workflow_string_set(&failure->kind, kind);
    workflow_string_set(&failure->message, why);
    return end_run(result);
  }
  failure->details.is_some = true;
  return end_run(result);
}

static workflow_callback_code_t fail_with_exception(void) { return fail("exception", JS_GetException(context)); }

static workflow_callback_code_t succeed(void) {
  JSValue output = prelude_success(context, JS_PromiseResult(context, script));
  if (JS_IsException(output)) return fail("invalid-result", JS_GetException(context));
  exports_callgate_mcp_run_result_string_failure_t result = {.is_err = false};
  if (!value_to_text(context, output, &result.val.ok)) return fail_with_exception();
  return end_run(result);
}

static bool run_jobs(void) {
  JSContext *of;
  int more;
  while ((more = JS_ExecutePendingJob(runtime, &of)) > 0) continue;
  return more == 0;
}

static workflow_callback_code_t advance(void) {
  for (;;) {
    if (!run_jobs()) return fail_with_exception();
    JSPromiseStateEnum state = JS_PromiseState(context, script);
    if (state == JS_PROMISE_REJECTED) return fail("exception", JS_PromiseResult(context, script));
    if (calls_are_pending()) return calls_wait();
    JSValue fired = prelude_fire_timer(context, state == JS_PROMISE_FULFILLED);
    if (JS_IsException(fired)) return fail_with_exception();
    if (JS_ToBool(context, fired)) continue;
    if (rejections_are_unhandled()) return fail("unhandled-rejection", rejections_first(context));
    if (state == JS_PROMISE_FULFILLED) return succeed();
    return fail("never-settles", JS_UNDEFINED);
  }
}

workflow_callback_code_t exports_callgate_mcp_run_run(workflow_string_t *input) {
  boot();
  stack_start(runtime);
  calls_start();
  JSValue parsed = value_from_json(context, input);
  if (JS_IsException(parsed)) return fail("invalid-input", JS_GetException(context));
  script = prelude_begin(context, parsed);
  JS_FreeValue(context, parsed);
  // The input has said how deep.
  stack_start(runtime);
  if (JS_IsException(script)) return fail("invalid-input", JS_GetException(context));
  return advance();
}

workflow_callback_code_t exports_callgate_mcp_run_run_callback(workflow_event_t *event) {
  stack_start(runtime);
  calls_finish(context, event);
  return advance();
}
