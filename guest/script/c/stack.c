// How deep a script may call.
//
// There are two stacks: the one in memory, which the engine looks at, and the host's, which nobody in here can see and whose end
// is a trap, without position and logs. Both grow with each call, so the bound of the first has to be reached before the second is
// full.
#include "stack.h"

// Bytes in memory for each byte of the host's stack: of all ways to call deep, the one with the largest frames at the host,
// `replace` with a function that calls itself, takes 0.43.
#define SHARE 0.375

// What there is in memory (`STACK_BYTES` in build.rs), and a rest for what calls no script.
#define MOST_BYTES ((1 << 20) - (64 << 10))

static size_t bytes = 192 << 10;

void stack_fit(double host_bytes) {
  double share = host_bytes * SHARE;
  bytes = share < MOST_BYTES ? (size_t)share : MOST_BYTES;
}

void stack_start(JSRuntime *runtime) { engine_limit_stack(runtime, bytes); }
