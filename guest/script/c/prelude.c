// The part of the runner that is JavaScript.
//
// Each file is a function of two objects: `host` has the functions of host.c, and in `kit` the files hand each other what they
// make. What C calls is taken out of `kit` before any script runs.
#include "prelude.h"

#include <string.h>

#include "calls.h"
#include "host.h"

typedef struct {
  const char *name;
  char *source;
  size_t length;
} file_t;

static char KIT[] = {
#embed "../js/kit.js"
    , 0};
static char INSPECT[] = {
#embed "../js/inspect.js"
    , 0};
static char CONSOLE[] = {
#embed "../js/console.js"
    , 0};
static char TIMERS[] = {
#embed "../js/timers.js"
    , 0};
static char TOOLS[] = {
#embed "../js/tools.js"
    , 0};
static char NAMES[] = {
#embed "../js/names.js"
    , 0};
static char ERRORS[] = {
#embed "../js/errors.js"
    , 0};
static char ENCODING[] = {
#embed "../js/encoding.js"
    , 0};
static char CLONE[] = {
#embed "../js/clone.js"
    , 0};
static char HOSTNAMES[] = {
#embed "../js/hostnames.js"
    , 0};
static char SEARCH[] = {
#embed "../js/search.js"
    , 0};
static char URLS[] = {
#embed "../js/url.js"
    , 0};
static char RUN[] = {
#embed "../js/run.js"
    , 0};

#define ENTRY(name, bytes) {name, bytes, sizeof bytes - 1}
// In this order: each uses what the ones before it have put into the kit.
static const file_t FILES[] = {
    ENTRY("callgate:kit.js", KIT),
    ENTRY("callgate:inspect.js", INSPECT),
    ENTRY("callgate:console.js", CONSOLE),
    ENTRY("callgate:timers.js", TIMERS),
    ENTRY("callgate:names.js", NAMES),
    ENTRY("callgate:tools.js", TOOLS),
    ENTRY("callgate:errors.js", ERRORS),
    ENTRY("callgate:encoding.js", ENCODING),
    ENTRY("callgate:clone.js", CLONE),
    ENTRY("callgate:hostnames.js", HOSTNAMES),
    ENTRY("callgate:search.js", SEARCH),
    ENTRY("callgate:url.js", URLS),
    ENTRY("callgate:run.js", RUN),
};

static JSValue begin, fire_timer, success, failure;

// A prelude that doesn't load is a mistake of this repository, found when the component is built.
static JSValue must(JSContext *context, JSValue value) {
  if (JS_IsException(value)) __builtin_trap();
  (void)context;
  return value;
}

static void load(JSContext *context, const file_t *file, JSValueConst host, JSValueConst kit) {
  JSValue function = must(context, JS_Eval(context, file->source, file->length, file->name, JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT));
  JSValueConst arguments[] = {host, kit};
  JS_FreeValue(context, must(context, JS_Call(context, function, JS_UNDEFINED, 2, arguments)));
  JS_FreeValue(context, function);
}

void prelude_load(JSContext *context) {
  JSValue host = host_functions(context);
  JSValue kit = JS_NewObject(context);
  for (size_t at = 0; at < sizeof FILES / sizeof *FILES; at++) load(context, &FILES[at], host, kit);
  begin = JS_GetPropertyStr(context, kit, "begin");
  fire_timer = JS_GetPropertyStr(context, kit, "fireTimer");
  success = JS_GetPropertyStr(context, kit, "success");
  failure = JS_GetPropertyStr(context, kit, "failure");
  calls_fail_with(JS_GetPropertyStr(context, kit, "errorOfCall"), JS_GetPropertyStr(context, kit, "errorOfArguments"));
  JS_FreeValue(context, kit);
  JS_FreeValue(context, host);
  // Their work is done, and zeros take no place in the snapshot.
  for (size_t at = 0; at < sizeof FILES / sizeof *FILES; at++) memset(FILES[at].source, 0, FILES[at].length);
}

JSValue prelude_begin(JSContext *context, JSValueConst input) { return JS_Call(context, begin, JS_UNDEFINED, 1, &input); }

JSValue prelude_fire_timer(JSContext *context, bool is_done) {
  JSValueConst arguments[] = {JS_NewBool(context, is_done)};
  return JS_Call(context, fire_timer, JS_UNDEFINED, 1, arguments);
}

JSValue prelude_success(JSContext *context, JSValueConst value) { return JS_Call(context, success, JS_UNDEFINED, 1, &value); }

JSValue prelude_failure(JSContext *context, const char *kind, JSValueConst error) {
  JSValue name = JS_NewString(context, kind);
  JSValueConst arguments[] = {name, error};
  JSValue told = JS_Call(context, failure, JS_UNDEFINED, 2, arguments);
  JS_FreeValue(context, name);
  return told;
}
