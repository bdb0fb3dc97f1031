// Adds observations to those that a node has, and takes away those that a newer one replaces.
type Fact = `${string}: ${string}`;
const name = "build server";
await tools.memory.create_entities({ entities: [{ name, entityType: "machine", observations: ["cpu: 2", "os: bookworm", "rack: 7"] }] });

const news: Fact[] = ["os: trixie", "disk: 1 TB", "rack: 7"];
const keyOf = (fact: string) => fact.split(": ", 1)[0];
const { entities } = await tools.memory.open_nodes({ names: [name] });
const replaced = entities[0].observations.filter((old) => news.some((fact) => keyOf(fact) === keyOf(old) && fact !== old));
await tools.memory.delete_observations({ deletions: [{ entityName: name, observations: replaced }] });
const { results } = await tools.memory.add_observations({ observations: [{ entityName: name, contents: news }] });
const [after] = (await tools.memory.open_nodes({ names: [name] })).entities;
return { replaced, added: results[0].addedObservations, now: Object.fromEntries(after.observations.map((fact) => fact.split(": "))) };
