// Objects whose properties are made when they are asked for: `tools`, and its connections.
#pragma once
#include "quickjs.h"

// Once for each runtime.
void names_start(JSRuntime *runtime);

// named(make, called): an object whose property `key` is what make(key) returned the first time; undefined is no property. With a
// function `called`, the object is a function that does so.
JSValue names_object(JSContext *context, JSValueConst self, int count, JSValueConst *arguments);
