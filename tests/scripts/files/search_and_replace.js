// Renames a function in all sources but those of others, as a whole word only.
const { from, to } = args;
const word = new RegExp(`\\b${from}\\b`, "g");
const found = await tools.files.search_files({ path: "code", pattern: "**/*.js", excludePatterns: ["vendor"] });
const changes = [];
for (const absolute of found.content.split("\n")) {
  const path = absolute.slice(absolute.lastIndexOf("code/"));
  const { content } = await tools.files.read_text_file({ path });
  let count = 0;
  const changed = content.replace(word, () => {
    count += 1;
    return to;
  });
  if (count === 0) continue;
  await tools.files.write_file({ path, content: changed });
  changes.push({ path, count });
}
return changes.sort((a, b) => a.path < b.path ? -1 : 1);
