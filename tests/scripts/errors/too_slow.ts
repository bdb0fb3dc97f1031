// Waits for a tool that takes longer than the host allows: whether it did anything is unknown, so it isn't tried again.
let tries = 0;
const errors: string[] = [];
do {
  tries += 1;
  try {
    await callTool("slow", "trigger-long-running-operation", { duration: 30, steps: 1 });
    break;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    errors.push(`${error.kind} ${error.cause}`);
    if (error.outcomeUnknown) break;
  }
} while (tries < 3);
return { tries, errors };
