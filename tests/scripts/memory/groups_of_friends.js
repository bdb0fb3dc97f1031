// Which people belong together, directly or through others: union and find, with the graph's relations.
const pairs = args.friends;
const names = [...new Set([...pairs.flat(), ...args.others])];
await tools.memory.create_entities({ entities: names.map((name) => ({ name, entityType: "friend", observations: [] })) });
await tools.memory.create_relations({ relations: pairs.map(([from, to]) => ({ from, to, relationType: "likes" })) });

const { entities, relations } = await tools.memory.read_graph();
const parent = new Map(entities.filter((it) => it.entityType === "friend").map(({ name }) => [name, name]));
const find = (name) => {
  while (parent.get(name) !== name) {
    parent.set(name, parent.get(parent.get(name)));
    name = parent.get(name);
  }
  return name;
};
for (const { from, to, relationType } of relations) if (relationType === "likes") parent.set(find(from), find(to));
const groups = Map.groupBy(parent.keys(), find);
return [...groups.values()].map((group) => group.sort()).sort((a, b) => b.length - a.length || (a[0] < b[0] ? -1 : 1));
