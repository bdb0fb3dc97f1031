// In which order modules have to be built, so that each comes after what it imports.
const folder = `${args.root}/modules`;
const { content } = await tools.filesystem.search_files({ path: folder, pattern: "*.mod" });
const imports = new Map<string, Set<string>>();
await Promise.all(
  content.split("\n").map(async (path) => {
    const name = path.slice(folder.length + 1, -".mod".length);
    const text = (await tools.filesystem.read_text_file({ path })).content;
    imports.set(name, new Set([...text.matchAll(/^use (\w+)$/gm)].map((match) => match[1])));
  }),
);

const order: string[] = [];
while (imports.size > 0) {
  const ready = [...imports].filter(([, needs]) => needs.size === 0).map(([name]) => name).sort();
  if (ready.length === 0) throw new Error(`these import each other: ${[...imports.keys()].sort().join(", ")}`);
  for (const name of ready) {
    order.push(name);
    imports.delete(name);
    for (const needs of imports.values()) needs.delete(name);
  }
}
return order;
