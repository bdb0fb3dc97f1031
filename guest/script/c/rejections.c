// The promises that were rejected and that nobody has asked for yet.
//
// They are judged at the end of the run, not at once: whether one call fails before another one is awaited depends on which
// answer is first, and the outcome of a run should not.
#include "rejections.h"

#include <stdlib.h>

typedef struct rejection {
  JSValue promise;
  JSValue reason;
  struct rejection *next;
} rejection_t;

static rejection_t *first;

static void forget(JSContext *context, JSValueConst promise) {
  for (rejection_t **link = &first; *link; link = &(*link)->next) {
    rejection_t *rejection = *link;
    if (JS_VALUE_GET_PTR(rejection->promise) != JS_VALUE_GET_PTR(promise)) continue;
    *link = rejection->next;
    JS_FreeValue(context, rejection->promise);
    JS_FreeValue(context, rejection->reason);
    free(rejection);
    return;
  }
}

static void remember(JSContext *context, JSValueConst promise, JSValueConst reason) {
  rejection_t *rejection = malloc(sizeof *rejection);
  // Without memory the run fails elsewhere.
  if (!rejection) return;
  *rejection = (rejection_t){JS_DupValue(context, promise), JS_DupValue(context, reason), NULL};
  rejection_t **link = &first;
  while (*link) link = &(*link)->next;
  *link = rejection;
}

static void track(JSContext *context, JSValueConst promise, JSValueConst reason, bool is_handled, void *opaque) {
  (void)opaque;
  if (is_handled) {
    forget(context, promise);
  } else {
    remember(context, promise, reason);
  }
}

void rejections_watch(JSRuntime *runtime) { JS_SetHostPromiseRejectionTracker(runtime, track, NULL); }

bool rejections_are_unhandled(void) { return first != NULL; }

JSValue rejections_first(JSContext *context) { return JS_DupValue(context, first->reason); }
