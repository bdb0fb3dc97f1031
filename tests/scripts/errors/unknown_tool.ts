// Asks one server for a tool that it doesn't have: it rejects the call. The other one says that the tool failed.
const heard: unknown[] = [];
for (const connection of ["files", "everything"]) {
  try {
    const { outcome, output } = await callTool(connection, "no_such_tool");
    heard.push([connection, outcome, /not found/.test(output)]);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { name, kind, code, message } = error;
    heard.push([connection, name, kind, code, message]);
  }
}
return heard;
