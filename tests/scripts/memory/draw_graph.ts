// Draws a part of the graph in the language of Graphviz, with names quoted as it wants them.
const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

await tools.memory.create_entities({
  entities: [
    { name: 'the "A" team', entityType: "box", observations: ["x"] },
    { name: "back\\slash", entityType: "ellipse", observations: [] },
  ],
});
await tools.memory.create_relations({ relations: [{ from: 'the "A" team', to: "back\\slash", relationType: "draws" }] });

const { entities, relations } = await tools.memory.open_nodes({ names: ['the "A" team', "back\\slash"] });
return `digraph {
${entities.map(({ name, entityType }) => `  ${quote(name)} [shape=${entityType}];`).join("\n")}
${relations.map(({ from, to, relationType }) => `  ${quote(from)} -> ${quote(to)} [label=${quote(relationType)}];`).join("\n")}
}`;
