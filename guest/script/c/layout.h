// Where in memory the things of the engine are: what runs write to, close together.
//
// A run starts with the memory that booting has left, and each page of it that the run writes to is copied for it. The engine
// counts references in the things themselves, so it writes everywhere. That is why some scripts are rehearsed when the component
// is built, which tells what they write to; then the engine is booted again, with these things in one place. A plan that is wrong
// costs memory and nothing else.
#pragma once
#include "engine.h"

// Makes the places for what is allocated from here on: by the plan, if there is one.
void layout_start(JSRuntime *runtime);

// The end of booting: what is allocated from here on comes from the place for what runs write to.
void layout_end(JSRuntime *runtime);

// Remembers what memory looks like before the rehearsal.
void layout_watch(void);

// Makes the plan of what the rehearsal has written to.
void layout_plan(void);

// The plan, which is what booting has to find here the next time.
void *layout_memory(size_t *bytes);
