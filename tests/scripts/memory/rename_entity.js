// Gives a node another name: makes the new one, takes its relations along, and removes the old one last.
const { memory } = tools;
await memory.create_entities({
  entities: ["Constantinople", "Black Sea", "Rome"].map((name) => ({ name, entityType: "place", observations: name === "Rome" ? [] : ["by the sea"] })),
});
await memory.create_relations({
  relations: [
    { from: "Constantinople", to: "Black Sea", relationType: "is near" },
    { from: "Rome", to: "Constantinople", relationType: "founded" },
  ],
});

const [from, to] = ["Constantinople", "Istanbul"];
const { entities: [old], relations } = await memory.open_nodes({ names: [from] });
const swap = (name) => (name === from ? to : name);
await memory.create_entities({ entities: [{ ...old, name: to }] });
await memory.create_relations({ relations: relations.map((it) => ({ ...it, from: swap(it.from), to: swap(it.to) })) });
const { success } = await memory.delete_entities({ entityNames: [from] });

const after = await memory.open_nodes({ names: [from, to] });
return { success, names: after.entities.map(({ name }) => name), seen: after.entities[0].observations, relations: after.relations.map((it) => Object.values(it).join(", ")).sort() };
