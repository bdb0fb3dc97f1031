// Between the values of the engine and the strings of the bindings.
#pragma once
#include "engine.h"
#include "workflow.h"

// Sets a property whatever setters its prototypes have. Takes `value`. False when there is an exception.
bool value_define(JSContext *context, JSValueConst object, const char *name, JSValue value);

// A string of the host as one of the engine.
JSValue value_from_text(JSContext *context, const workflow_string_t *text);

// A JSON text of the host as a value.
JSValue value_from_json(JSContext *context, const workflow_string_t *json);

// A string of the engine as one that the host takes: a copy in UTF-8 without lone surrogates. False when there is an exception.
bool value_to_text(JSContext *context, JSValueConst value, workflow_string_t *text);
