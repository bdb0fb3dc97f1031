// Keeps a mirror of a folder: what is new or changed is written through one server, and checked through the other.
const [from, to] = ["app", "out/mirror"];

async function texts(folder: string): Promise<Map<string, string>> {
  const found = await tools.files.search_files({ path: folder, pattern: "**/*.js" });
  const paths = found.content === "No matches found" ? [] : found.content.split("\n");
  const entries = paths.map(async (path): Promise<[string, string]> => {
    const { content } = await tools.filesystem.read_text_file({ path });
    return [path.slice(path.lastIndexOf(`${folder}/`) + folder.length + 1), content];
  });
  return new Map(await Promise.all(entries));
}

async function sync(): Promise<string[]> {
  const [source, target] = await Promise.all([texts(from), texts(to)]);
  const stale = [...source].filter(([name, text]) => target.get(name) !== text);
  for (const [name, content] of stale) {
    const folder = name.split("/").slice(0, -1).join("/");
    await tools.files.create_directory({ path: `${to}/${folder}` });
    await tools.files.write_file({ path: `${to}/${name}`, content });
  }
  return stale.map(([name]) => name).sort();
}

await tools.files.create_directory({ path: to });
const first = await sync();
await tools.files.write_file({ path: `${to}/lib/b.js`, content: "spoilt" });
return { first, second: await sync(), third: await sync() };
