// The promises that were rejected and that nobody has asked for yet.
#pragma once
#include "engine.h"

// Begins to watch the promises of a runtime.
void rejections_watch(JSRuntime *runtime);

// Whether there is one.
bool rejections_are_unhandled(void);

// The reason of the first one. Only when there is one.
JSValue rejections_first(JSContext *context);
