// Says in its own error what it was doing, and keeps the tool's error as the cause.
class ReportError extends Error {
  override name = "ReportError";
}

async function load(path: string): Promise<string[]> {
  try {
    return (await tools.files.read_text_file({ path })).content.split("\n");
  } catch (cause) {
    throw new ReportError(`the report needs ${path}`, { cause });
  }
}

const lines = await load("figures.csv");
return lines.length;
