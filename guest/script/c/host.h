// What the prelude can do beside JavaScript: the functions of its argument `host`.
#pragma once
#include "engine.h"

// Makes the object of the functions.
JSValue host_functions(JSContext *context);
