// Puts a company into the graph, reads it back, and finds out who is how far from the top.
interface Person {
  name: string;
  role: string;
  boss?: string;
}

const people: Person[] = args.people;
await tools.memory.create_entities({
  entities: people.map(({ name, role }) => ({ name, entityType: "employee", observations: [`role: ${role}`] })),
});
await tools.memory.create_relations({
  relations: people.flatMap(({ name, boss }) => (boss ? [{ from: name, to: boss, relationType: "reports to" }] : [])),
});

const graph = await tools.memory.open_nodes({ names: people.map(({ name }) => name) });
const boss = new Map(graph.relations.filter((it) => it.relationType === "reports to").map(({ from, to }) => [from, to]));
const level = (name: string): number => (boss.has(name) ? 1 + level(boss.get(name)!) : 0);
const levels = graph.entities.map(({ name }) => `${level(name)} ${name}`).sort();
return { levels, roles: graph.entities.flatMap(({ observations }) => observations).length };
