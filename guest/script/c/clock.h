// The virtual clock: it stands still while code runs, and moves when the runner moves it.
#pragma once

// Milliseconds since 1970.
double clock_now(void);

// Starts the clock of a run.
void clock_start(double now_ms);

// Moves the clock forward.
void clock_advance(double milliseconds);
