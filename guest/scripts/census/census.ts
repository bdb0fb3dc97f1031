// Counts the lines of the files in a folder: {"root": "docs"} in, a number for each name out, null where a file can't be read.
interface Input {
  root: string;
}

const { root } = args as Input;
const { content } = await tools.files.list_directory({ path: root });
const names: string[] = content
  .split("\n")
  .filter((line: string) => line.startsWith("[FILE] "))
  .map((line: string) => line.slice("[FILE] ".length));

async function count(name: string): Promise<[string, number | null]> {
  try {
    const file = await tools.files.read_text_file({ path: `${root}/${name}` });
    return [name, file.content.split("\n").length];
  } catch (error) {
    // The tool says no to this file alone. Everything else is about all of them, and ends the run.
    if (!(error instanceof ToolError) || error.kind !== "tool-failed") throw error;
    console.warn("%s: %s", name, error.output);
    return [name, null];
  }
}

return Object.fromEntries(await Promise.all(names.map(count)));
