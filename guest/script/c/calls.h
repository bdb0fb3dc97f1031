// The calls of tools that are under way.
#pragma once
#include "engine.h"
#include "workflow.h"

// Sets the function that a call's end is told to: (slot, case, answer).
void calls_settle_with(JSContext *context, JSValue settle);

// Makes the set in which the calls of a run are waited for.
void calls_start(void);

// call(connection, tool, arguments, slot), three strings and what `settle` gets with the answer.
JSValue calls_begin(JSContext *context, JSValueConst self, int count, JSValueConst *arguments);

// Whether any call is under way.
bool calls_are_pending(void);

// Takes the event that a call has ended. False when settling it threw.
bool calls_finish(JSContext *context, const workflow_event_t *event);

// What the host is to wait for.
workflow_callback_code_t calls_wait(void);
