// Walks a tree with an async generator and stops as soon as it has what it wants.
async function* walk(path: string): AsyncGenerator<string, void, undefined> {
  const { content } = await tools.filesystem.list_directory({ path });
  for (const line of content.split("\n")) {
    const name = line.substring(line.indexOf("] ") + 2);
    if (line.startsWith("[DIR]")) yield* walk(`${path}/${name}`);
    else if (line.startsWith("[FILE]")) yield `${path}/${name}`;
  }
}

async function* matching(paths: AsyncIterable<string>, text: string): AsyncGenerator<{ path: string; line: number }> {
  for await (const path of paths) {
    const { content } = await tools.filesystem.read_text_file({ path });
    const line = content.split("\n").findIndex((candidate) => candidate.includes(text)) + 1;
    if (line > 0) yield { path, line };
  }
}

let first: { path: string; line: number } | undefined;
for await (const found of matching(walk(`${args.root}/project`), "needle")) {
  first = found;
  break;
}
return first && { file: first.path.replace(`${args.root}/`, ""), line: first.line };
