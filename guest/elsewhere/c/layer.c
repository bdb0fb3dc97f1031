// A middleware in C: refuses calls whose arguments name a password, and passes everything else on.
//
// `middleware.h` is what `wit-bindgen c` makes of the world `middleware`. An exported function starts, waits in its callback
// for the call behind it, and returns what that heard; any number of calls may be between start and return.
#include <stdlib.h>
#include <string.h>

#include "middleware.h"

typedef exports_callgate_mcp_tools_result_tool_call_result_call_error_t answer_t;
typedef callgate_mcp_tools_result_tool_call_result_call_error_t heard_t;

// A call that is behind this layer. It reads `arguments` and writes `heard` until it ends, so neither may move.
typedef struct {
  callgate_mcp_tools_call_tool_args_t arguments;
  heard_t heard;
  middleware_subtask_t subtask;
  middleware_waitable_set_t set;
} call_t;

static middleware_callback_code_t refuse(const char *detail) {
  answer_t answer = {.is_err = true, .val.err.tag = CALLGATE_MCP_TOOLS_CALL_ERROR_REFUSED};
  answer.val.err.val.refused.reason = CALLGATE_MCP_TOOLS_REFUSAL_REASON_DENIED;
  middleware_string_set(&answer.val.err.val.refused.detail, detail);
  exports_callgate_mcp_tools_call_tool_return(answer);
  return MIDDLEWARE_CALLBACK_CODE_EXIT;
}

// The interface is imported and exported, so each of its types is there twice, in one shape.
static middleware_callback_code_t pass_back(call_t *call) {
  answer_t answer;
  _Static_assert(sizeof answer == sizeof call->heard, "the types have one shape");
  memcpy(&answer, &call->heard, sizeof answer);
  exports_callgate_mcp_tools_call_tool_return(answer);
  callgate_mcp_tools_result_tool_call_result_call_error_free(&call->heard);
  middleware_string_free(&call->arguments.connection);
  middleware_string_free(&call->arguments.tool);
  callgate_mcp_tools_json_free(&call->arguments.arguments);
  free(call);
  return MIDDLEWARE_CALLBACK_CODE_EXIT;
}

middleware_callback_code_t exports_callgate_mcp_tools_call_tool(middleware_string_t *connection, middleware_string_t *tool,
                                                                exports_callgate_mcp_tools_json_t *arguments) {
  if (memmem(arguments->ptr, arguments->len, "password", strlen("password"))) {
    return refuse("c layer: the arguments name a password");
  }
  call_t *call = calloc(1, sizeof *call);
  if (!call) abort();
  call->arguments.connection = *connection;
  call->arguments.tool = *tool;
  call->arguments.arguments = *arguments;
  middleware_subtask_status_t status = callgate_mcp_tools_call_tool(&call->arguments, &call->heard);
  if (MIDDLEWARE_SUBTASK_STATE(status) == MIDDLEWARE_SUBTASK_RETURNED) return pass_back(call);
  call->subtask = MIDDLEWARE_SUBTASK_HANDLE(status);
  call->set = middleware_waitable_set_new();
  middleware_waitable_join(call->subtask, call->set);
  // Each call of this layer has a context of its own.
  middleware_context_set_0(call);
  return MIDDLEWARE_CALLBACK_CODE_WAIT(call->set);
}

middleware_callback_code_t exports_callgate_mcp_tools_call_tool_callback(middleware_event_t *event) {
  call_t *call = middleware_context_get_0();
  if (event->event != MIDDLEWARE_EVENT_SUBTASK || event->code != MIDDLEWARE_SUBTASK_RETURNED) {
    return MIDDLEWARE_CALLBACK_CODE_WAIT(call->set);
  }
  middleware_waitable_join(call->subtask, 0);
  middleware_subtask_drop(call->subtask);
  middleware_waitable_set_drop(call->set);
  return pass_back(call);
}
