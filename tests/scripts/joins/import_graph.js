// Which source files import which: read from one server, kept in another, and asked for files that nothing imports.
const tree = JSON.parse((await tools.files.directory_tree({ path: "app" })).content);
const files = [];
(function collect(nodes, prefix) {
  for (const node of nodes) {
    if (node.children) collect(node.children, `${prefix}${node.name}/`);
    else if (node.name.endsWith(".js")) files.push(prefix + node.name);
  }
})(tree, "app/");

const relations = [];
for (const file of files) {
  const { content } = await tools.files.read_text_file({ path: file });
  for (const [, target] of content.matchAll(/from ["'](\.[^"']+)["']/g)) {
    relations.push({ from: file, to: new URL(target, `file:///${file}`).pathname.slice(1), relationType: "imports" });
  }
}
await tools.memory.create_entities({ entities: files.map((name) => ({ name, entityType: "source", observations: [] })) });
await tools.memory.create_relations({ relations });
const graph = await tools.memory.search_nodes({ query: "source" });
const imported = new Set(graph.relations.map(({ to }) => to));
return { files: files.length, imports: graph.relations.length, entry: graph.entities.map(({ name }) => name).filter((name) => !imported.has(name)) };
