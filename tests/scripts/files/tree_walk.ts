// Walks a folder by hand and counts its files by ending, with the deepest level.
type Entry = { name: string; isFolder: boolean };

async function list(path: string): Promise<Entry[]> {
  const { content } = await tools.files.list_directory({ path });
  return content
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ name: line.replace(/^\[\w+\] /, ""), isFolder: line.startsWith("[DIR]") }));
}

const counts = new Map<string, number>();
let deepest = 0;

async function walk(path: string, depth: number): Promise<void> {
  deepest = Math.max(deepest, depth);
  for (const { name, isFolder } of await list(path)) {
    if (isFolder) await walk(`${path}/${name}`, depth + 1);
    else {
      const ending = name.includes(".") ? name.slice(name.lastIndexOf(".")) : "(none)";
      counts.set(ending, (counts.get(ending) ?? 0) + 1);
    }
  }
}

await walk(args.folder, 1);
return { deepest, counts: Object.fromEntries([...counts].sort()) };
