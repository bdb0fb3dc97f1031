// What the runner asks of the engine beside quickjs.h.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quickjs.h"

// Starts Math.random again, from this seed.
void engine_seed(JSContext *context, uint64_t seed);

// Evaluates a text whose first line has this number.
JSValue engine_evaluate(JSContext *context, const char *text, size_t length, const char *file, int first_line);

// Compiles such a text; JS_EvalFunction runs it.
JSValue engine_compile(JSContext *context, const char *text, size_t length, const char *file, int first_line);

// Whether what was compiled is one function whose text has this length, and nothing beside it but parentheses.
bool engine_is_function(JSValueConst code, size_t length);

// Drops the text and the line numbers of all functions that there are: they then present themselves as native ones.
void engine_forget_text(JSRuntime *runtime);

// Fills what is free in the engine's own blocks of memory with zeros.
void engine_clean(JSRuntime *runtime);

// Makes a recursion an exception when it is this deep below the caller, in bytes of the stack in memory.
void engine_limit_stack(JSRuntime *runtime, size_t bytes);

// Where the running code is: the functions that wait for each other, and where in them. Taking it costs next to nothing; the text
// of it is made only for those that want it.
typedef struct engine_place engine_place_t;

// NULL without memory.
engine_place_t *engine_place(JSContext *context);

// Writes `stack` into the object, as Error.captureStackTrace would have done there. Frees the place.
void engine_tell_place(JSContext *context, engine_place_t *place, JSValueConst object);

void engine_free_place(JSContext *context, engine_place_t *place);

// Gives an object that can't be extended a property that stays as it is and isn't listed. Consumes the value. False without memory.
bool engine_extend(JSContext *context, JSValueConst object, JSAtom key, JSValue value);

// A promise without functions that settle it: `engine_settle` does, once.
JSValue engine_promise(JSContext *context);

// Consumes the value. What it is fulfilled with isn't asked whether it is a promise itself.
void engine_settle(JSContext *context, JSValueConst promise, JSValue value, bool is_rejected);
