// Collects the TODOs of all notes and writes a report in Markdown, grouped by person.
const found = await tools.files.search_files({ path: "notes", pattern: "**/*.md" });
const paths = found.content.split("\n").map((path) => path.slice(path.indexOf("notes/")));
const notes = await Promise.all(
  paths.map(async (path) => ({ path, text: (await tools.files.read_text_file({ path })).content })),
);

const byPerson = new Map();
for (const { path, text } of notes.sort((a, b) => a.path.localeCompare(b.path))) {
  text.split("\n").forEach((line, index) => {
    const match = /TODO\((?<who>\w+)\):\s*(?<what>.+)$/.exec(line);
    if (!match) return;
    const { who, what } = match.groups;
    byPerson.set(who, [...(byPerson.get(who) ?? []), `- [ ] ${what} (${path}:${index + 1})`]);
  });
}

const sections = [...byPerson.keys()].sort().map((who) => `## ${who}\n\n${byPerson.get(who).join("\n")}\n`);
await tools.files.write_file({ path: "out/todo.md", content: `# Open tasks\n\n${sections.join("\n")}` });
return Object.fromEntries([...byPerson].map(([who, tasks]) => [who, tasks.length]));
