// Finds files with the same content, keeps the first of each by name, and moves the others away.
const folder = "copies";
const { content } = await tools.files.list_directory({ path: folder });
const names = content.split("\n").filter((line) => line.startsWith("[FILE] ")).map((line) => line.slice(7)).sort();

const groups = new Map<string, string[]>();
for (const name of names) {
  const { content: text } = await tools.files.read_text_file({ path: `${folder}/${name}` });
  const group = groups.get(text);
  if (group) group.push(name);
  else groups.set(text, [name]);
}

const moved: Record<string, string[]> = {};
await tools.files.create_directory({ path: `${folder}/duplicates` });
for (const [kept, ...others] of groups.values()) {
  if (others.length === 0) continue;
  moved[kept] = others;
  await Promise.all(
    others.map((name) => tools.files.move_file({ source: `${folder}/${name}`, destination: `${folder}/duplicates/${name}` })),
  );
}
const left = (await tools.files.list_directory({ path: folder })).content.split("\n");
return { moved, left };
