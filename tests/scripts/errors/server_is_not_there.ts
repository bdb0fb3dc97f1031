// Tries a server that can't be started as often as makes sense, and then does without.
async function retry<T>(work: () => Promise<T>, times: number): Promise<T> {
  let last: unknown;
  for (let n = 0; n < times; n++) {
    try {
      return await work();
    } catch (error) {
      last = error;
      if (!(error instanceof ToolError && error.retryable)) break;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  throw new Error(`no answer after ${times} tries`, { cause: last });
}

try {
  await retry(() => callTool("ghost", "haunt", { where: "attic" }), 2);
} catch (error) {
  const cause = (error as Error).cause as ToolError;
  return { says: (error as Error).message, kind: cause.kind, cause: cause.cause, retryable: cause.retryable };
}
return "it answered";
