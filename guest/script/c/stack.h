// How deep a script may call.
#pragma once
#include "engine.h"

// Fits it to the stack that the host gives to the component, in bytes.
void stack_fit(double host_bytes);

// Counts from here on, where the host has called.
void stack_start(JSRuntime *runtime);
