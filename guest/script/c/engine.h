// What the runner asks of the engine beside quickjs.h.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "quickjs.h"

// Starts Math.random again, from this seed.
void engine_seed(JSContext *context, uint64_t seed);

// Evaluates a text whose first line has this number.
JSValue engine_evaluate(JSContext *context, const char *text, size_t length, const char *file, int first_line);

// Compiles such a text; JS_EvalFunction runs it.
JSValue engine_compile(JSContext *context, const char *text, size_t length, const char *file, int first_line);

// Drops the text and the line numbers of all functions that there are: they then present themselves as native ones.
void engine_forget_text(JSRuntime *runtime);

// Fills what is free in the engine's own blocks of memory with zeros.
void engine_clean(JSRuntime *runtime);

// Makes a recursion an exception when it is this deep below the caller, in bytes of the stack in memory.
void engine_limit_stack(JSRuntime *runtime, size_t bytes);
