// Arguments that no object can be are an error at the call itself; those that the tool's schema doesn't have are refused.
const attempts: [string, () => Promise<unknown>][] = [
  ["a text", () => tools.files.read_text_file("note.txt" as any)],
  ["a list", () => callTool("files", "read_text_file", ["note.txt"])],
  ["a number as tool", () => callTool("files", 1 as any)],
  ["nothing", () => tools.files.read_text_file(undefined as any)],
  ["a wrong name", () => callTool("files", "read_text_file", { pathe: "note.txt" })],
];
const names = await Promise.all(
  attempts.map(async ([what, attempt]) => {
    const error = await attempt().then((answer) => answer, (error: unknown) => error);
    return `${what}: ${error instanceof TypeError ? "TypeError" : error instanceof ToolError ? `${error.kind}, ${error.reason}` : (error as any).outcome}`;
  }),
);
return names;
