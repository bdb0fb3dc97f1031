// Scripts that are run when the component is built, in a copy that is thrown away, to see what runs write to: layout.h.
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "workflow.h"

#define INPUT(source)                                                                                              \
  "{\"source\":\"" source "\",\"file\":\"rehearsal.js\",\"args\":null,\"seed\":0,\"now_ms\":0,\"max_log_bytes\":1000," \
  "\"max_stack_bytes\":524288}"

// One that ends, and one that waits for a call: no call has an answer here.
static const char ENDS[] = INPUT(
    "console.log('%d', 1);"
    "const [one] = await Promise.all([1].map(async (n) => n * 2));"
    "return { one, text: `${one}` }");
static const char WAITS[] = INPUT(
    "let sum = 0;"
    "for (let at = 0; at < 2; at++) sum += (await tools.files.read({ value: at })).value;"
    "return sum");

static void run(const char *input, size_t length) {
  workflow_string_t text = {malloc(length + 1), length};
  memcpy(text.ptr, input, length);
  exports_callgate_mcp_run_run(&text);
}

// Where the plan is that comes of it: the address in the upper half, and in the lower one how many bytes.
__attribute__((__export_name__("rehearse"))) int64_t rehearse(void) {
  layout_watch();
  run(ENDS, sizeof ENDS - 1);
  run(WAITS, sizeof WAITS - 1);
  layout_plan();
  size_t bytes;
  void *memory = layout_memory(&bytes);
  return (int64_t)((uint64_t)(uintptr_t)memory << 32 | bytes);
}
