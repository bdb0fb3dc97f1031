// The memory of the engine: that of libc, cleaned up behind the booting.
#include "memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// More than booting needs, and less than there is.
#define MAX_STACK_BYTES (512 << 10)

static bool is_booting;
static bool is_short;

void memory_start_booting(void) { is_booting = true; }

void memory_end_booting(void) {
  is_booting = false;
  // What is left on the stack of the calls that have returned. This function has no frame on it.
  char *top = __builtin_frame_address(0);
  memset(top - MAX_STACK_BYTES, 0, MAX_STACK_BYTES);
}

bool memory_is_short(void) { return is_short; }

static void *noted(void *block) {
  if (!block) is_short = true;
  return block;
}

static void *allocate_zeros(void *opaque, size_t count, size_t size) {
  (void)opaque;
  return noted(calloc(count, size));
}

static void *allocate(void *opaque, size_t size) {
  (void)opaque;
  return noted(malloc(size));
}

static void release(void *opaque, void *block) {
  (void)opaque;
  if (is_booting && block) memset(block, 0, malloc_usable_size(block));
  free(block);
}

static void *reallocate(void *opaque, void *block, size_t size) {
  if (!is_booting || !block) return noted(realloc(block, size));
  // Moved by hand, as only then the old place can be cleaned.
  void *moved = malloc(size);
  if (!moved) return NULL;
  size_t old_size = malloc_usable_size(block);
  memcpy(moved, block, old_size < size ? old_size : size);
  release(opaque, block);
  return moved;
}

static size_t usable_size(const void *block) { return malloc_usable_size((void *)block); }

const JSMallocFunctions MEMORY = {allocate_zeros, allocate, release, reallocate, usable_size};
