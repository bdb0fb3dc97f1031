// A workflow in C: reads three files at once, and returns an array of what each call heard.
//
// `workflow.h` is what `wit-bindgen c` makes of the world `workflow`. The export starts the calls and gives way; its callback
// comes with the end of each. The sandbox goes when the run ends, so nothing is freed.
#include <stdlib.h>
#include <string.h>

#include "workflow.h"

enum { CALLS = 3 };

static const char *const ARGUMENTS[CALLS] = {
    "{\"path\": \"README.md\"}",
    "{\"path\": \"CHANGELOG.md\"}",
    "{\"path\": \"password.txt\"}",
};

// A call reads its arguments and writes its answer until it ends, so neither may move.
static callgate_mcp_tools_call_tool_args_t arguments[CALLS];
static callgate_mcp_tools_result_tool_call_result_call_error_t answers[CALLS];
static workflow_subtask_t subtasks[CALLS];
static workflow_waitable_set_t set;
static int pending;

// The output of a call, or the name of its error.
static workflow_string_t told(int at) {
  static const char *const ERRORS[] = {"\"refused\"", "\"not-sent\"", "\"rejected\"", "\"outcome-unknown\""};
  if (!answers[at].is_err) return answers[at].val.ok.output;
  workflow_string_t error;
  workflow_string_set(&error, ERRORS[answers[at].val.err.tag]);
  return error;
}

static workflow_callback_code_t finish(void) {
  size_t bytes = 2;
  for (int at = 0; at < CALLS; at++) bytes += told(at).len + 1;
  char *output = malloc(bytes);
  if (!output) abort();
  size_t end = 0;
  for (int at = 0; at < CALLS; at++) {
    workflow_string_t text = told(at);
    output[end++] = at == 0 ? '[' : ',';
    memcpy(output + end, text.ptr, text.len);
    end += text.len;
  }
  output[end++] = ']';
  exports_callgate_mcp_run_result_string_failure_t result = {.is_err = false};
  result.val.ok = (workflow_string_t){.ptr = (uint8_t *)output, .len = end};
  exports_callgate_mcp_run_run_return(result);
  return WORKFLOW_CALLBACK_CODE_EXIT;
}

static workflow_callback_code_t go_on(void) { return pending == 0 ? finish() : WORKFLOW_CALLBACK_CODE_WAIT(set); }

workflow_callback_code_t exports_callgate_mcp_run_run(workflow_string_t *input) {
  (void)input;
  set = workflow_waitable_set_new();
  for (int at = 0; at < CALLS; at++) {
    workflow_string_set(&arguments[at].connection, "files");
    workflow_string_set(&arguments[at].tool, "read_text_file");
    workflow_string_set(&arguments[at].arguments, ARGUMENTS[at]);
    workflow_subtask_status_t status = callgate_mcp_tools_call_tool(&arguments[at], &answers[at]);
    if (WORKFLOW_SUBTASK_STATE(status) == WORKFLOW_SUBTASK_RETURNED) continue;
    subtasks[at] = WORKFLOW_SUBTASK_HANDLE(status);
    workflow_waitable_join(subtasks[at], set);
    pending++;
  }
  return go_on();
}

workflow_callback_code_t exports_callgate_mcp_run_run_callback(workflow_event_t *event) {
  if (event->event == WORKFLOW_EVENT_SUBTASK && event->code == WORKFLOW_SUBTASK_RETURNED) {
    workflow_waitable_join(event->waitable, 0);
    workflow_subtask_drop(event->waitable);
    pending--;
  }
  return go_on();
}
