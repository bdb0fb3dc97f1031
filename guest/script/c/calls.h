// The calls of tools that are under way.
#pragma once
#include "engine.h"
#include "workflow.h"

// Sets the two functions that make errors: of a call that has no answer or none that its caller wants, from (place, connection,
// tool, case, answer), and of arguments that are no object, from these.
void calls_fail_with(JSValue error_of, JSValue error_of_arguments);

// Makes the set in which the calls of a run are waited for.
void calls_start(void);

// call(connection, tool, arguments, wantsOutput), two strings, any value and a boolean: a promise of the whole answer, or of its
// output alone. Throws only without memory.
JSValue calls_begin(JSContext *context, JSValueConst self, int count, JSValueConst *arguments);

// Whether any call is under way.
bool calls_are_pending(void);

// Takes the event that a call has ended.
void calls_finish(JSContext *context, const workflow_event_t *event);

// What the host is to wait for.
workflow_callback_code_t calls_wait(void);
