// Tries to write, hears that it may not, and does what it may: tells what it would have written.
const path = "report.txt";
const content = "all is well\n";
try {
  await tools.files.write_file({ path, content });
  return { written: path };
} catch (error) {
  if (error instanceof ToolError && error.kind === "refused" && error.reason === "denied") {
    console.warn(`${error.connection}/${error.tool}: ${error.detail}`);
    return { instead: content, retryable: error.retryable, outcomeUnknown: error.outcomeUnknown };
  }
  throw error;
}
