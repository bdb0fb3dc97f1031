// The memory of the engine.
#pragma once
#include "engine.h"

// What the engine allocates with.
extern const JSMallocFunctions MEMORY;

// Whether the engine has asked for memory in vain since the start. Then what it throws may be `null`, for want of an error.
bool memory_is_short(void);

// From here on what is freed is filled with zeros, which take no place in the snapshot.
void memory_start_booting(void);
void memory_end_booting(void);
