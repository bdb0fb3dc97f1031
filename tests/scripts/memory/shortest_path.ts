// Finds the shortest way through stations that are in the graph, breadth first.
const lines: [string, string][] = args.lines;
const names = [...new Set(lines.flat())];
await tools.memory.create_entities({ entities: names.map((name) => ({ name, entityType: "station", observations: [] })) });
await tools.memory.create_relations({ relations: lines.map(([from, to]) => ({ from, to, relationType: "leads to" })) });

async function neighbours(name: string): Promise<string[]> {
  const { relations } = await tools.memory.open_nodes({ names: [name] });
  return relations.filter(({ from }) => from === name).map(({ to }) => to);
}

async function path(start: string, goal: string): Promise<string[] | undefined> {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  const queue = [start];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (name === goal) {
      const steps: string[] = [];
      for (let at: string | null | undefined = goal; at; at = cameFrom.get(at)) steps.unshift(at);
      return steps;
    }
    for (const next of await neighbours(name)) {
      if (!cameFrom.has(next)) queue.push((cameFrom.set(next, name), next));
    }
  }
  return undefined;
}

const [there, back] = await Promise.all([path(args.from, args.to), path(args.to, args.from)]);
return { there, back: back ?? null };
