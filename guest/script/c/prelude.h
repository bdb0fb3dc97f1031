// The part of the runner that is JavaScript.
#pragma once
#include "engine.h"

// Evaluates the prelude and keeps the functions in which it and C meet.
void prelude_load(JSContext *context);

// begin(input): starts the script; a promise of its value.
JSValue prelude_begin(JSContext *context, JSValueConst input);

// fireTimer(isDone): whether there was a timer to fire. An exception is the timer's.
JSValue prelude_fire_timer(JSContext *context, bool is_done);

// success(value): the output of the run, as text.
JSValue prelude_success(JSContext *context, JSValueConst value);

// failure(kind, error): kind, message and details of the run's failure, as an array of texts.
JSValue prelude_failure(JSContext *context, const char *kind, JSValueConst error);
