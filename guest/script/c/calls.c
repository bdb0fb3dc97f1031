// The calls of tools that are under way, and their answers as values of the engine.
#include "calls.h"

#include <stdlib.h>

#include "value.h"

typedef callgate_mcp_tools_result_tool_call_result_call_error_t answer_t;

// A call that the host has. It reads `arguments` and writes `answer` until the call ends, so neither may move.
typedef struct call {
  callgate_mcp_tools_call_tool_args_t arguments;
  answer_t answer;
  JSValue promise;
  // Where the script made it.
  engine_place_t *place;
  bool wants_output;
  workflow_subtask_t subtask;
  struct call *next;
} call_t;

static JSValue error_of, error_of_arguments;
static workflow_waitable_set_t set;
static call_t *pending;

static const char *const CASES[] = {"refused", "not-sent", "rejected", "outcome-unknown"};
static const char *const REASONS[] = {"unknown-connection", "invalid-arguments", "denied", "limit-reached"};
static const char *const CAUSES[] = {"timeout",   "cancelled",          "session-stopped", "connect-failed",
                                     "too-large", "protocol-violation", "input-required",  "internal"};

void calls_fail_with(JSValue of_call, JSValue of_arguments) {
  error_of = of_call;
  error_of_arguments = of_arguments;
}

void calls_start(void) { set = workflow_waitable_set_new(); }

bool calls_are_pending(void) { return pending != NULL; }

workflow_callback_code_t calls_wait(void) { return WORKFLOW_CALLBACK_CODE_WAIT(set); }

static bool define_text(JSContext *context, JSValueConst object, const char *name, const workflow_string_t *text) {
  return value_define(context, object, name, value_from_text(context, text));
}

static bool define_some_text(JSContext *context, JSValueConst object, const char *name, const workflow_option_string_t *text) {
  return !text->is_some || define_text(context, object, name, &text->val);
}

static bool define_bytes(JSContext *context, JSValueConst object, const char *name, const workflow_list_u8_t *bytes) {
  return value_define(context, object, name, JS_NewUint8ArrayCopy(context, bytes->ptr, bytes->len));
}

static bool define_media(JSContext *context, JSValueConst block, const callgate_mcp_tools_media_t *media) {
  return define_bytes(context, block, "data", &media->data) && define_text(context, block, "mimeType", &media->mime_type);
}

static bool define_link(JSContext *context, JSValueConst block, const callgate_mcp_tools_resource_link_t *link) {
  return define_text(context, block, "uri", &link->uri) && define_text(context, block, "name", &link->name) &&
         define_some_text(context, block, "title", &link->title) &&
         define_some_text(context, block, "description", &link->description) &&
         define_some_text(context, block, "mimeType", &link->mime_type) &&
         (!link->size.is_some || value_define(context, block, "size", JS_NewInt64(context, (int64_t)link->size.val)));
}

static bool define_resource(JSContext *context, JSValueConst block, const callgate_mcp_tools_embedded_t *embedded) {
  JSValue resource = JS_NewObject(context);
  if (!value_define(context, block, "resource", JS_DupValue(context, resource))) {
    JS_FreeValue(context, resource);
    return false;
  }
  bool is_text = embedded->body.tag == CALLGATE_MCP_TOOLS_BODY_TEXT;
  bool is_done = define_text(context, resource, "uri", &embedded->uri) &&
                 define_some_text(context, resource, "mimeType", &embedded->mime_type) &&
                 (is_text ? define_text(context, resource, "text", &embedded->body.val.text)
                          : define_bytes(context, resource, "blob", &embedded->body.val.blob));
  JS_FreeValue(context, resource);
  return is_done;
}

static bool define_block(JSContext *context, JSValueConst block, const callgate_mcp_tools_content_t *content) {
  static const char *const TYPES[] = {"text", "image", "audio", "resource_link", "resource"};
  if (!value_define(context, block, "type", JS_NewString(context, TYPES[content->tag]))) return false;
  switch (content->tag) {
    case CALLGATE_MCP_TOOLS_CONTENT_TEXT:
      return define_text(context, block, "text", &content->val.text);
    case CALLGATE_MCP_TOOLS_CONTENT_IMAGE:
      return define_media(context, block, &content->val.image);
    case CALLGATE_MCP_TOOLS_CONTENT_AUDIO:
      return define_media(context, block, &content->val.audio);
    case CALLGATE_MCP_TOOLS_CONTENT_RESOURCE_LINK:
      return define_link(context, block, &content->val.resource_link);
    default:
      return define_resource(context, block, &content->val.resource);
  }
}

// A block as MCP writes it, with bytes where MCP has base64.
static JSValue block_of(JSContext *context, const callgate_mcp_tools_content_t *content) {
  if (content->tag == CALLGATE_MCP_TOOLS_CONTENT_OTHER) return value_from_json(context, &content->val.other);
  JSValue block = JS_NewObject(context);
  if (JS_IsException(block) || define_block(context, block, content)) return block;
  JS_FreeValue(context, block);
  return JS_EXCEPTION;
}

static JSValue content_of(JSContext *context, const callgate_mcp_tools_list_content_t *content) {
  JSValue blocks = JS_NewArray(context);
  if (JS_IsException(blocks)) return blocks;
  for (size_t at = 0; at < content->len; at++) {
    JSValue block = block_of(context, &content->ptr[at]);
    if (JS_IsException(block) || JS_DefinePropertyValueUint32(context, blocks, (uint32_t)at, block, JS_PROP_C_W_E) < 0) {
      JS_FreeValue(context, blocks);
      return JS_EXCEPTION;
    }
  }
  return blocks;
}

static bool define_result(JSContext *context, JSValueConst object, const callgate_mcp_tools_tool_call_result_t *result) {
  const char *outcome = result->outcome == CALLGATE_MCP_TOOLS_OUTCOME_OK ? "ok" : "error";
  return value_define(context, object, "outcome", JS_NewString(context, outcome)) &&
         value_define(context, object, "output", value_from_json(context, &result->output)) &&
         value_define(context, object, "content", content_of(context, &result->content)) &&
         value_define(context, object, "meta", result->meta.is_some ? value_from_json(context, &result->meta.val) : JS_NULL);
}

static bool define_failure(JSContext *context, JSValueConst object, const callgate_mcp_tools_failure_t *failure) {
  return value_define(context, object, "cause", JS_NewString(context, CAUSES[failure->cause])) &&
         define_text(context, object, "detail", &failure->detail);
}

static bool define_error(JSContext *context, JSValueConst object, const callgate_mcp_tools_call_error_t *error) {
  switch (error->tag) {
    case CALLGATE_MCP_TOOLS_CALL_ERROR_REFUSED:
      return value_define(context, object, "reason", JS_NewString(context, REASONS[error->val.refused.reason])) &&
             define_text(context, object, "detail", &error->val.refused.detail);
    case CALLGATE_MCP_TOOLS_CALL_ERROR_NOT_SENT:
      return define_failure(context, object, &error->val.not_sent);
    case CALLGATE_MCP_TOOLS_CALL_ERROR_REJECTED:
      return value_define(context, object, "code", JS_NewInt64(context, error->val.rejected.code)) &&
             define_text(context, object, "detail", &error->val.rejected.message) &&
             (!error->val.rejected.data.is_some ||
              value_define(context, object, "data", value_from_json(context, &error->val.rejected.data.val)));
    default:
      return define_failure(context, object, &error->val.outcome_unknown);
  }
}

static JSValue answer_of(JSContext *context, const answer_t *answer) {
  JSValue object = JS_NewObject(context);
  if (JS_IsException(object)) return object;
  bool is_done = answer->is_err ? define_error(context, object, &answer->val.err) : define_result(context, object, &answer->val.ok);
  if (is_done) return object;
  JS_FreeValue(context, object);
  return JS_EXCEPTION;
}

static void free_call(JSContext *context, call_t *call) {
  workflow_string_free(&call->arguments.connection);
  workflow_string_free(&call->arguments.tool);
  workflow_string_free(&call->arguments.arguments);
  JS_FreeValue(context, call->promise);
  if (call->place) engine_free_place(context, call->place);
  free(call);
}

// What was thrown, as the end of the call.
static void reject(JSContext *context, const call_t *call) {
  engine_settle(context, call->promise, JS_GetException(context), true);
}

// The call ended, and not as its caller wants. Consumes the answer.
static void reject_with(JSContext *context, call_t *call, const char *kind, JSValue answer) {
  JSValue place = JS_NewObject(context);
  if (call->place) engine_tell_place(context, call->place, place);
  call->place = NULL;
  JSValue told[] = {place, value_from_text(context, &call->arguments.connection), value_from_text(context, &call->arguments.tool),
                    JS_NewString(context, kind), answer};
  JSValue error = JS_Call(context, error_of, JS_UNDEFINED, 5, (JSValueConst *)told);
  for (int at = 0; at < 5; at++) JS_FreeValue(context, told[at]);
  if (JS_IsException(error)) error = JS_GetException(context);
  engine_settle(context, call->promise, error, true);
}

static void settle(JSContext *context, call_t *call) {
  const answer_t *answer = &call->answer;
  bool is_ok = !answer->is_err && answer->val.ok.outcome == CALLGATE_MCP_TOOLS_OUTCOME_OK;
  bool is_output = is_ok && call->wants_output;
  JSValue value = is_output ? value_from_json(context, &answer->val.ok.output) : answer_of(context, answer);
  if (JS_IsException(value)) {
    // What a server sent can't be held: the answer came, and the script can't see it.
    reject(context, call);
  } else if (answer->is_err) {
    reject_with(context, call, CASES[answer->val.err.tag], value);
  } else if (!is_ok && call->wants_output) {
    reject_with(context, call, "tool-failed", value);
  } else {
    engine_settle(context, call->promise, value, false);
  }
}

// Tells a call's end and frees it.
static void end(JSContext *context, call_t *call) {
  settle(context, call);
  callgate_mcp_tools_result_tool_call_result_call_error_free(&call->answer);
  free_call(context, call);
}

static bool refuse_arguments(JSContext *context, JSValueConst values) {
  JSValue error = JS_Call(context, error_of_arguments, JS_UNDEFINED, 1, &values);
  if (!JS_IsException(error)) JS_Throw(context, error);
  return false;
}

// The arguments as the JSON text of an object.
static bool arguments_to_text(JSContext *context, JSValueConst values, workflow_string_t *text) {
  if (JS_IsUndefined(values)) {
    workflow_string_dup(text, "{}");
    return true;
  }
  if (!JS_IsObject(values) || JS_IsFunction(context, values) || JS_IsArray(values)) return refuse_arguments(context, values);
  JSValue json = JS_JSONStringify(context, values, JS_UNDEFINED, JS_UNDEFINED);
  if (JS_IsException(json)) return false;
  bool is_done = JS_IsString(json) && value_to_text(context, json, text);
  JS_FreeValue(context, json);
  if (!is_done && JS_HasException(context)) return false;
  // It has a say itself in what it is as JSON.
  return (is_done && text->ptr[0] == '{') || refuse_arguments(context, values);
}

static void start(JSContext *context, call_t *call) {
  call->place = engine_place(context);
  workflow_subtask_status_t status = callgate_mcp_tools_call_tool(&call->arguments, &call->answer);
  if (WORKFLOW_SUBTASK_STATE(status) == WORKFLOW_SUBTASK_RETURNED) {
    end(context, call);
    return;
  }
  call->subtask = WORKFLOW_SUBTASK_HANDLE(status);
  workflow_waitable_join(call->subtask, set);
  call->next = pending;
  pending = call;
}

JSValue calls_begin(JSContext *context, JSValueConst self, int count, JSValueConst *arguments) {
  (void)self, (void)count;
  call_t *call = calloc(1, sizeof *call);
  if (!call) return JS_ThrowOutOfMemory(context);
  JSValue promise = engine_promise(context);
  if (JS_IsException(promise)) {
    free(call);
    return promise;
  }
  call->promise = JS_DupValue(context, promise);
  call->wants_output = JS_ToBool(context, arguments[3]);
  if (value_to_text(context, arguments[0], &call->arguments.connection) &&
      value_to_text(context, arguments[1], &call->arguments.tool) &&
      arguments_to_text(context, arguments[2], &call->arguments.arguments)) {
    start(context, call);
  } else {
    reject(context, call);
    free_call(context, call);
  }
  return promise;
}

void calls_finish(JSContext *context, const workflow_event_t *event) {
  if (event->event != WORKFLOW_EVENT_SUBTASK || event->code != WORKFLOW_SUBTASK_RETURNED) return;
  for (call_t **link = &pending; *link; link = &(*link)->next) {
    call_t *call = *link;
    if (call->subtask != event->waitable) continue;
    *link = call->next;
    workflow_waitable_join(call->subtask, 0);
    workflow_subtask_drop(call->subtask);
    end(context, call);
    return;
  }
}
