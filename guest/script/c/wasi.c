// The functions of WASI that libc asks for, answered in here, so that the component imports none.
//
// The clock is the virtual one. There are no files, no environment and no arguments.
#include <errno.h>
#include <stdint.h>
#include <wasi/api.h>

#include "clock.h"

#define WASI(name) __imported_wasi_snapshot_preview1_##name

// 2026-01-01T00:00:00Z, unless the input of a run says otherwise.
static double started_ms = 1767225600000;
static double passed_ms = 0;

double clock_now(void) { return started_ms + passed_ms; }

void clock_start(double now_ms) { started_ms = now_ms; }

void clock_advance(double milliseconds) { passed_ms += milliseconds; }

int32_t WASI(clock_time_get)(int32_t id, int64_t precision, int32_t out) {
  (void)precision;
  // The monotonic clock starts at zero with the run, and what was booted before the run began with it.
  double ms = id == __WASI_CLOCKID_REALTIME ? clock_now() : passed_ms;
  *(int64_t *)(intptr_t)out = (int64_t)(ms * 1000) * 1000;
  return 0;
}

int32_t WASI(fd_write)(int32_t fd, int32_t vectors, int32_t count, int32_t written) {
  (void)fd, (void)vectors, (void)count, (void)written;
  return __WASI_ERRNO_BADF;
}

int32_t WASI(fd_close)(int32_t fd) {
  (void)fd;
  return __WASI_ERRNO_BADF;
}

int32_t WASI(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t position) {
  (void)fd, (void)offset, (void)whence, (void)position;
  return __WASI_ERRNO_BADF;
}

int32_t WASI(fd_fdstat_get)(int32_t fd, int32_t stat) {
  (void)fd, (void)stat;
  return __WASI_ERRNO_BADF;
}

int32_t WASI(environ_get)(int32_t variables, int32_t buffer) {
  (void)variables, (void)buffer;
  return 0;
}

int32_t WASI(environ_sizes_get)(int32_t count, int32_t bytes) {
  *(uint32_t *)(intptr_t)count = 0;
  *(uint32_t *)(intptr_t)bytes = 0;
  return 0;
}

_Noreturn void WASI(proc_exit)(int32_t code) {
  (void)code;
  __builtin_trap();
}
