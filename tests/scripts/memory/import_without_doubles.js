// Adds people to the graph, those alone that aren't there yet, with names that are written in many ways.
const normal = (name) => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
const known = new Set((await tools.memory.search_nodes({ query: "contact" })).entities.map(({ name }) => normal(name)));
const fresh = [];
for (const { name, mail } of args) {
  if (known.has(normal(name))) continue;
  known.add(normal(name));
  fresh.push({ name: name.trim().replace(/\s+/g, " "), entityType: "contact", observations: [`mail: ${mail}`] });
}
const { entities } = await tools.memory.create_entities({ entities: fresh });
const again = await tools.memory.create_entities({ entities: fresh });
return { added: entities.map(({ name }) => name), again: again.entities.length };
