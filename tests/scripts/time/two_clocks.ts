// The run's own clock stands still and starts where it always does, whatever time the server says it is.
const own = new Date();
const before = performance.now();
const { datetime } = await tools.time.get_current_time({ timezone: "UTC" });
const theirs = new Date(datetime);
await new Promise<void>((resolve) => setTimeout(resolve, 36 * 60 * 60 * 1000));
const later = new Date();
return {
  own: own.toISOString(),
  later: later.toJSON(),
  passed: performance.now() - before,
  isLater: theirs > new Date("2025-06-01"),
  parts: [later.getUTCDay(), later.getMonth(), later.getTimezoneOffset()],
};
